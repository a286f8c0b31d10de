import { hash } from 'node:crypto';
import { basename, relative, resolve } from 'node:path';
import { isFile, readRegular } from '../data/files/read-file.ts';
import { withMessages } from '../words/conversation.ts';
import type { Json, Message, Question, Sample } from '../words/sample.ts';
import type { PathOfSuite } from '../words/setting-values.ts';
import { quote, toText } from '../words/show.ts';
import { nearest } from '../words/similar-names.ts';
import { labelPrompt } from '../words/variant.ts';
import { toNeutralNames, type Workdir } from './workdir.ts';

/** A prompt template of a suite. */
export type Prompt = Readonly<{
  text: string;
  hash: string;
  /** Name of the file that it was read from; null for a prompt written in the eval file. */
  name: string | null;
  /** How rows name it; absent where the suite has one prompt. */
  label?: string;
}>;

/**
 * The text of a prompt's file. A checkout on Windows may have CRLF; the hash must not depend on it.
 */
export function readTemplate(file: string): string {
  return readRegular(file).toString('utf8').replaceAll('\r\n', '\n');
}

/**
 * Throws when a prompt template of a suite's file lacks its question, or has a placeholder that
 * nothing fills.
 */
export function checkPrompt(template: string, evalFile: string): void {
  const names = [...template.matchAll(PLACEHOLDER)].map(([placeholder, name = '']) => ({
    placeholder,
    name,
  }));
  const unknown = names.find(({ name }) => !Object.hasOwn(FILLERS, name));
  const where = `The prompt of ${relative(process.cwd(), evalFile)}`;
  if (unknown !== undefined) {
    const placeholders = Object.keys(FILLERS).map((filler) => `{{${filler}}}`);
    throw new Error(
      `${where} has an unknown placeholder, ${quote(unknown.placeholder)}. Use ${placeholders.join(', ')}.`,
    );
  }
  if (names.some(({ name }) => name === 'question' || name === 'input')) return;
  throw new Error(
    `${where} has no {{question}}, so every sample would be asked without its question. Write {{question}} where the question belongs.`,
  );
}

/**
 * The question as the agent sees it: only the fields named here, since GAIA's annotator metadata
 * contains the solution. Reading the attachments makes the work folder.
 */
export function toQuestion(
  sample: Sample,
  promptTemplate: string,
  workdir: Workdir,
  soFar?: readonly Message[],
): Question<Json> {
  const { id, suite, group, choices, multiple, turns } = sample;
  // Of a conversation the agent sees what was said so far, and no later turn.
  const first = turns === undefined ? sample : { ...sample, input: soFar?.[0]?.content ?? '' };
  const opening = withMessages(fillPrompt(first, promptTemplate));
  const messages = [...opening.messages, ...(soFar?.slice(1) ?? [])];
  return {
    id,
    suite,
    prompt: messages.at(-1)?.content ?? '',
    messages,
    input: first.input,
    group,
    ...(choices === undefined ? {} : { choices }),
    multiple,
    get attachments() {
      return workdir.attachments;
    },
  };
}

/** The prompt of a suite that names none: the question, then its options. */
export const DEFAULT_PROMPT = '{{question}}\n\n{{choices}}';

/** The text that an agent is asked. */
export function fillPrompt(sample: Sample, template: string): string {
  // One pass with a function, so that "{{" or "$&" in a question is inserted unchanged.
  const text = template.replace(
    PLACEHOLDER,
    (placeholder, name: string) => FILLERS[name]?.(sample) ?? placeholder,
  );
  return template === DEFAULT_PROMPT ? text.trimEnd() : text;
}

/**
 * A hash of the question, its options and the names of its attachments. It does not depend on the
 * prompt.
 */
export function hashQuestion(sample: AskedSample): string {
  const earlier = hashes.get(sample);
  if (earlier !== undefined) return earlier;
  const { input, choices, multiple, attachments, turns, user } = sample;
  const conversation = turns === undefined ? [] : [turns, user];
  const questionHash = shortHash(
    JSON.stringify([
      input,
      choices,
      multiple,
      attachments.map(({ name }) => name),
      ...conversation,
    ]),
  );
  hashes.set(sample, questionHash);
  return questionHash;
}

/** The part of a sample that its hash covers. */
type AskedSample = Pick<Sample, 'input' | 'choices' | 'multiple' | 'turns' | 'user'> & {
  readonly attachments: readonly { readonly name: string }[];
};

/**
 * Identifies a whole dataset with its expected answers: runs are comparable only on the same one.
 */
