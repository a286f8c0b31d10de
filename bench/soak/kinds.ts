/** What an agent does with a question, how often in a thousand, and what its row must then say. */
export type Kind = {
  readonly name: string;
  readonly share: number;
  readonly state: 'correct' | 'incorrect' | 'no_answer' | 'errored' | 'timed_out';
};

export const MODULE_KINDS: readonly Kind[] = [
  { name: 'right', share: 620, state: 'correct' },
  { name: 'wrong', share: 220, state: 'incorrect' },
  { name: 'large', share: 10, state: 'correct' },
  { name: 'traced', share: 20, state: 'correct' },
  { name: 'silent', share: 50, state: 'no_answer' },
  { name: 'throws', share: 40, state: 'errored' },
  { name: 'busy server', share: 30, state: 'errored' },
  { name: 'ends at the signal', share: 4, state: 'timed_out' },
  { name: 'never ends', share: 3, state: 'timed_out' },
  { name: 'ends too late', share: 3, state: 'timed_out' },
];

/** As command-agent.sh plays them. */
export const COMMAND_KINDS: readonly Kind[] = [
  { name: 'right', share: 560, state: 'correct' },
  { name: 'wrong', share: 180, state: 'incorrect' },
  { name: 'slow', share: 50, state: 'correct' },
  { name: 'large', share: 20, state: 'correct' },
  { name: 'writes files', share: 40, state: 'correct' },
  { name: 'silent', share: 30, state: 'no_answer' },
  { name: 'exits with 1', share: 30, state: 'errored' },
  { name: 'is killed', share: 10, state: 'errored' },
  { name: 'says server', share: 15, state: 'errored' },
  { name: 'much stderr', share: 10, state: 'correct' },
  { name: 'prints for ever', share: 10, state: 'errored' },
  { name: 'forks', share: 25, state: 'correct' },
  { name: 'leaves a deaf child', share: 10, state: 'correct' },
  { name: 'hangs', share: 5, state: 'timed_out' },
  { name: 'ignores SIGTERM', share: 5, state: 'timed_out' },
];

/** The kind of the question in this place of the dataset: every thousand questions hold each share, mixed. */
export function kindOf<T extends Pick<Kind, 'share'>>(kinds: readonly T[], index: number): T {
  // 389 and 1000 have no common divisor: each of a thousand places is met once.
  let place = (index * 389) % 1000;
  for (const kind of kinds) {
    if (place < kind.share) return kind;
    place -= kind.share;
  }
  throw new Error('The shares of these kinds add up to less than 1000. Change them until they do.');
}
