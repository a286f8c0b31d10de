import { hash } from 'node:crypto';
import { isAllStatement, isNoneStatement } from '../scoring/mcq/question.ts';
import type { Note, Sample } from '../words/sample.ts';
import { lineIf, plural, toNotes, toText, toTextOrNull } from '../words/show.ts';
import type { Option } from './options.ts';
import { shuffle } from './selection.ts';

/**
 * In which order each trial shows the options of a question, as their labels in the dataset's order.
 * It follows from the seed, the question's id and the trial; the first trial has the order of a run
 * with one trial. "All of the above" and similar options stay last. All options stay in place when
 * one names others ("Both A and B"), or when "all of the above" is not last. Null for a question
 * without options, or that lists them itself.
 */
export function drawOrders(
  { id, choices, choicesInside }: Pick<Sample, 'id' | 'choices' | 'choicesInside'>,
  seed: number,
): ((trial: number) => readonly string[]) | null {
  if (choices === undefined || choicesInside === true) return null;
  const parts = readParts(choices);
  if (parts === null) return () => Object.keys(choices);
  const keyOf = (trial: number) => [seed, id, ...(trial === 1 ? [] : [trial])].join('\n');
  return (trial) => orderOptions(parts, keyOf(trial)).map(({ label }) => label);
}

/**
 * A question as each trial shows it. The labels stay where they are and the texts move, so that the
 * target names another label for the same text.
 */
export function shuffleChoices(sample: Sample, seed: number): (trial: number) => Sample {
  const orderIn = drawOrders(sample, seed);
  if (orderIn === null) return () => sample;
  const options = listOptions(sample.choices ?? {});
  const optionOf = new Map(options.map((option) => [option.label, option]));
  return (trial) => {
    const moved = orderIn(trial).flatMap((label) => optionOf.get(label) ?? []);
    const ownLabels = options.map(({ label }, index) => [label, moved[index]?.label ?? '']);
    return {
      ...moveTexts(sample, options, moved),
      presentation: { seed, ownLabels: Object.fromEntries(ownLabels) },
    };
  };
}

/** How many questions are shown in another order; nothing for a dataset without options. */
export function noteOrders(
  samples: readonly Sample[],
  seed: number | undefined,
  trials: number,
): readonly Note[] {
  if (seed === undefined) return [];
  const numbers = Array.from({ length: trials }, (_, index) => index + 1);
  const isMoved = samples.flatMap((sample) => {
    const orderIn = drawOrders(sample, seed);
    const labels = Object.keys(sample.choices ?? {}).join();
    return orderIn === null ? [] : numbers.some((trial) => orderIn(trial).join() !== labels);
  });
  const moved = isMoved.filter(Boolean).length;
  const unmoved = isMoved.length - moved;
  const each = trials > 1 ? `, drawn again for each of ${trials} trials` : '';
  const clauses = [
    `the options of ${moved} of ${plural(isMoved.length, 'question')} are in another order${each}`,
    ...lineIf(unmoved > 0, `${plural(unmoved, 'keeps', 'keep')} the file's order: ${UNMOVED}`),
  ];
  const inside = samples.some(({ choicesInside }) => choicesInside) ? INSIDE : null;
  const text = isMoved.length > 0 ? clauses.join('; ') : inside;
  return text === null ? [] : toNotes('order', [`EVAL_SHUFFLE_CHOICES=${seed}: ${text}.`]);
}

const INSIDE = 'nothing is shuffled, because the questions list their options themselves';
const UNMOVED = 'an option refers to others, or the shuffle did not change the order';

/**
 * The same question with its options in an order that follows from its texts alone, for files that
 * name the right option first: the order is the same in every run and on every machine.
 */
export function orderByTexts(sample: Sample): Sample {
  const options = listOptions(sample.choices ?? {});
  const texts = options.map(({ text }) => text).sort();
  const key = [toText(sample.input), ...texts].join('\n');
  return moveTexts(sample, options, orderOptions(splitOptions(options), key));
}

function listOptions(choices: Readonly<Record<string, string>>): readonly Option[] {
  return Object.entries(choices).map(([label, text]) => ({ label, text }));
}

