import { allBut, noneStated } from './all-or-none.ts';
import { inLastSentence, pointed } from './closing.ts';
import { confirmed } from './confirmed.ts';
import { contrasts } from './contrast.ts';
import { leadingLabel, ownLine, verdicts } from './lines.ts';
import { nearWords } from './near-words.ts';
import { concluded, onlyText } from './option-text.ts';
import { labelsAfter, lowerCaseLabels } from './phrases.ts';
import { refusal } from './refusal.ts';
import { statement } from './statement.ts';
import { answerTag, calls, jsonAnswer, probabilities, wholeText } from './structured.ts';
import type { Claim, Reading } from './tokens.ts';

/** One form in which outputs state an answer. */
export type Form = Readonly<{
  /** The value of `how`. */
  name: string;
  /** What it reads, as docs/scoring.md says it. */
  reads: string;
  /**
   * Outputs on the rivers A Danube, B Rhine, C Elbe and D Loire, each with the labels that it
   * chooses; `several` where several rivers may be right. The first is the example of
   * docs/scoring.md. The tests are made from them.
   */
  examples: readonly (readonly [output: string, chosen: string | null, asked?: 'several'])[];
  /** Its claims, in the order of the text. The last one without a doubt decides. */
  claims: (reading: Reading) => readonly Claim[];
  /** It counts wherever it is, also in an analysis of the options. */
  isStated?: true;
  /** It would read the last words of an output that was cut off as its answer. */
  needsEnd?: true;
  /** What it reads is often the answer, but not surely. */
  isLoose?: true;
  /** It is not sure of an output that names an option's text. */
  isUnsureBesideTexts?: true;
  /** It would take one of the options that an analysis goes through for the answer. */
  isBlindToLists?: true;
  /** After it, "wait" or "A or B" may bring another answer. */
  mayBeCorrected?: true;
  /** It may bring that other answer. */
  isCorrection?: true;
}>;

