import { createHash } from 'node:crypto';

/** A made-up question with its truth, and what is said of it. */
export type BenchRecord = Readonly<{
  id: string;
  level: 1 | 2 | 3;
  question: string;
  steps: string;
  truth: string;
  /** The answer at the end of `output`: the truth, or something else. */
  answer: string;
  output: string;
}>;

/** How many records there are, and which answers are wrong: none, or every other one. */
export type Case = { readonly count: number; readonly wrong: 'none' | 'half' };

/**
 * Records of about GAIA's sizes: levels 2:3:1, truths of numbers, words and lists, outputs of some
 * hundred characters.
 */
export function makeRecords({ count, wrong }: Case): readonly BenchRecord[] {
  return Array.from({ length: count }, (_, index) =>
    makeRecord(index, wrong === 'half' && index % 2 === 1),
  );
}

const LEVELS = [2, 1, 2, 3, 1, 2] as const;

function makeRecord(index: number, isWrong: boolean): BenchRecord {
  const truth = toTruth(index);
  const answer = isWrong ? `not ${truth}` : truth;
  return {
    id: toId(index),
    level: LEVELS[index % LEVELS.length] ?? 1,
    question: toText(`Shelf ${index} holds boxes, each with a note.`, 2 + (index % 3)),
    steps: toText(`1. Read the note on shelf ${index}.`, 1 + (index % 2)),
    truth,
    answer,
    output: `${toText(`I begin with shelf ${index}.`, 2 + (index % 4))}\n\nFINAL ANSWER: ${answer}`,
  };
}

function toTruth(index: number): string {
  if (index % 8 === 7) return `pear ${index}, plum, ${index % 90}`;
  return index % 2 === 0 ? String(1000 + index) : `copper kettle ${index}`;
}

/** GAIA's ids are UUIDs, so the titles of the tests have their length. */
function toId(index: number): string {
  const hex = createHash('sha256').update(`record ${index}`).digest('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** An opening and so many sentences. */
function toText(opening: string, count: number): string {
  return [opening, ...SENTENCES.slice(0, count)].join(' ');
}

const SENTENCES = [
  'Some notes were written by a child and give the number of objects in words.',
  'Two of the boxes were moved to another shelf, and one of them came back.',
  'In the order of their colours the grey box is the last one.',
  'Its note can be read in full, although a corner is torn off.',
  'I checked the order twice and found no other box that could be the last.',
];
