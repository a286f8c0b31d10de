import { basename, dirname, resolve } from 'node:path';
import { inspect } from 'node:util';
import { isFile, readRegular } from '../data/files/read-file.ts';
import { type EvalConfig, SECONDS } from '../settings.ts';
import { omitNullish } from '../words/fields.ts';
import type { Json, Sample } from '../words/sample.ts';
import { redact, redactIn, redactMessage } from '../words/secrets.ts';
import { quote, showPath, showValue, toText, tryOrUndefined } from '../words/show.ts';
import { checkDefinition } from './check-definition.ts';
import type { SuiteDefinition } from './definition.ts';
import { hideInError } from './failure.ts';
import {
  type Extracted,
  extractAnswer,
  type Facts,
  gradeOutput,
  type ReadOutput,
  readOutput,
} from './grade.ts';
import type { Graded } from './named-scores.ts';
import {
  type AskedPrompt,
  checkPrompt,
  choosePrompts,
  DEFAULT_PROMPT,
  type Prompt,
  readTemplate,
  shortHash,
} from './prompt.ts';
import { callOfSuite } from './user-code.ts';

/** A definition with its defaults. */
export type Suite = Readonly<{
  name: string;
  /** Path of the eval file. */
  file: string;
  definition: SuiteDefinition;
  prompts: readonly Prompt[];
  /** The other files of the suite, for watch mode. */
  files: readonly string[];
  /** See `readOutput`. */
  read(output: Json, limitMs: number): Promise<ReadOutput>;
  extract(output: Json, sample: Sample): Extracted;
  /** See `gradeOutput`. */
  grade(output: Json, target: Json, sample: Sample, facts: Facts, limitMs: number): Promise<Graded>;
  /** Throws if a grade is not correct. */
  assert(grade: Graded, output: Json, target: Json, { accepts }: Pick<Sample, 'accepts'>): void;
}>;

/**
 * Checks a definition and adds its defaults. Throws if it cannot be used. Its output has no
 * `secrets`.
 */
export function toSuite(
  name: string,
  given: SuiteDefinition,
  file: string,
  secrets: readonly string[] = [],
  asked: readonly AskedPrompt[] = [],
): Omit<Suite, 'assert'> {
  checkDefinition(name, given, file);
  const definition = copyTables(given);
  const { data, predictions, matcher } = definition;
  if (data === undefined) throw new Error(`${showPath(file)}: ${NO_DATA}`);
  const { prompts, files: promptFiles } = choosePrompts(asked, name, () =>
    readSuitePrompt(definition, file),
  );
  const dataFile = typeof data === 'string' && !data.startsWith('hf:') ? [data] : [];
  const answers = [
    ...(predictions === undefined ? [] : [predictions]),
    ...listRecorded(definition),
  ];
  const files = [...dataFile, ...answers].map((path) => resolveBeside(file, path));
  const scoring = { ...definition, file };
  return {
    name,
    file,
    definition: { ...definition, public: definition.public ?? standsInFile(data, file) },
    prompts,
    files: [...files, ...promptFiles],
    read: (output, limitMs) => {
      const whole = matcher === undefined ? output : toText(output);
      return redactProblem(readOutput(definition, whole, { suite: name, file }, limitMs), secrets);
    },
    extract: (output, sample) => redactIn(extractAnswer(scoring, output, sample), secrets),
    grade: async (...graded) => hideInGrade(await gradeOutput(scoring, ...graded), secrets),
  };
}

/** The files of the recorded answers that a suite names as its agents. */
function listRecorded({ agent, agents = {} }: SuiteDefinition): readonly string[] {
  return [agent, ...Object.values(agents)].flatMap((each) =>
    typeof each === 'string' ? (/^replay:(.+)$/.exec(each)?.[1] ?? []) : [],
  );
}

/**
 * The definition with its lists and tables as copies, which no agent and no score can change while the
 * suite runs. Of the data `loadData` makes one.
 */
function copyTables(definition: SuiteDefinition): SuiteDefinition {
  const { agents, schema, scores, groups, exports, user } = definition;
  const [first, ...others] = groups ?? [];
  return {
    ...definition,
    ...omitNullish({
      agents: agents && { ...agents },
      schema: schema && { ...schema },
      scores: scores && { ...scores },
      groups: first === undefined ? undefined : ([first, ...others] as const),
      exports: exports && [...exports],
      user: user && { ...user },
    }),
  };
}

