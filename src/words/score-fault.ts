type Facts = Readonly<{
  /** Whether the message has what a score returned, which may be of a record. */
  quotes?: boolean;
  cause?: unknown;
}>;

/** How the scores of a suite are wrong, in the words of viva: it says nothing of the answer. */
export class ScoreFault extends Error {
  readonly quotes: boolean;

  constructor(message: string, { quotes = false, cause }: Facts = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.quotes = quotes;
  }
}
