/**
 * How a line is meant: a warning says that the figures are less than they seem, or that something is
 * missing; "good" and "bad" are verdicts.
 */
export type Level = 'note' | 'good' | 'warning' | 'bad';

/** A line that a run or a comparison prints. */
export type Line = Readonly<{ text: string; level: Level }>;

export function toLines(level: Level, texts: readonly string[]): readonly Line[] {
  return texts.map((text) => ({ text, level }));
}
