import { finalChannelStart } from './final-channel.ts';
import { findOwnTurn } from './own-turn.ts';

/** What an output says in its own turn and its final channel: the text itself where it shows no marks of a template. */
export function ownWords(output: string): string {
  const { start, end } = findOwnTurn(output);
  const turn = output.slice(start, end);
  return turn.slice(finalChannelStart(turn));
}
