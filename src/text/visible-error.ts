import { mapError } from './map-error.ts';
import { toPlainError } from './plain-error.ts';
import { toVisible } from './visible-text.ts';

const MAX_LINE = 2000;

/** A copy of whatever was thrown, with its causes, that may be printed: its texts keep their lines and act on nothing. */
export function toVisibleError(thrown: unknown): Error {
  return mapError(toPlainError(thrown), showLines);
}

function showLines(text: string): string {
  return text
    .split('\n')
    .map((line) => toVisible(line, MAX_LINE))
    .join('\n');
}
