import { join } from 'node:path';
import { findJudgeProblem, isGraded, isJudge, judge } from '../judge/judge.ts';
import { matchers } from '../matchers/index.ts';
import { DOCS } from '../package.ts';
import { isFields } from '../words/fields.ts';
import { listUp, quote, showPath, showValue, tryOrUndefined } from '../words/show.ts';
import { didYouMean } from '../words/similar-names.ts';
import type { SuiteDefinition } from './definition.ts';
import { EXPORTS, isExport } from './exports.ts';
import { isSchema } from './grade.ts';
import { findUserProblems } from './simulate-user.ts';

/**
 * The types that each option of `defineEval` may have, for JavaScript and for casts, and what to write
 * instead of another, such as a sibling's form.
 */
const OPTIONS: Readonly<
  Record<keyof SuiteDefinition, readonly [types: readonly string[], write?: string]>
> = {
  data: [['object', 'string', 'function'], "data: [{ input: '...', target: '...' }], or a path"],
  schema: [['object'], 'schema: { output: ... } with a schema of zod, valibot or arktype'],
  map: [['function'], 'map: (record) => ({ input: record.text, target: record.label })'],
  accepts: [['string'], "accepts: 'any'"],
  group: [['function'], "group: (sample) => ..., or the name of a field as groups: ['level']"],
  groups: [['object'], "groups: ['level']"],
  cluster: [['string', 'function'], "cluster: 'passage', or a function of the record"],
  prompt: [['string'], "prompt: 'Answer: {{question}}', or the path of a file"],
  agent: [['function', 'object', 'string'], 'agent: (question) => ..., or a path or a model'],
  agents: [['object'], 'agents: { small: ..., large: ... } for several, or agent: ... for one'],
  predictions: [['string'], "predictions: './predictions.jsonl'"],
  user: [['object'], 'user: simulateUser({ ... })'],
  output: [['string'], "output: 'json'"],
  extract: [['function'], 'extract: (output) => output.answer'],
  score: [
    ['function', 'judge'],
    'score: ({ output, target }) => ... for one, or scores: { name: ... } for several',
  ],
  scores: [
    ['object'],
    'scores: { name: ... } for several, or score: ({ output, target }) => ... for one',
  ],
  pass: [['function'], 'a function of all scores, such as pass: ({ total }) => total >= 0.5'],
  prefer: [['judge'], "prefer: judge('It is kinder.')"],
  matcher: [['string'], "matcher: 'toMatchNumber'"],
  cache: [['boolean']],
  trials: [['number']],
  concurrency: [['number']],
  skip: [['boolean']],
  only: [['boolean']],
  timeoutSeconds: [['number', 'function']],
  free: [['boolean']],
  public: [['boolean']],
  levels: [['boolean']],
  exports: [['object'], "exports: ['answers.csv']"],
};

/** What options of other tools are here. */
const MEANT: Readonly<Record<string, string>> = {
  dataset: ' The records are "data".',
  evaluators: ' What judges answers is "score" or "scores".',
  judge: " A model judges as score: judge('...').",
  compare: " Which of two answers is better is judged as prefer: judge('...').",
  pairwise: " Which of two answers is better is judged as prefer: judge('...').",
  metrics: ' What judges answers is "score" or "scores".',
  model: ' Who is asked is "agent".',
  timeout: ' How long a question may take is "timeoutSeconds".',
  timeoutMs: ' How long a question may take is "timeoutSeconds".',
  repeats: ' How often each question is asked is "trials".',
  task: ' Who is asked is "agent".',
  threshold: ' What a run must reach is a gate: EVAL_MIN_ACCURACY, or "gates" of viva().',
  turns: ' They are a field of each record.',
};

/** Options of viva's own two suites, with what to do in another. Both name answers in viva's folder. */
const INNER: Readonly<Record<string, string>> = {
  predictions: " Recorded answers are an agent: agent: 'replay:./predictions.jsonl'.",
  matcher: ' What judges answers is "score" or "scores".',
  levels: ' Fields that group the samples are "groups".',
  exports: '',
};
const INNER_FOLDER = join(import.meta.dirname, '../../evals/');

/** Throws if a suite that is not viva's own has an option of these alone. */
export function refuseInnerOptions(definition: unknown, file: string): void {
  if (!isFields(definition) || String(definition['predictions']).startsWith(INNER_FOLDER)) return;
  const name = Object.keys(definition).find((each) => Object.hasOwn(INNER, each));
  if (name !== undefined)
    throw new Error(`${showPath(file)}: defineEval has no option ${quote(name)}.${INNER[name]}`);
}

