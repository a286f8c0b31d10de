import { type Claim, labelsClaim, type Reading } from './tokens.ts';

const LONGEST = 2000;
const OBJECT = /^\s{0,99}\{[^{}]{1,1900}\}\s{0,99}$/u;
const ENTRY =
  /^\s{0,9}["']([^"'\n]{1,9})["']\s{0,9}:\s{0,9}"?(\d{1,3}(?:\.\d{1,20})?)(?: ?%)?"?\s{0,9}$/u;

/** `{"A": 0.1, "B": 0.7, "C": 0.2}`: the output is a number for each option, and one is the largest. */
export function probabilities({ text, question }: Reading): readonly Claim[] {
  if (text.length > LONGEST || !OBJECT.test(text)) return [];
  const { ordered } = question.labels;
  const start = text.indexOf('{') + 1;
  const entries = text.slice(start, text.lastIndexOf('}')).split(',').map(toEntry);
  const numbers = new Map(entries.flatMap((entry) => (entry === null ? [] : [entry])));
  const isWhole = numbers.size === entries.length && entries.length === ordered.length;
  if (!isWhole || !ordered.every((label) => numbers.has(label))) return [];
  const most = Math.max(...numbers.values());
  // The numbers from 1 on are a ranking.
  if (ordered.every((_, i) => [...numbers.values()].includes(i + 1))) return [];
  const best = ordered.filter((label) => numbers.get(label) === most);
  return best.length === 1 ? [labelsClaim(best, start, text.length)] : [];
}

function toEntry(written: string): readonly [label: string, number: number] | null {
  const [, label = '', number] = ENTRY.exec(written) ?? [];
  return number === undefined ? null : [label, Number(number)];
}
