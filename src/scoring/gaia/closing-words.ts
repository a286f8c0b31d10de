import type { Submitted } from './calls.ts';

const NUMBER = String.raw`[-+]?[$€£]?\d[\d.,/]{0,30}(?<![.,/])%?`;
/** A last line that is wholly bold, below a blank line or a sentence: "**17**". */
const BOLD_LINE =
  /(?:\n[ \t]{0,9}\n|[.!:?。：]["')*]{0,3}[ \t]{0,9}\n)\s{0,9}\*\*([^*\n]{1,80})\*\*[ \t]{0,3}[.!]?$/u;
/** A last sentence that ends in its only bold words: "The total is **17 albums**." */
const BOLD_END =
  /(?<!\p{L})(?:is|are|was|were|equals|be|=|:)[ \t]{1,3}\*\*([^*\n]{1,80})\*\*[ \t]{0,3}[.!]?$/iu;
/** "Therefore, the number of albums is 3." */
const CONCLUSION = new RegExp(
  [
    String.raw`(?:^|[\n.!?]\s{0,20})(?:therefore|thus|hence|so|in total|in conclusion|consequently|as a result)`,
    String.raw`,? (?:(?!(?:is|are|was|were|equals|who|which|that|than) )[^\s.!?,;:=]{1,40} ){1,20}(?:is|are|was|were|equals) (${NUMBER})[.!]?$`,
  ].join(''),
  'iu',
);
/** What a heading or a remark says, not an answer. */
const NO_ANSWER =
  /[:：]$|^(?:note|notes|sources?|references?|conclusion|summary|explanation|reasoning|steps?|answer|final answer|disclaimer|caveats?|next steps?|not|no longer)(?!\p{L})/iu;
const SUPPOSED =
  /(?<!\p{L})(?:if|unless|suppose|assuming|whether|would be|could be|not)(?!\p{L})/iu;
/** What is said before or in a step that is still to come. */
const PLAN =
  /(?<!\p{L})(?:let me|let['’]s|i(?:['’]ll| will| need| still| must|['’]m going)|next step|first step|still)(?!\p{L})[^\n]{0,120}\s{0,9}[^\n]{0,90}$/iu;
const LOOK_BEHIND = 400;

/**
 * What a text without any form of an answer ends in: a bold line, bold words, or a conclusion with a
 * number.
 */
export function closingWords(text: string): Submitted | null {
  const trimmed = text.trimEnd();
  // A thought before the only line is blank here.
  const tail = trimmed.slice(-LOOK_BEHIND).trimStart();
  const base = trimmed.length - tail.length;
  const line = tail.slice(tail.lastIndexOf('\n') + 1);
  const isOnlyBold = line.split('**').length === 3 && !SUPPOSED.test(line);
  const found =
    BOLD_LINE.exec(tail) ??
    (isOnlyBold ? BOLD_END.exec(line) : null) ??
    (SUPPOSED.test(line) ? null : CONCLUSION.exec(line));
  const [, content = ''] = found ?? [];
  if (content === '' || PLAN.test(tail.slice(-240)) || NO_ANSWER.test(content.trim())) return null;
  const start = base + tail.lastIndexOf(content);
  return { start, end: start + content.length, content };
}
