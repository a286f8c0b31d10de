/**
 * What one form of answers read at one place of an output.
 *
 * @example
 * const { claims } = extractFinalAnswer('It is 16. No:\nFINAL ANSWER: 17', { explain: true });
 * const show = ({ text, says, won, why }: AnswerClaim) => `${text}: ${says} ${won ? 'won' : 'lost'}, ${why}`;
 * console.log(claims.map(show));
 */
export type AnswerClaim = Readonly<{
  /** The words that say it, as they are in the output. */
  text: string;
  /** Their place in the output, in UTF-16 units; the end is exclusive. */
  start: number;
  end: number;
  /** The form that read them, as in `how`. */
  form: string;
  /** What it says: an answer, or labels such as "A,C"; null if it says that there is no answer. */
  says: string | null;
  won: boolean;
  /** Why it won or lost. */
  why: string;
}>;
