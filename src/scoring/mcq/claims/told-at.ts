import type { TextMatch } from '../option-texts.ts';
import type { Reading } from '../reading.ts';

/** The text of an option that stands here; none where two options share it, since it does not tell them apart. */
export function toldAt(reading: Reading, at: number): TextMatch | null {
  const told = reading.question.texts.at(reading.lower, at);
  return told?.labels.length === 1 ? told : null;
}
