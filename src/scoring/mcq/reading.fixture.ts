import { clean } from './clean/clean.ts';
import { track } from './clean/tracked-text.ts';
import type { ChoiceQuestion } from './extraction.ts';
import { type Reading, toKnownQuestion, toReading } from './reading.ts';

const RIVERS = { A: 'Danube', B: 'Rhine', C: 'Elbe', D: 'Loire' };

/** An output to a question about rivers as the steps read it, the echo of the options and courtesy included. */
export function readingOf(output: string, question: ChoiceQuestion = {}): Reading {
  const said = track(output);
  return toReading(toKnownQuestion({ choices: RIVERS, ...question }), said, clean(said));
}