/** Throws if a definition cannot be used. The message has its file and what to do. */
export function checkDefinition(suite: unknown, definition: unknown, file: string): void {
  const refuse = (problem: string) => new Error(`${showPath(file)}: ${problem}`);
  if (typeof suite !== 'string' || !isFields(definition) || Array.isArray(definition)) {
    const got = typeof suite === 'string' ? definition : suite;
    throw refuse(
      `defineEval takes a name and a definition, got ${showValue(got)}. Write defineEval('name', { ... }).`,
    );
  }
  // Folders and files get this name.
  if (!/^\w[\w.-]{0,59}$/.test(suite)) {
    const allowed = 'a letter, a digit or "_", then up to 59 more of these, "." and "-"';
    throw refuse(`the name of a suite must be ${allowed}, got ${quote(suite)}.`);
  }
  const names = Object.keys(OPTIONS).filter((name) => !Object.hasOwn(INNER, name));
  for (const [name, value] of Object.entries(definition)) {
    if (!isOption(name)) {
      throw refuse(
        `defineEval has no option ${quote(name)}.${MEANT[name] ?? didYouMean(name, names)} See ${DOCS}/package.md#write-a-suite.`,
      );
    }
    const [types, write] = OPTIONS[name];
    if (value === null || (value !== undefined && !types.includes(typeOf(value)))) {
      const remedy = write === undefined ? '' : ` Write ${write}.`;
      throw refuse(
        `${quote(name)} must be ${types.map((type) => NAMES[type] ?? type).join(' or ')}, got ${showValue(value)}.${remedy}`,
      );
    }
  }
  for (const problem of findProblems(definition as SuiteDefinition)) throw refuse(problem);
  const { matcher, score } = definition as SuiteDefinition;
  if (matcher === undefined) return;
  const all = Object.keys(matchers).filter((name) => name.startsWith('toMatch'));
  if (!all.includes(matcher))
    throw refuse(`"matcher" must be one of ${all.join(', ')}, got ${quote(matcher)}.`);
  if (score !== undefined) return;
  throw refuse(
    '"matcher" needs "score", which returns the grade for the matcher, such as that of gradeGaia.',
  );
}

function typeOf(value: unknown): string {
  return isJudge(value) ? 'judge' : typeof value;
}

function isOption(name: string): name is keyof SuiteDefinition {
  return Object.hasOwn(OPTIONS, name);
}

/** What is wrong with values of options, and with options that belong together. */
function* findProblems(definition: SuiteDefinition): Generator<string, void> {
  const { group, groups, trials, concurrency, accepts, output, schema = {} } = definition;
  yield* findAgentProblems(definition);
  if (definition.user !== undefined) yield* findUserProblems(definition.user);
  if (accepts !== undefined && accepts !== 'any')
    yield `"accepts" must be 'any', got ${showValue(accepts)}.`;
  if (output !== undefined && output !== 'json')
    yield `"output" must be 'json', got ${showValue(output)}.`;
  if (isSchema(schema))
    yield '"schema" is one schema. Say of what it is: schema: { output: ... }, or input or target.';
  for (const [name, each] of Object.entries(schema)) {
    if (!['input', 'target', 'output'].includes(name))
      yield `"schema" has no ${quote(name)}. It may have input, target and output.`;
    if (!isSchema(each))
      yield `"schema.${name}" must be a schema of zod, valibot, arktype or the like, got ${showValue(each)}.`;
  }
  if (isFields(definition.exports))
    yield `"exports" must be a list, got ${showValue(definition.exports)}.`;
  else
    for (const name of definition.exports ?? [])
      if (!isExport(name))
        yield `"exports" may have ${Object.keys(EXPORTS).join(' and ')}, got ${showValue(name)}.`;
  if (groups !== undefined && !isNames(groups))
    yield `"groups" must be a list of names of fields, got ${showValue(groups)}.`;
  if (groups !== undefined && group !== undefined)
    yield '"group" and "groups" both name the groups. Keep one of them.';
  for (const [name, count = 1] of Object.entries({ trials, concurrency }))
    if (!(Number.isInteger(count) && count >= 1 && count <= 1000))
      yield `${quote(name)} must be a whole number from 1 to 1000, got ${showValue(count)}.`;
  yield* findScoreProblems(definition);
  if (definition.prefer !== undefined) yield* findPreferProblems(definition.prefer);
}

function* findAgentProblems({ agent, agents }: SuiteDefinition): Generator<string, void> {
  if (typeof agent === 'object' && !('answer' in agent))
    yield `"agent" must be a function, a path, a model or an object with "answer", got ${showValue(agent)}. Several agents are named in agents: { small: ..., large: ... }.`;
  if (agents === undefined) return;
  if (agent !== undefined)
    yield '"agent" and "agents" both say who is asked. Put all into "agents".';
  const named: readonly (readonly [string, unknown])[] = isFields(agents)
    ? Object.entries(agents)
    : [];
  if (named.length === 0)
    yield `"agents" has no agent. Name one, as in agents: { small: smallAgent }, got ${showValue(agents)}.`;
  for (const [name, each] of named) {
    yield* findNameProblem('an agent', name);
    if (typeof each === 'string' || typeof each === 'function') continue;
    if (!isFields(each) || !('answer' in each))
      yield `the agent ${quote(name)} must be a function, a path, a model or an object with "answer", got ${showValue(each)}.`;
  }
}

