import { hash } from 'node:crypto';
import { relative } from 'node:path';
import { DEFAULT_AGENT } from '../agents/kinds.ts';
import type { EvalConfig } from '../config.ts';
import { shuffleDataset } from '../datasets/mcq/shuffle-choices.ts';
import { readRegular } from '../records/files.ts';
import { hasManifest } from '../store/manifest.ts';
import { readRun } from '../store/stored-run.ts';
import { quote } from '../text/show.ts';
import type { Dataset, Question, Sample } from '../types.ts';
import { toNeutralNames, type Workdir } from './workdir.ts';

/** A prompt template of a suite. */
export type Prompt = {
  readonly text: string;
  readonly hash: string;
  /** Name of the file that it was read from; null for a text of the eval file. */
  readonly name: string | null;
  /** How rows name it; absent where the suite has one prompt. */
  readonly label?: string;
};

/**
 * The text of a prompt's file. A checkout on Windows may have CRLF; the hash must not depend on it.
 */
export function readTemplate(file: string): string {
  return readRegular(file).toString('utf8').replaceAll('\r\n', '\n');
}

/**
 * Throws when a prompt template of a suite's file lacks its question, or holds a placeholder that
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
    const known = Object.keys(FILLERS).map((filler) => `{{${filler}}}`);
    throw new Error(
      `${where} has an unknown placeholder, ${quote(unknown.placeholder)}. Use ${known.join(', ')}.`,
    );
  }
  if (names.some(({ name }) => name === 'question')) return;
  const problem = `${where} has no {{question}}, so every sample would be asked without its question`;
  const similar = findSimilar(template);
  const found = similar === undefined ? '' : ` It has ${quote(similar)}.`;
  throw new Error(`${problem}.${found} Write {{question}} where the question belongs.`);
}

/**
 * The question as the agent sees it, as a copy that it may change. Only the fields named here are
 * copied: GAIA's annotator metadata contains the solution. Reading the attachments makes the work
 * folder.
 */
export function toQuestion(sample: Sample, promptTemplate: string, workdir: Workdir): Question {
  const { id, suite, input, group, choices, multiple } = sample;
  return {
    id,
    suite,
    prompt: fillPrompt(sample, promptTemplate),
    input,
    group,
    ...(choices === undefined ? {} : { choices: { ...choices } }),
    ...(multiple === undefined ? {} : { multiple }),
    get attachments() {
      return workdir.attachments.map((attachment) => ({ ...attachment }));
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
  const known = hashes.get(sample);
  if (known !== undefined) return known;
  const { input, choices, multiple, attachments } = sample;
  const made = shortHash(
    JSON.stringify([input, choices, multiple, attachments.map(({ name }) => name)]),
  );
  hashes.set(sample, made);
  return made;
}

/** The part of a sample that its hash covers. */
type AskedSample = Pick<Sample, 'input' | 'choices' | 'multiple'> & {
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

/** The dataset with its options in the order that this run's agents see. */
export function orderChoices(
  dataset: Dataset,
  config: EvalConfig,
  suite: string,
  isOwnAgent = false,
): Dataset {
  const seed = isOwnAgent ? config.shuffleChoices : findPresentationSeed(config, suite);
  if (seed !== null) return shuffleDataset(dataset, seed);
  if (config.shuffleChoices === null) return dataset;
  const note =
    'EVAL_SHUFFLE_CHOICES has no effect: replayed answers name the options as they were shown then.';
  return { ...dataset, notes: [...dataset.notes, note] };
}

/**
 * The seed for the order of options; null for the order of the file. A live agent sees the order of
 * EVAL_SHUFFLE_CHOICES. The labels of a replayed answer belong to the order of its own run;
 * predictions from a file use the file's order.
 */
export function findPresentationSeed(
  { agents, shuffleChoices }: EvalConfig,
  suite: string,
): number | null {
  const orders = (agents ?? [DEFAULT_AGENT]).map((spec) => ({
    name: spec.text,
    seed: spec.kind === 'replay' ? readRecordedSeed(spec.target, suite) : shuffleChoices,
  }));
  const [first, ...others] = orders;
  const other = others.find(({ seed }) => seed !== first?.seed);
  if (first === undefined || other === undefined) return first?.seed ?? null;
  throw new Error(
    `EVAL_AGENT names agents that see options in different orders: ${describe(first)} and ${describe(other)}. ` +
      'Run them one by one.',
  );
}

/** A placeholder is a name between double braces. */
const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;

const FILLERS: Readonly<Record<string, (sample: Sample) => string>> = {
  question: ({ input }) => input,
  choices: ({ choices = {} }) =>
    Object.entries(choices)
      .map(([label, text]) => `${label}. ${text}`)
      .join('\n'),
  attachments: ({ attachments }) => toNeutralNames(attachments).join(', '),
  group: ({ group }) => group,
};

/** What may be meant for {{question}}: a name in other brackets. */
function findSimilar(template: string): string | undefined {
  const found =
    template.replace(PLACEHOLDER, '').match(/\{[^{}"\n]{1,60}\}|[<[%]question[>\]%]/gi) ?? [];
  return found.find((text) => /question/i.test(text)) ?? found[0];
}

/** Dataset, cache key and row need the same hash. */
const hashes = new WeakMap<AskedSample, string>();

function readRecordedSeed(target: string, suite: string): number | null {
  if (target === '' || !hasManifest(target)) return null;
  const { rows } = readRun(target, {});
  return (
    rows.find((row) => row.suite === suite && row.presented !== undefined)?.presented?.seed ?? null
  );
}

function describe({ name, seed }: { readonly name: string; readonly seed: number | null }): string {
  return `${name} (${seed === null ? 'as in the file' : `shuffled with ${seed}`})`;
}
