import { extname } from 'node:path';
import { findRepeats } from '../data/record-fields.ts';
import { compareNaturally } from '../figures/groups.ts';
import { findKind, official } from '../scoring/gaia/official.ts';
import { formatPercent } from '../words/amounts.js';
import { listAccepted } from '../words/row.ts';
import type { Dataset, Note, Sample } from '../words/sample.ts';
import { lineIf, listUp, plural, toNotes, toTextOrNull } from '../words/show.ts';

/** One line of `viva check`: what it is about, and what was found. */
export type Fact = readonly [name: string, text: string];

/** Facts about the samples of any suite; `ofAnswers` replaces the usual facts about expected answers. */
export function describeDataset(
  { notes, samples, leftOut = [] }: Dataset,
  ofAnswers = usualFacts(samples),
): readonly Fact[] {
  const named = notes.map(({ kind, text }): Fact => [kind === 'layout' ? kind : 'note', text]);
  const bad = lineIf(
    leftOut.length > 0,
    `${plural(leftOut.length, 'bad record')}: ${listUp(leftOut)}`,
  );
  return [
    ...named,
    ...bad.map((text): Fact => ['left out', text]),
    ...commonFacts(samples),
    ...ofAnswers,
  ];
}

/** How the answers of GAIA's samples will be compared. */
export function gaiaFacts(samples: readonly Sample[]): readonly Fact[] {
  const kinds = samples.map((sample) => {
    const [first = ''] = listAccepted(sample);
    return sample.target === null ? 'hidden' : findKind(first);
  });
  const warnings = describeSeparators(samples).map((text): Fact => ['thousands', text]);
  return [
    ['expected', toShares(kinds)],
    ...warnings,
    ...matchedFacts(samples),
    ...attachmentFacts(samples),
  ];
}

function matchedFacts(samples: readonly Sample[]): readonly Fact[] {
  return noteMatchedByAll(samples, MOST_IDS).map(({ kind, text }): Fact => [kind, text]);
}

/** Names samples that hardly anybody can answer: `299,792,458` is a list of three for GAIA's rule. */
function describeSeparators(samples: readonly Sample[]): readonly string[] {
  const ids = samples
    .filter((sample) => listAccepted(sample).every((target) => THOUSANDS.test(target)))
    .map(({ id }) => id);
  const why = 'The official rule reads 299,792,458 as a list, so 299792458 is wrong';
  return lineIf(
    ids.length > 0,
    `${why}. Write numbers without separators in ${listUp(ids, MOST_IDS)}.`,
  );
}

/**
 * Names up to `most` samples whose expected answer GAIA's rule takes for nothing: punctuation alone,
 * which it deletes, or infinity, which it reads in any text.
 */
export function noteMatchedByAll(samples: readonly Sample[], most: number): readonly Note[] {
  const ids = samples
    .filter(({ target }) => target !== null)
    .filter((sample) => listAccepted(sample).some(isMatchedByAll))
    .map(({ id }) => id);
  const why = "GAIA's official rule deletes punctuation and reads words as infinity";
  const text = `${why}, so wrong answers match the expected ones of ${listUp(ids, most)}. Write them in words, or score them by a rule of your own.`;
  return toNotes('matched by all', lineIf(ids.length > 0, text));
}

/** Whether an answer that says something else matches a target: as many elements of nothing but signs. */
function isMatchedByAll(target: string): boolean {
  const signs = target.replace(/[^,;]+/g, '~^~');
  return target.trim() !== '~^~' && official.judge(signs, target).correct;
}

const THOUSANDS = /(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])/;

const MOST_IDS = 20;

function usualFacts(samples: readonly Sample[]): readonly Fact[] {
  if (samples.every(({ choices }) => choices !== undefined)) return choiceFacts(samples);
  return [...targetFacts(samples), ...matchedFacts(samples), ...attachmentFacts(samples)];
}

function commonFacts(samples: readonly Sample[]): readonly Fact[] {
  const groups = countNames(samples.map(({ group }) => group));
  const repeats = findRepeats(samples);
  return [
    ['questions', String(samples.length)],
    ['groups', listUp(groups.map(([group, count]) => `${group} ${count}`))],
    ['duplicates', repeats.length === 0 ? 'none' : listUp(repeats.map((ids) => ids.join(' = ')))],
  ];
}

/** How many expected answers are equal: an agent with one fixed answer would get these right. */
function targetFacts(samples: readonly Sample[]): readonly Fact[] {
  const targets = samples.flatMap(({ target }) => toTextOrNull(target) || []);
  if (targets.length === 0)
    return [['expected', 'none: the score must judge without expected answers']];
  const [most = 0] = [...Map.groupBy(targets, (target) => target).values()]
    .map(({ length }) => length)
    .sort((a, b) => b - a);
  const share = formatPercent(most / targets.length);
  return [
    [
      'expected',
      `${new Set(targets).size} different in ${targets.length}, the most frequent in ${most} (${share})`,
    ],
  ];
}

function attachmentFacts(samples: readonly Sample[]): readonly Fact[] {
  const files = samples.flatMap(({ attachments }) => attachments);
  const types = files.map(({ name }) => extname(name).toLowerCase() || 'no extension');
  return [['attachments', files.length === 0 ? 'none' : toShares(types)]];
}

/** The options of multiple-choice samples, and which of them are right. */
function choiceFacts(samples: readonly Sample[]): readonly Fact[] {
  const options = samples.map(({ choices = {} }) => Object.values(choices));
  const targets = samples.map(({ target }) => toTextOrNull(target) ?? 'hidden');
  const answers = targets.map((target) => (target.includes(',') ? 'several' : target));
  return [
    ['options', toShares(options.map(({ length }) => plural(length, 'option')))],
    ['answers', toShares(answers)],
  ];
}

/** How often each name occurs and its share: "A 9 (18.8 %), B 7 (14.6 %)". */
function toShares(names: readonly string[]): string {
  return listUp(
    countNames(names).map(
      ([name, count]) => `${name} ${count} (${formatPercent(count / names.length)})`,
    ),
  );
}

/** Answers without a label come after the labels. */
const LAST = ['several', 'NONE', 'hidden'];

function countNames(names: readonly string[]): readonly (readonly [name: string, count: number])[] {
  const counts = [...Map.groupBy(names, (name) => name)].map(
    ([name, { length }]) => [name, length] as const,
  );
  return counts.sort(([a], [b]) => LAST.indexOf(a) - LAST.indexOf(b) || compareNaturally(a, b));
}
