/** What a rule says about one answer. */
export type Judgement = {
  readonly correct: boolean;
  /** One sentence: compared as what, and why it does or does not match. Worded when it is read: mostly it is not. */
  readonly explanation: string;
  /** The truth and the answer in the form that was compared, uncut. */
  readonly expected: string;
  readonly received: string;
  /** True when the answer matched only because the rule reads any unreadable number as infinity. */
  readonly vacuous?: true;
  /** Partial credit, 0 to 1: shown under the rule's name, and part of no accuracy. */
  readonly partial?: number;
};

/** A way of comparing an answer with a truth. A missing answer is null. */
export type GaiaRule = {
  readonly name: string;
  judge(answer: string | null, truth: string): Judgement;
};
