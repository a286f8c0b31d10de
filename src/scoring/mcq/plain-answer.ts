import { jsonConfidence } from './claims/json-values.ts';
import type { ChoiceQuestion, Extraction } from './extraction.ts';

const BARE = /^\s{0,3}["'([]?(\p{L}|\d{1,2})[)\]"']?\.?\s{0,3}$/u;
const LINE =
  /^\s{0,3}(?:the )?(?:final |correct )?(?:\*\*answer:\*\* |answer(?:: {0,2}| (is):? ))\(?([a-z]|\d{1,2})\)?\.?\s{0,3}$/iu;
const LABELLED = /(?<![\p{L}\p{N}])(?:[A-Z]|\d{1,2})(?=\)?[.:]? \S)/u;
/** No escapes, so that every quote in it delimits a string; no apostrophe before a colon, which might delimit a key. */
const FLAT_OBJECT = /^\s{0,3}\{(?:[^{}[\]\\']|'(?!\s*:)){1,400}\}\s{0,3}$/u;
const KEY = /(?<=")[^"]{1,40}(?="\s{0,3}:)/gu;
const FIELD = /^(?:final_?)?answer$/iu;
/** Further fields that may hold the answer are weighed against each other elsewhere. */
const RIVAL = /answer|choice|option|correct|select|chosen|letter|label|response|result|output|pick|verdict/iu;
const LABEL_VALUE = /"\s{0,3}:\s{0,3}"([^"]{1,2})"\s{0,3}[,}]/uy;

/**
 * The answer where the output is nothing but a label, "Answer: X" or a flat JSON object with such a field: the forms
 * that most prompts ask for, read without preparing the question. Null for everything else.
 */
export function plainAnswer(output: string, { choices }: ChoiceQuestion): Extraction | null {
  if (choices === undefined) return null;
  const said = withoutOwnText(output, choices);
  const bare = BARE.exec(said)?.[1];
  if (bare !== undefined) return toAnswer(bare, said.indexOf(bare), 'whole text', choices);
  const line = LINE.exec(said);
  if (line !== null) {
    const spelling = said.replace(LINE, '$2');
    return toAnswer(spelling, said.lastIndexOf(spelling), line[1] === undefined ? 'answer line' : 'statement', choices);
  }
  return FLAT_OBJECT.test(output) ? fromJson(output, choices) : null;
}

/** "Answer: C. Elbe" says no more than "Answer: C.", if that is the text of C. */
function withoutOwnText(output: string, choices: Choices): string {
  const label = LABELLED.exec(output);
  if (label === null) return output;
  const [spelling] = label;
  const end = label.index + spelling.length;
  const text = output.slice(end).replace(/^\)?[.:]? |[\s.]{1,4}$/gu, '');
  return Object.hasOwn(choices, spelling) && choices[spelling] === text ? output.slice(0, end) : output;
}

type Choices = Readonly<Record<string, string>>;

function fromJson(output: string, choices: Choices): Extraction | null {
  const keys = [...output.matchAll(KEY)];
  const field = keys.find(([key]) => FIELD.test(key));
  if (field === undefined || keys.some((key) => key !== field && RIVAL.test(key[0]))) return null;
  const start = field.index + field[0].length;
  LABEL_VALUE.lastIndex = start;
  const value = LABEL_VALUE.exec(output)?.[1];
  const answer = value === undefined ? null : toAnswer(value, output.indexOf(value, start), 'JSON answer', choices);
  return answer === null ? null : { ...answer, confidence: jsonConfidence(output) };
}

function toAnswer(spelling: string, start: number, how: string, choices: Choices): Extraction | null {
  const label = findLabel(spelling, choices);
  if (label === null) return null;
  return { choices: [label], how, state: 'answered', span: [start, start + spelling.length], confidence: null };
}

/** The label that is spelt like this, in its own case or else in the other. */
function findLabel(spelling: string, choices: Choices): string | null {
  const spellings = [spelling, spelling.toUpperCase(), spelling.toLowerCase()];
  return spellings.find((label) => Object.hasOwn(choices, label)) ?? null;
}
