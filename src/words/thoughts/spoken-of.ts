/** As far as it is looked for signs that a text speaks about a tag. */
const NEAR = 40;

/** An opening quote: not the end of a quote before the tag, and not the fence of a block. */
const QUOTED = /(?:^|[\s()[\]{}=:,;*_~>|!+/-])[bfru]?(?:` ?|["'“‘«])$/iu;
const QUOTED_AFTER = /^(?: ?`(?!``)|["'”’»])/u;
const IN_CODE = /<code>$/iu;

const NOUN =
  /^ (?:(?:start|end|opening|closing|special|html|xml)[ -])?(?:tags?|tokens?|elements?|blocks?|mark(?:er)?s?|sections?|delimiters?|symbols?)\b/u;
const IN_SENTENCE = /[\p{L}\p{N},:;(] $/u;

/** "<think>...</think>" and "<think>.*?</think>". */
const PLACEHOLDER = /^<[^<>]{1,40}>[\s.…*?+\\sS[\]()]{1,12}<[^<>]{1,40}>$/u;
const LONGEST_NAMED = 80;

/** "The tag is ", "write ", "between ": what follows is named. */
const NAMING =
  /(?:^|[\s(])(?:is|are|was|the|an?|its?|this|that|your|my|use[ds]?|using|write|add|put|insert|type|emit|print|with|in|by|called|named|tags?|tokens?|and|or|of|between|inside|after|before|opening|closing|like|than|not):? $/iu;
const AFTER_NAME =
  /^(?:[.,;:!?)](?:\s|$)|\s{0,3}$| (?:and|or|to|before|after|at|for|in|is|are|was|means?|opens?|marks?|starts?|begins?|ends?|closes?|should|must|can|as|not)\b)/u;
/** The closing tag directly after an opening one: "in <think></think> tags". */
const CLOSING = /^<\/[\w:]{1,20}>/u;

/**
 * Whether a text speaks about the tag or mark at this place: it is quoted, or part of a sentence
 * such as "use the <think> tag" and "it ends with </s>." Where a model thinks or ends, tags stand at
 * the start of a line, after the end of a sentence, or before other words.
 */
export function isSpokenOf(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - NEAR), start);
  const after = text.slice(end, end + NEAR).replace(CLOSING, '');
  if (QUOTED.test(before) && QUOTED_AFTER.test(text.slice(end, end + 4))) return true;
  if (IN_CODE.test(before)) return true;
  const isNamed = NAMING.test(before);
  return (IN_SENTENCE.test(before) && NOUN.test(after)) || (isNamed && AFTER_NAME.test(after));
}

/**
 * Whether a text speaks about the whole block at this place: it is short and quoted, also in a
 * regular expression, or a form such as "<think>...</think>" in a sentence.
 */
export function isSpokenBlock(text: string, start: number, end: number): boolean {
  if (end - start > LONGEST_NAMED) return false;
  const [before, after] = [text.slice(Math.max(0, start - 4), start), text.slice(end, end + 4)];
  const isInCode = before.endsWith('/') && after.startsWith('/');
  if (isInCode || (QUOTED.test(before) && QUOTED_AFTER.test(after))) return true;
  return PLACEHOLDER.test(text.slice(start, end)) && isSpokenOf(text, start, end);
}
