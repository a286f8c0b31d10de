import { isJudge } from '../judge/judge.ts';
import { matchers } from '../matchers/index.ts';
import { isFields } from '../words/fields.ts';
import { quote, showPath, showValue } from '../words/show.ts';
import { didYouMean } from '../words/similar-names.ts';
import type { SuiteDefinition } from './definition.ts';
import { EXPORTS, isExport } from './exports.ts';
import { isSchema } from './grade.ts';
import { findUserProblems } from './simulate-user.ts';

/** The allowed types of `defineEval`'s options, for JavaScript and for casts. */
const ALLOWED: Readonly<Record<keyof SuiteDefinition, readonly string[]>> = {
  data: ['object', 'string', 'function'],
  schema: ['object'],
  map: ['function'],
  accepts: ['string'],
  group: ['function'],
  groups: ['object'],
  cluster: ['string', 'function'],
  prompt: ['string'],
  agent: ['function', 'object', 'string'],
  agents: ['object'],
  predictions: ['string'],
  user: ['object'],
  output: ['string'],
  extract: ['function'],
  score: ['function', 'judge'],
  scores: ['object'],
  pass: ['function'],
  matcher: ['string'],
  cache: ['boolean'],
  trials: ['number'],
  concurrency: ['number'],
  skip: ['boolean'],
  only: ['boolean'],
  timeoutSeconds: ['number', 'function'],
  free: ['boolean'],
  public: ['boolean'],
  levels: ['boolean'],
  exports: ['object'],
};

/** Throws if a definition cannot be used. The message has its file and what to do. */
export function checkDefinition(suite: unknown, definition: unknown, file: string): void {
  const refuse = (problem: string) => new Error(`${showPath(file)}: ${problem}`);
  if (typeof suite !== 'string' || typeof definition !== 'object' || definition === null) {
    throw refuse(
      `defineEval takes a name and a definition, got ${showValue(suite)}. Write defineEval('name', { ... }).`,
    );
  }
  // Folders and files get this name.
  if (!/^\w[\w.-]{0,59}$/.test(suite)) {
    const allowed = 'a letter, a digit or "_", then up to 59 more of these, "." and "-"';
    throw refuse(`the name of a suite must be ${allowed}, got ${quote(suite)}.`);
  }
  for (const [name, value] of Object.entries(definition)) {
    if (!isOption(name)) {
      throw refuse(
        `defineEval has no option ${quote(name)}.${didYouMean(name, Object.keys(ALLOWED))}`,
      );
    }
    const types = ALLOWED[name];
    if (value === null || (value !== undefined && !types.includes(typeOf(value)))) {
      throw refuse(
        `${quote(name)} must be ${types.map((type) => NAMES[type] ?? type).join(' or ')}, got ${showValue(value)}.`,
      );
    }
  }
  for (const problem of findProblems(definition as SuiteDefinition)) throw refuse(problem);
  const { matcher, score } = definition as SuiteDefinition;
  if (matcher === undefined) return;
  const names = Object.keys(matchers).filter((name) => name.startsWith('toMatch'));
  if (!names.includes(matcher))
    throw refuse(`"matcher" must be one of ${names.join(', ')}, got ${quote(matcher)}.`);
  if (score !== undefined) return;
  throw refuse(
    '"matcher" needs "score", which returns the grade for the matcher, such as that of gradeGaia.',
  );
}

function typeOf(value: unknown): string {
  return isJudge(value) ? 'judge' : typeof value;
}

function isOption(name: string): name is keyof SuiteDefinition {
  return Object.hasOwn(ALLOWED, name);
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
  for (const [name, each] of Object.entries(schema)) {
    if (!['input', 'target', 'output'].includes(name))
      yield `"schema" has no ${quote(name)}. It may have input, target and output.`;
    if (!isSchema(each))
      yield `"schema.${name}" must be a schema of zod, valibot, arktype or the like, got ${showValue(each)}.`;
  }
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
}

function* findAgentProblems({ agent, agents }: SuiteDefinition): Generator<string, void> {
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
    if (typeof each !== 'string' && typeof each !== 'function' && !isFields(each))
      yield `the agent ${quote(name)} must be a function, a path or a model, got ${showValue(each)}.`;
  }
}

function* findScoreProblems(definition: SuiteDefinition): Generator<string, void> {
  const { score, scores, pass, matcher, cache = true } = definition;
  // A score in another file gets an error when it reads the folder of a cached answer.
  if (cache && /\bworkdir\b/.test([score, ...Object.values(scores ?? {})].join('\n')))
    yield 'a score reads "workdir", and a cached answer has no work folder. Set "cache: false".';
  if (pass !== undefined && score === undefined && scores === undefined)
    yield '"pass" decides from what scores return. Add "score" or "scores".';
  if (scores === undefined) return;
  if (score !== undefined || matcher !== undefined) {
    const other = score === undefined ? 'matcher' : 'score';
    yield `"scores" and "${other}" both decide what is right. Keep one of them.`;
  }
  const names = Object.entries(scores);
  if (names.length === 0) yield '"scores" has no score. Add one, as in scores: { total: ... }.';
  for (const [name, each] of names) {
    yield* findNameProblem('a score', name);
    if (typeof each !== 'function' && !isJudge(each))
      yield `the score ${quote(name)} must be a function or judge(...), got ${showValue(each)}.`;
  }
}

function isNames(names: unknown): boolean {
  const isList = Array.isArray(names) && names.length > 0 && new Set(names).size === names.length;
  return isList && names.every((name) => typeof name === 'string' && name !== '');
}

/** Tables, titles of tests, rows and gates name agents and scores. */
function* findNameProblem(what: string, name: string): Generator<string, void> {
  if (/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_ .:()/-]{0,59}$/u.test(name)) return;
  yield `the name of ${what} must have at most 60 letters, digits, blanks and "_.:()/-", got ${quote(name)}.`;
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  function: 'a function',
  judge: 'judge(...)',
  object: 'an object',
};