function* findScoreProblems(definition: SuiteDefinition): Generator<string, void> {
  const { score, scores, pass, matcher, cache = true } = definition;
  // A score in another file gets an error when it reads the folder of a cached answer.
  if (cache && /\bworkdir\b/.test([score, ...Object.values(scores ?? {})].join('\n')))
    yield 'a score reads "workdir", and a cached answer has no work folder. Set "cache: false".';
  if (pass !== undefined && score === undefined && scores === undefined)
    yield '"pass" decides from what scores return. Add "score" or "scores".';
  for (const [name, each] of Object.entries({ score, ...scores }))
    yield* findJudging(`the score ${quote(name)}`, name, each);
  const all = Object.entries(scores ?? { score });
  if (pass === undefined) yield* findUndecided(all);
  else if (typeof pass === 'function' && refusesAll(pass, all))
    yield '"pass" is false for every grade. A grade is a number from 0 to 1 there: 4 of 5 is 0.75, as in score >= 0.75';
  if (scores === undefined) return;
  if (Array.isArray(scores)) {
    yield `"scores" must have a name for each score, as in scores: { tone: ..., facts: ... }, got a list.`;
    return;
  }
  if (score !== undefined || matcher !== undefined) {
    const other = score === undefined ? 'matcher' : 'score';
    yield `"scores" and "${other}" both decide what is right. Keep one of them.`;
  }
  const names = isFields(scores) ? Object.entries(scores) : [];
  if (names.length === 0)
    yield `"scores" has no score. Add one, as in scores: { total: ... }, got ${showValue(scores)}.`;
  for (const [name, each] of names) {
    yield* findNameProblem('a score', name);
    if (typeof each !== 'function' && !isJudge(each))
      yield `the score ${quote(name)} must be a function or judge(...), got ${showValue(each)}.`;
  }
}

/** Grades alone say how good an answer is, and not whether it is right. */
function* findUndecided(scores: readonly (readonly [string, unknown])[]): Generator<string, void> {
  if (scores.length === 0 || !scores.every(([, each]) => isGraded(each))) return;
  const names = scores.map(([name]) => name);
  const [name = ''] = names;
  const read = /^[a-z]\w*$/i.test(name) ? name : `${quote(name)}: value`;
  yield `${listUp(names.map((each) => quote(each)))} ${names.length === 1 ? 'gives a grade' : 'give grades'}, from 0 for grade 1 to 1 for the highest, and nothing says which answers are right. ` +
    `Add "pass", as in pass: ({ ${read} }) => ${read.split(': ').at(-1)} >= 0.75`;
}

/**
 * Whether `pass` refuses the lowest, the middle and the highest grade, whatever the other scores are: so
 * does one that compares grades as they are in a row, 1 to 5.
 */
function refusesAll(
  pass: NonNullable<SuiteDefinition['pass']>,
  scores: readonly (readonly [string, unknown])[],
): boolean {
  // More would take long to try.
  if (scores.length > 6 || !scores.some(([, score]) => isGraded(score))) return false;
  const tried = scores.reduce<readonly Readonly<Record<string, number | boolean>>[]>(
    (values, [name, score]) =>
      (isGraded(score) ? [1, 0, 0.5] : [true, false]).flatMap((value) =>
        values.map((each) => ({ ...each, [name]: value })),
      ),
    [{}],
  );
  const refuses = tryOrUndefined(() => tried.every((values) => pass(values) === false));
  return refuses === true;
}

function* findJudging(what: string, name: string, score: unknown): Generator<string, void> {
  if (score === judge)
    yield `${what} is the function judge. Call it, as in ${name}: judge('Is polite.').`;
  if (!isJudge(score)) return;
  const { type: _, criterion, ...options } = score;
  const problem = findJudgeProblem(criterion, options);
  if (problem !== null) yield `${what}: ${problem}`;
}

function* findPreferProblems(prefer: object): Generator<string, void> {
  const other = Object.keys(prefer).find((name) => !PREFER.includes(name));
  if (other !== undefined)
    yield `"prefer" says which of two answers is better, and has no ${quote(other)}. Its judge may have "reference" and "judges".`;
  yield* findJudging('"prefer"', 'prefer', prefer);
}

const PREFER: readonly string[] = ['type', 'criterion', 'reference', 'judges'];

function isNames(names: unknown): boolean {
  const isList = Array.isArray(names) && names.length > 0 && new Set(names).size === names.length;
  return isList && names.every((name) => typeof name === 'string' && name !== '');
}

/** Tables, titles of tests, rows and gates name agents and scores. */
function* findNameProblem(what: string, name: string): Generator<string, void> {
  if (/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_ .:()/-]{0,59}$/u.test(name)) return;
  yield `the name of ${what} must have at most 60 letters, digits, spaces and "_.:()/-", got ${quote(name)}.`;
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  function: 'a function',
  judge: 'judge(...)',
  object: 'an object',
};
