type Scope = Readonly<{
  /** Whether the next answers would end so too: asking further questions would be in vain. */
  endsSuite?: boolean;
  /** Whether the message has what a score returned, which may be of a record. */
  quotes?: boolean;
  cause?: unknown;
}>;

/** How the scores of a suite are wrong, in the words of viva: it says nothing of the answer. */
export class ScoreFault extends Error {
  readonly endsSuite: boolean;
  readonly quotes: boolean;

  constructor(message: string, { endsSuite = true, quotes = false, cause }: Scope = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.endsSuite = endsSuite;
    this.quotes = quotes;
  }
}