/** The sample with its texts under other labels; the target names the same texts. */
function moveTexts(sample: Sample, options: readonly Option[], moved: readonly Option[]): Sample {
  const right = new Set(toTextOrNull(sample.target)?.split(','));
  const target = options.filter((_, index) => right.has(moved[index]?.label ?? ''));
  return {
    ...sample,
    // NONE names no option.
    target: target.length === 0 ? sample.target : target.map(({ label }) => label).join(','),
    choices: Object.fromEntries(
      options.map(({ label }, index) => [label, moved[index]?.text ?? '']),
    ),
  };
}

/** Options, and those after them that say "all" or "none of the above". */
type Parts = Readonly<{ others: readonly Option[]; closing: readonly Option[] }>;

function splitOptions(options: readonly Option[]): Parts {
  const closing = options.filter(({ text }) => isAllStatement(text) || isNoneStatement(text));
  return { others: options.filter((option) => !closing.includes(option)), closing };
}

/**
 * Shuffles options. The order follows from a text alone: the first 32 bits of its SHA-256 are the
 * seed. "All of the above" and similar options stay last, so they refer to the same options as
 * before.
 */
function orderOptions({ others, closing }: Parts, key: string): readonly Option[] {
  return [...shuffle(others, Number.parseInt(hash('sha256', key).slice(0, 8), 16)), ...closing];
}

/** Reading the texts takes longer than any number of orders. */
const known = new WeakMap<object, Parts | null>();

/** The parts of a question's options; null if all stay in place. */
function readParts(choices: NonNullable<Sample['choices']>): Parts | null {
  const earlier = known.get(choices);
  if (earlier !== undefined) return earlier;
  const options = listOptions(choices);
  const parts = splitOptions(options);
  const labels = options.map(({ label }) => label);
  const areLast = options.slice(parts.others.length).every((one) => parts.closing.includes(one));
  const isFixed = parts.others.some(({ text }) => refersToOptions(text, labels));
  const found = areLast && !isFixed ? parts : null;
  known.set(choices, found);
  return found;
}

/**
 * Whether an option's text refers to other options by label or place, so that it fits only the
 * original order. In doubt it does: for "vitamins A and D" among options A to D, one question
 * merely is not shuffled.
 */
export function refersToOptions(text: string, labels: readonly string[]): boolean {
  if (ABOVE.test(text)) return true;
  const lowerCase = new Set(labels.map((label) => label.toLowerCase()));
  const isLabel = (name = '') => lowerCase.has(name.toLowerCase());
  const joined = [...text.matchAll(JOINED)].some(
    ([, left, right]) => isLabel(left) && isLabel(right),
  );
  // "only a physician" begins with a word, not with option A: a single name must have the label's
  // spelling.
  const beside = [...text.matchAll(BESIDE)].some(([, after, before]) =>
    labels.includes(after ?? before ?? ''),
  );
  return joined || beside;
}

/** Two names of options that are joined: "A and B", "1 or 3", "(b), (c)". */
const JOINED =
  /(?<![\p{L}\p{N}])\(?([\p{L}\p{N}]{1,3})[).]?\s{0,2}(?:,|;|&|\/|\+|\band\b|\bor\b|\bnor\b|\bund\b|\boder\b|\bet\b|\bou\b|\by\b|\bo\b|\be\b|和|与|或|、)\s{0,2}\(?([\p{L}\p{N}]{1,3})(?![\p{L}\p{N}])/giu;

/**
 * One name of an option with a word that shows it is one: "option C", "only B", "A only", "except
 * (D)".
 */
const BESIDE =
  /(?:\b(?:options?|choices?|answers?|statements?)|(?:\bonly|\bexcept|\bbut|\bneither|\beither|\bboth)) \(?([\p{L}\p{N}]{1,3})\)?(?![\p{L}\p{N}])|^\(?([\p{L}\p{N}]{1,3})\)? only\b/giu;

const ABOVE =
  /\bof (?:the |these )?(?:above|below|preceding|previous|foregoing|following|others?)\b|\b(?:above|below|preceding|previous|other) (?:options?|choices?|answers?|statements?)\b|\b(?:options?|choices?|answers?|statements?) (?:above|below)\b/i;
