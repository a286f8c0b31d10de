import { applyEdits, type TrackedText } from './tracked-text.ts';

const HEAD = 8_000;
const TAIL = 32_000;

/**
 * Keeps the first 8,000 and the last 32,000 characters of a longer output. An answer stands at either end; this bounds
 * the work on a runaway output.
 */
export function keepBothEnds(source: TrackedText): TrackedText {
  const { length } = source.text;
  return length <= HEAD + TAIL
    ? source
    : applyEdits(source, [{ start: HEAD, end: length - TAIL, text: '\n\n...\n\n' }]);
}