export function hashDataset(
  samples: readonly (AskedSample & Pick<Sample, 'id' | 'target'>)[],
): string {
  return shortHash(
    JSON.stringify(samples.map((sample) => [sample.id, sample.target, hashQuestion(sample)])),
  );
}

/** Sixteen hexadecimal digits, enough to distinguish versions of a prompt or a dataset. */
export function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 16);
}

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;

const FILLERS: Readonly<Record<string, (sample: Sample) => string>> = {
  question: ({ input }) => toText(input, 2),
  input: ({ input }) => toText(input, 2),
  choices: ({ choices = {}, choicesInside = false }) =>
    Object.entries(choicesInside ? {} : choices)
      .map(([label, text]) => `${label}. ${text}`)
      .join('\n'),
  attachments: ({ attachments }) => toNeutralNames(attachments).join(', '),
  group: ({ group }) => group,
};

/** Dataset, cache key and row need the same hash. */
const hashes = new WeakMap<AskedSample, string>();

/** A prompt of EVAL_PROMPT. Without a suite it is for the only one that runs. */
export type AskedPrompt = PathOfSuite & {
  /** Null for "own": the prompt that the suite has without EVAL_PROMPT. */
  readonly text: string | null;
};

/**
 * Reads the prompts of EVAL_PROMPT; throws if one cannot be used. `suites` are the names of the
 * suites that run; empty if not all names are known.
 */
export function readAskedPrompts(
  paths: readonly PathOfSuite[],
  suites: readonly string[],
  isOneSuite: boolean,
): readonly AskedPrompt[] {
  for (const { suite, path } of paths) {
    const isKnown = suites.length === 0 || suites.includes(suite ?? '');
    if (suite === null ? isOneSuite : isKnown) continue;
    const problem =
      suite === null
        ? `several suites run, and ${quote(path)} names none`
        : `no suite named ${quote(suite)} runs`;
    const names = suites.length === 0 ? '' : ` The suites are ${suites.join(', ')}.`;
    const example = (suite === null ? suites[0] : nearest(suite, suites)) ?? 'SUITE';
    throw new Error(
      `EVAL_PROMPT: ${problem}.${names} Write the name of a suite before the path, as in EVAL_PROMPT=${example}=${path}.`,
    );
  }
  return paths.map((each) => ({
    ...each,
    text: each.path === OWN ? null : readAskedPrompt(each.path),
  }));
}

function readAskedPrompt(path: string): string {
  const file = resolve(path);
  if (!isFile(file)) {
    throw new Error(
      `EVAL_PROMPT: ${quote(path)} is not a file. Write its path relative to the working directory, or "own" for the suite's own prompt.`,
    );
  }
  const text = readTemplate(file);
  checkPrompt(text, file);
  return text;
}

export function listPromptsOf(
  asked: readonly AskedPrompt[],
  suite: string,
): readonly AskedPrompt[] {
  return asked.filter((prompt) => prompt.suite === null || prompt.suite === suite);
}

/**
 * The prompts of one suite and their files: its own if none is asked. If file names are the same,
 * paths tell them apart.
 */
export function choosePrompts(
  asked: readonly AskedPrompt[],
  suite: string,
  readSuitePrompt: () => SuitePrompts,
): SuitePrompts {
  const listed = listPromptsOf(asked, suite);
  if (listed.length === 0) return readSuitePrompt();
  const ofSuite = listed.some(({ text }) => text === null)
    ? readSuitePrompt()
    : { prompts: [], files: [] };
  const isUnique = new Set(listed.map(({ path }) => basename(path))).size === listed.length;
  const prompts = listed.map(({ path, text: read }): Prompt => {
    const text = read ?? ofSuite.prompts[0]?.text ?? '';
    const hash = shortHash(text);
    const name = isUnique ? basename(path) : path;
    return { text, hash, name, label: listed.length === 1 ? undefined : labelPrompt(name, hash) };
  });
  for (const [index, { hash }] of prompts.entries()) {
    const twin = prompts.findIndex((other) => other.hash === hash);
    if (twin === index) continue;
    const [first, second] = [listed[twin], listed[index]].map((each) => quote(each?.path ?? ''));
    throw new Error(
      `EVAL_PROMPT: ${first} and ${second} are the same prompt of suite ${suite}. Name only one of them.`,
    );
  }
  return {
    prompts,
    files: [
      ...ofSuite.files,
      ...listed.flatMap(({ path, text }) => (text === null ? [] : resolve(path))),
    ],
  };
}

type SuitePrompts = Readonly<{ prompts: readonly Prompt[]; files: readonly string[] }>;

/** Stands for the prompt that a suite has without EVAL_PROMPT. */
const OWN = 'own';