/** Every form, the strongest first. The first one that finds anything decides. */
export const FORMS: readonly Form[] = [
  {
    name: 'JSON answer',
    reads: 'a field such as `answer`',
    examples: [
      ['I looked it up. {"answer": "B"}', 'B'],
      ['```json\n{"choice": "C", "why": "It passes Hamburg."}\n```', 'C'],
      ['{"name": "final_answer", "arguments": "{\\"answer\\": \\"B\\"}"}', 'B'],
      ['{"step_1": "Eliminate A", "step_2": "Eliminate C and D", "final": "B"}', 'B'],
    ],
    claims: jsonAnswer,
    isStated: true,
  },
  {
    name: 'answer tag',
    reads: 'a tag such as `<answer>`',
    examples: [
      ['So <answer>B</answer> it is.', 'B'],
      ['[ANSWER] C [/ANSWER]', 'C'],
      ['<function=submit><parameter=answer>B</parameter></function>', 'B'],
      ['<invoke name="submit"><parameter name="answer">B</parameter></invoke>', 'B'],
    ],
    claims: answerTag,
    isStated: true,
  },
  {
    name: 'call',
    reads: '`Finish[B]`, `submit("B")`, and `print("B")` as the last line of code',
    examples: [
      ['Thought: It passes Cologne.\nAction: Finish[B]', 'B'],
      ['Answer[B]', 'B'],
      ['```python\nif castles > vineyards:\n    print("B")\n```', 'B'],
      ['return "B"', 'B'],
    ],
    claims: calls,
    isStated: true,
  },
  {
    name: 'whole text',
    reads: 'nothing but labels, or the text of an option',
    examples: [
      ['B. Rhine', 'B'],
      ['Elbe', 'C'],
    ],
    claims: wholeText,
    isStated: true,
  },
  {
    name: 'statement',
    reads: '"the answer is", "Answer:", a box, in many languages',
    examples: [
      ['A is long. The answer is B.', 'B'],
      ['It passes Hamburg: \\boxed{C}', 'C'],
      ['正确答案是D。', 'D'],
    ],
    claims: statement,
    isStated: true,
    mayBeCorrected: true,
  },
  {
    name: 'all but some options',
    reads: '"every statement except C is true", where several may be right',
    examples: [
      ['Every statement except C is true.', 'A,B,D', 'several'],
      ['Only B and D are wrong.', 'A,C', 'several'],
    ],
    claims: allBut,
    isBlindToLists: true,
  },
  {
    name: 'probabilities',
    reads: 'an object of a number for each option, of which one is the largest',
    examples: [
      ['{"A": 0.1, "B": 0.7, "C": 0.1, "D": 0.1}', 'B'],
      ['{"A": 0, "B": 0, "C": 1, "D": 0}', 'C'],
    ],
    claims: probabilities,
    isLoose: true,
  },
  {
    name: 'verdict on each option',
    reads: 'a line or clause for each option that says right or wrong, or a ticked box',
    examples: [['A ✗\nB ✓\nC ✗\nD ✗', 'B']],
    claims: verdicts,
  },
  {
    name: 'label on a line of its own',
    reads: 'a line with a label, alone or with its own text',
    examples: [['It passes Cologne.\n\nB. Rhine', 'B']],
    claims: ownLine,
    isBlindToLists: true,
    mayBeCorrected: true,
  },
  {
    name: 'leading label',
    reads: 'an answer before its reasons',
    examples: [
      ['B because it passes Cologne.', 'B'],
      ['Rhine. It passes Cologne.', 'B'],
    ],
    claims: leadingLabel,
    isBlindToLists: true,
    mayBeCorrected: true,
  },
  {
    name: 'confirmed option',
    reads: '"B is correct", "I choose B", "that leaves B"',
    examples: [
      ['A is too long, so I would choose B.', 'B'],
      ['Cologne and Hamburg are far apart. Option (C) fits best here.', 'C'],
    ],
    claims: confirmed,
    needsEnd: true,
    isCorrection: true,
  },
  {
    name: 'vote',
    reads: '"I vote B", "my money is on B"',
    examples: [
      ["Both pass a cathedral, and I'd put my money on B.", 'B'],
      ['The vineyards decide. I vote for B.', 'B'],
    ],
    claims: labelsAfter('vote(?: for)?', 'money (?:is |would be |goes )?on'),
    needsEnd: true,
    isCorrection: true,
  },
  {
    name: 'contrast',
    reads: '"not A but B", also in other languages',
    examples: [
      ['Not A; B.', 'B'],
      ['Not the Danube; the Rhine.', 'B'],
      ['Nicht A, sondern B ist richtig.', 'B'],
      ["Ce n'est pas A mais B.", 'B'],
      ['Não é a A, mas sim a B.', 'B'],
    ],
    claims: contrasts,
    needsEnd: true,
    isCorrection: true,
  },
  {
    name: 'lower-case label',
    reads: '"i think it\'s c" at the end, "b, because" at the start',
    examples: [
      ["i think it's c", 'C'],
      ['b, because it passes Cologne', 'B'],
    ],
    claims: lowerCaseLabels,
    needsEnd: true,
  },
  {
    name: 'closing mention',
    reads: '"..., so B.", "The best step is B, as ..."',
    examples: [['It must be the one with castles, so B.', 'B']],
    claims: pointed,
    needsEnd: true,
    isCorrection: true,
  },
  {
    name: 'closing option text',
    reads: 'the text of an option at the end, after "so it is", "=" or "gives"',
    examples: [
      ['The Danube is too long, so it is the Rhine.', 'B'],
      ['It is not the Danube. Therefore, the river must be the Elbe.', 'C'],
    ],
    claims: concluded,
    needsEnd: true,
    isLoose: true,
    isCorrection: true,
  },
  {
    name: 'only mention',
    reads: 'the only label of the last sentence',
    examples: [['I think of castles (B) here, and of wine.', 'B']],
    claims: inLastSentence,
    needsEnd: true,
    isLoose: true,
    isBlindToLists: true,
  },
  {
    name: 'none or all stated',
    reads: '"none of the options", "all of the above"',
    examples: [['They dried up: none of the options is right.', null]],
    claims: noneStated,
  },
  {
    name: 'refusal',
    reads: '"I cannot answer that", "as an AI", "cannot be determined"',
    examples: [
      ['I am sorry, but I cannot help with that.', null],
      ['It cannot be determined.', null],
    ],
    claims: refusal,
    isUnsureBesideTexts: true,
  },
  {
    name: 'only option text',
    reads: 'the only option whose text is in the output',
    examples: [['It flows through Cologne, as the Rhine does.', 'B']],
    claims: onlyText,
    needsEnd: true,
    isLoose: true,
    isBlindToLists: true,
  },
  {
    name: 'words of an option',
    reads:
      'all words, in any order, that tell one option from the others, in a concluding sentence',
    examples: [['Many have castles. So Rhines are what the text means.', 'B']],
    claims: nearWords,
    needsEnd: true,
    isLoose: true,
    isBlindToLists: true,
  },
];
