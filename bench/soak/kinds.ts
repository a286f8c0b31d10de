/** What an agent does with a question, how often in a thousand, and what its row must then say. */
export type Kind = {
  readonly name: string;
  readonly share: number;
  readonly state: 'correct' | 'incorrect' | 'no_answer' | 'errored' | 'timed_out';
};

export const KINDS: readonly Kind[] = [
  { name: 'right', share: 600, state: 'correct' },
  { name: 'wrong', share: 220, state: 'incorrect' },
  { name: 'large', share: 10, state: 'correct' },
  { name: 'traced', share: 20, state: 'correct' },
  { name: 'silent', share: 50, state: 'no_answer' },
  { name: 'throws', share: 40, state: 'errored' },
  { name: 'busy server', share: 30, state: 'errored' },
  { name: 'ends at the signal', share: 10, state: 'timed_out' },
  { name: 'never ends', share: 10, state: 'timed_out' },
  { name: 'ends too late', share: 10, state: 'timed_out' },
];

/** The kind of the question in this place of the dataset: every thousand questions hold each share, mixed. */
export function kindOf(index: number): Kind {
  // 389 and 1000 have no common divisor: each of a thousand places is met once.
  let place = (index * 389) % 1000;
  for (const kind of KINDS) {
    if (place < kind.share) return kind;
    place -= kind.share;
  }
  throw new Error(`The shares are ${place} of a thousand short. Let them add up to 1000.`);
}
