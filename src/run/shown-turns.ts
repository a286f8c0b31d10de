import type { Message } from '../words/sample.ts';
import { cutMiddle, escapeLine, escapeLines } from '../words/show.ts';

/** What the user says, and what the agent replies to it, if it does. */
type Turn = readonly Message[];

/**
 * The turns of a conversation that a failure is about: the one whose reply was asserted on, and the
 * last two. `isWhole`: whether texts may take several lines.
 */
export function showTurns(
  messages: readonly Message[],
  errors: readonly Error[],
  isWhole: boolean,
): string {
  const turns = toTurns(messages);
  const asserted = new Set(errors.map((error): unknown => Reflect.get(error, 'actual')));
  const last = turns.length - 2;
  const shown = turns.flatMap((turn, index) => {
    const isInQuestion = turn.some(({ content }) => content !== '' && asserted.has(content));
    return index >= last || isInQuestion ? [showTurn(turn, index, turns.length, isWhole)] : [];
  });
  return shown.join('\n');
}

function toTurns(messages: readonly Message[]): readonly Turn[] {
  const turns: Message[][] = [];
  for (const message of messages) {
    if (message.role === 'user' || turns.length === 0) turns.push([]);
    turns.at(-1)?.push(message);
  }
  return turns;
}

function showTurn(turn: Turn, index: number, count: number, isWhole: boolean): string {
  const lines = turn.map(({ role, content }) => {
    const who = role === 'user' ? 'user: ' : 'agent:';
    return `  ${who} ${showContent(content, isWhole)}`;
  });
  const isUnanswered = turn.every(({ role }) => role === 'user');
  return [
    `Turn ${index + 1} of ${count}:`,
    ...lines,
    ...(isUnanswered ? ['  agent: no reply'] : []),
  ].join('\n');
}

function showContent(content: string, isWhole: boolean): string {
  if (isWhole) return escapeLines(content);
  return `"${escapeLine(cutMiddle(content.replaceAll(/\s+/g, ' ').trim(), 200))}"`;
}
