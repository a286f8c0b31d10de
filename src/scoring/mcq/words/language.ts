/**
 * What one language contributes to the reading of answers. Every entry is the source of a regular expression, written
 * in lower case and matched against lower-cased text; a plain space stands for any white space.
 */
export type Language = {
  /** Whether words are set apart by spaces; Chinese and Japanese words are not. */
  readonly spaced: boolean;
  /** Nouns that announce the answer by themselves. */
  readonly answer: readonly string[];
  /** Nouns for one of the options. */
  readonly option: readonly string[];
  /** Those of them that can be false without being a wrong answer. */
  readonly statement: readonly string[];
  /** Adjectives of the right option. */
  readonly right: readonly string[];
  /** What says that an option is wrong. */
  readonly wrong: readonly string[];
  /** Verbs that say of an option that it is right. */
  readonly applies: readonly string[];
  readonly not: readonly string[];
  /** One-word verdicts on an option. */
  readonly yes: readonly string[];
  readonly no: readonly string[];
  /** What stands for the option just named: "this (is correct)". */
  readonly this: readonly string[];
  /** Verbs whose object is an option that is ruled out. */
  readonly reject: readonly string[];
  /** Words before the options that a statement leaves out: "all except". */
  readonly except: readonly string[];
  /** Words for a belief that no longer holds: "at first". */
  readonly earlier: readonly string[];
  readonly last: readonly string[];
  /** Between the two ends of a range of labels. */
  readonly through: readonly string[];
  /** Words at which a sentence cannot end. */
  readonly dangling: readonly string[];
  /** "First" to "tenth", as they stand before "option". */
  readonly ordinals: readonly string[];
  /** How an output ends when its answer is given: "let me know". */
  readonly courtesy: readonly string[];
  /** One word for every option, and for no option, where it is all that is answered. */
  readonly allAlone: readonly string[];
  readonly noneAlone: readonly string[];
  /** Verbs between "the answer" and the option. */
  readonly is: readonly string[];
  /** Verbs whose object is the option chosen. */
  readonly choose: readonly string[];
  readonly and: readonly string[];
  readonly or: readonly string[];
  /** Words that may stand between the verb and the option; none of one letter, which may be a label. */
  readonly between: readonly string[];
  /** Words that may follow an option named by "A" or "I", but neither an article nor a pronoun. */
  readonly after: readonly string[];
  /** Words that announce the change of an answer. */
  readonly correction: readonly string[];
  /** Words of a conclusion, weaker than "the answer is". */
  readonly therefore: readonly string[];
  /** "None of the above" and its like. */
  readonly none: readonly string[];
  /** "All of the above" and its like. */
  readonly all: readonly string[];
  /** The answer cannot be known. */
  readonly unsure: readonly string[];
  /** The agent does not want to answer. */
  readonly declined: readonly string[];
  /** The agent will not answer, whatever it adds. */
  readonly refused: readonly string[];
  /** Words before an option that is only guessed: "maybe". */
  readonly guess: readonly string[];
  /** Verbs between options and a word for how likely they are. */
  readonly seem: readonly string[];
  /** What is said of options that are only weighed. */
  readonly plausible: readonly string[];
  /** Words before two options that the agent cannot choose between. */
  readonly torn: readonly string[];
};
