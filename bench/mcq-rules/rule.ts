/** A public rule, told again in our own words from a description of one line; not a port of anybody's code. */
export type PublicRule = {
  readonly name: string;
  /** The labels that the rule reads from an output; null for none. */
  read(output: string, question: RuleQuestion): readonly string[] | null;
};

export type RuleQuestion = {
  readonly labels: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
};