/** The deadline of a question in ms: EVAL_TIMEOUT, or that of the suite for its group. */
export function deadlineOf(
  { name, file, definition }: Pick<Suite, 'name' | 'file' | 'definition'>,
  { timeoutSeconds: set }: Pick<EvalConfig, 'timeoutSeconds'>,
  group: string,
): number {
  const { timeoutSeconds: own = 120 } = definition;
  if (set !== null) return set * 1000;
  const of = { name: 'timeoutSeconds', file };
  const seconds = typeof own === 'number' ? own : callOfSuite(of, own, group);
  const isNumber = typeof seconds === 'number' && SECONDS.parse(String(seconds)) !== undefined;
  if (isNumber) return seconds * 1000;
  const wanted = `timeoutSeconds of suite ${name} must be ${SECONDS.allowed}`;
  throw new Error(`${wanted}, got ${showValue(seconds)} for group "${group}".`);
}

export const NO_DATA =
  'the suite has no data. Set "data" to a list of records, a file, a folder or hf:owner/name.';

/** The absolute path for a path in a definition. */
export function resolveBeside(file: string, path: string): string {
  return resolve(dirname(file), path);
}

/**
 * Whether all that a list of records says is written out in the eval file, and so known to all who
 * have the repository: texts in quotes, names of fields and numbers.
 */
function standsInFile(data: SuiteDefinition['data'], file: string): boolean {
  if (!Array.isArray(data)) return false;
  // All kinds of quotes count as one.
  const plain = (text: string) => text.replaceAll(/\\?["'`]/g, '"').replaceAll('\n', '\\n');
  const source = plain(tryOrUndefined(() => readRegular(file).toString('utf8')) ?? '');
  // Records that JSON cannot express are refused when they are read.
  const json = tryOrUndefined(() => JSON.stringify(data));
  const words = json?.match(/"(?:[^"\\]|\\.)*":?|\d[\d.]*/g) ?? [''];
  return words.every(
    (word) => word !== '' && source.includes(word.endsWith(':') ? word.slice(1, -2) : plain(word)),
  );
}

function readSuitePrompt({ prompt = DEFAULT_PROMPT }: SuiteDefinition, file: string) {
  // No path has braces, and every template has.
  const path = resolveBeside(file, prompt);
  const isPath = !prompt.includes('{{') && isFile(path);
  const text = isPath ? readTemplate(path) : prompt;
  if (isPath || /[\s{]/.test(prompt.trim())) {
    checkPrompt(text, file);
    const name = isPath ? basename(path) : null;
    return { prompts: [{ text, hash: shortHash(text), name }], files: isPath ? [path] : [] };
  }
  throw new Error(
    `${showPath(file)}: the prompt ${quote(showPath(path))} is not a file. Name an existing file, or write a prompt with {{question}}.`,
  );
}

/** A schema may read the environment, and say what it found. */
async function redactProblem(
  reading: Promise<ReadOutput>,
  secrets: readonly string[],
): Promise<ReadOutput> {
  const read = await reading;
  return 'problem' in read ? { ...read, problem: redactMessage(read.problem, secrets) } : read;
}

/** A grade without keys: output and errors of a score enter here. */
function hideInGrade(graded: Graded, secrets: readonly string[]): Graded {
  const { failed, answer, ...others } = graded;
  const grade = { ...redactIn(others, secrets, redactMessage), answer: redactIn(answer, secrets) };
  return failed === undefined
    ? grade
    : { ...grade, failed: failed.map((error) => hideInFailed(error, secrets)) };
}

/** The values of an assertion stay unless they contain a key. */
function hideInFailed(error: Error, secrets: readonly string[]): Error {
  const hidden = hideInError(error, secrets);
  const whole = inspect(error, {
    depth: 12,
    maxArrayLength: null,
    maxStringLength: null,
    customInspect: false,
  });
  const isClean = redact(whole, secrets) === whole && hidden.message === error.message;
  return isClean ? error : hidden;
}
