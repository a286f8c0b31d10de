import { findOwnTurn } from '../../outputs/own-turn.ts';
import { applyEdits, type TrackedText } from './tracked-text.ts';

/** The model's own first turn: not the prompt before it, nor what it made up for the user after its end. */
export function firstTurn(source: TrackedText): TrackedText {
  const { text } = source;
  const { start, end } = findOwnTurn(text);
  return start === 0 && end === text.length
    ? source
    : applyEdits(source, [
        { start: 0, end: start, text: '' },
        { start: end, end: text.length, text: '' },
      ]);
}
