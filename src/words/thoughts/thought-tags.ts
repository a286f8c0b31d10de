import { findAll } from '../find-all.ts';
import type { Range } from '../ranges.ts';
import { isSpokenBlock, isSpokenOf } from './spoken-of.ts';
import { findMarks } from './template-marks.ts';

/** Words for thinking, which may have anything before them: "mm:think", "inner_monologue". */
const THINKING =
  'think(?:ing|er)?|thoughts?|scratch_?pad|monologue|chain_of_thoughts?|cot(?:_budget_reflect)?|inner[_ -](?:voice|dialogue|speech|thoughts?)';
/** These name a thought alone or after words that say so: a "sentiment_analysis" is an answer. */
const WORKING =
  'reasoning|reason|analysis|reflections?|reflect|rationale|deliberation|contemplat(?:ion|or)|ponder(?:ing)?|brainstorm(?:ing)?|planning';
const PRIVATE = 'inner|internal|hidden|private|my|self|step|model|begin|start|end|of';
const NAME = [
  `(?:ant|(?!final)(?:[a-z0-9.]{1,20}[:_▁-]){0,3})(${THINKING})`,
  `(?:(?:${PRIVATE})[_▁-]){0,3}(${WORKING})`,
].join('|');
const AFTER_NAME =
  '(?:[_▁-](?:process|steps?|trace|content|block|section|notes|scratchpad|fast|faster|begin|start|end|\\d{1,3}))?';
const TAG = new RegExp(
  [
    String.raw`(?:\\?(?<!<)<[|｜]?|◁|&lt;)(\s?\\?\/?\s?(?:${NAME})${AFTER_NAME})(\s[^<>\n]{0,200}?)?(\/?)\s{0,4}(?:\\?[|｜]?>|▷|&gt;)`,
    String.raw`\[\/?think(?:ing)?\]|\[unused1[67]\]|<unused9[45]>(?:thought\b)?`,
    String.raw`<\|channel>\s{0,3}(?:thought|thinking|analysis)\b|<channel\|>|<\|inner_(?:prefix|suffix)\|>`,
    String.raw`<\|im_start\|>\s{0,3}(?:think|answer)\b|<\|end\|>\s{0,3}<\|begin\|>assistant<\|content\|>`,
  ].join('|'),
  'giu',
);
const IS_CLOSING =
  /^[<[\s\\]{0,3}\/|(?:^|[_▁-])end(?:[_▁-]|$)|unused(?:17|95)|^<channel|suffix|answer$|content\|>$/iu;

/** Names that fields of an answer have, too. */
const FIELD = /^(?:reason|rationale|analysis|planning|brainstorm(?:ing)?)$/iu;
/** What else follows a name is code: "<thought && y >", "<Thought of={x}>". */
const ATTRIBUTES =
  /^(?:\s{1,9}[\w:.-]{1,40}\s?=\s?(?:\\?"[^"]{0,200}"|'[^']{0,200}'|[\w.%-]{1,40})){0,9}\s{0,9}$/u;

/**
 * The blocks between tags with which a model thinks, and whether the last one is never closed. A
 * closing tag without an opening tag ends a block that the template opened, so all text before it is
 * thinking. A tag closes what it names, and all that was opened in it.
 */
export function findThoughts(
  text: string,
): Readonly<{ thoughts: readonly Range[]; truncated: boolean }> {
  const thoughts: Range[] = [];
  /** The names that are open in the current block, from the outermost on, and where it begins. */
  let names: readonly string[] = [];
  let from = 0;
  for (const { name, kind, start, end } of readTags(text)) {
    const isOutside = names.length === 0;
    if (kind === 'opening') {
      if (isOutside) from = start;
      if (!names.includes(name)) names = [...names, name];
    } else if (kind === 'empty') {
      if (isOutside) thoughts.push([start, end]);
    } else if (isOutside) thoughts.splice(0, thoughts.length, [0, end]);
    else {
      const opened = names.indexOf(name);
      names = names.slice(0, opened < 0 ? -1 : opened);
      if (names.length === 0 && !isSpokenBlock(text, from, end)) thoughts.push([from, end]);
    }
  }
  const truncated = names.length > 0 && !isLastWord(text, from);
  if (truncated) thoughts.push([from, text.length]);
  return { thoughts, truncated };
}

type Tag = Readonly<{
  /** "think" and "thinking" are one name: models mix them. */
  name: string;
  kind: 'opening' | 'closing' | 'empty';
  start: number;
  end: number;
  /** Whether an answer may have a field of this name. */
  isField: boolean;
  /** What code has in its place, if it is not closed; or surely, as its attributes tell. */
  code: 'maybe' | 'surely' | null;
}>;

/** The tags of thoughts. One that opens no thought is left out with the tag that closes it. */
function readTags(text: string): readonly Tag[] {
  const tags = [...listTags(text)];
  const ends = new Map(
    tags.flatMap((tag) => (tag.kind === 'closing' ? [[tag.name, tag.end]] : [])),
  );
  /** How many tags of a name are open that open no thought. */
  const others = new Map<string, number>();
  let lastEnd = 0;
  return tags.filter((tag) => {
    const { name, kind, start } = tag;
    const other = others.get(name) ?? 0;
    const closed = ends.get(name) ?? 0;
    if (kind === 'closing' && other > 0) others.set(name, other - 1);
    const isThought =
      kind === 'closing'
        ? other === 0 && !(tag.isField && isEnd(text, tag.end))
        : tag.code !== 'surely' &&
          (tag.code === null || closed > start) &&
          (!tag.isField || opensThought(text, lastEnd, start, closed));
    if (!isThought && kind === 'opening') others.set(name, other + 1);
    if (isThought && kind !== 'opening') lastEnd = tag.end;
    return isThought;
  });
}

/** Whether what may be a field comes before all else, or before the answer and behind no other field. */
function opensThought(text: string, lastEnd: number, start: number, closed: number): boolean {
  const before = text.slice(Math.max(lastEnd, start - LONGEST_START), start);
  const isFirst = start - lastEnd <= LONGEST_START && isBlank(before.replace('<response>', ''));
  return (
    isFirst || (closed > start && !isEnd(text, closed) && !/<\/?[\w:-]{1,40}>\s{0,9}$/.test(before))
  );
}

/** Marks of a chat template may stand at the start of a message. */
const LONGEST_START = 200;

function isBlank(text: string): boolean {
  const rest = findMarks(text).reduceRight(
    (left, [start, end]) => left.slice(0, start) + left.slice(end),
    text,
  );
  return rest.trim() === '';
}

/** Whether no word follows. */
function isEnd(text: string, at: number): boolean {
  return !/[\p{L}\p{N}]/u.test(text.slice(at));
}

/** The tags with names of thoughts, but for those of which the text only speaks. */
function* listTags(text: string): Generator<Tag> {
  let spokenEnd = -1;
  for (const found of findAll(text, TAG)) {
    const {
      0: tag,
      1: inside = tag,
      2: thinking,
      3: working = '',
      4: attributes = '',
      5: slash,
      index: start,
    } = found;
    const end = start + tag.length;
    const isSpoken = start === spokenEnd || isSpokenOf(text, start, end);
    if (isSpoken) spokenEnd = end;
    const name = (thinking ?? working).slice(0, 5).toLowerCase();
    const kind = slash === '/' ? 'empty' : IS_CLOSING.test(inside) ? 'closing' : 'opening';
    const isField = FIELD.test(inside.replace(/^[\s\\/]{1,4}/, ''));
    const isForeign =
      !ATTRIBUTES.test(attributes) || (kind === 'empty' && !/^[a-z_:]+$/.test(inside));
    const isSurely =
      isForeign || (COMPONENT.test(tag) && VALUE.test(text.slice(Math.max(0, start - 8), start)));
    const code = isSurely ? 'surely' : isLikeCode(text, start, tag) ? 'maybe' : null;
    if (!isSpoken) yield { name, kind, start, end, isField, code };
  }
}

/** "Vec<Reason>", "(<Thought>x)" and "a < thought > b". */
function isLikeCode(text: string, start: number, tag: string): boolean {
  if (!LIKE_TYPE.test(tag)) return false;
  const before = text.slice(Math.max(0, start - 80), start);
  const isInside = before.slice(before.lastIndexOf('\n') + 1).trim() !== '';
  const isBehindWord = /[\p{L}\p{N}_]$/u.test(before) && !VERB.test(tag);
  return isBehindWord || (isInside && /^<(?:\s|\p{Lu}\p{Ll})/u.test(tag));
}

/** "return <Thought>" and "= <Thought>". */
const COMPONENT = /^<\p{Lu}\p{Ll}/u;
const VALUE = /(?:=>?|&&|\|\||\?|\breturn) ?\(?$/;
const LIKE_TYPE = /^<\s?[A-Za-z]\w{0,40}\s?>$/;
/** No type has this name: "7<think>Or" goes on with a thought. */
const VERB = /^<(?:[a-z]\w{0,20}[Tt]|t)hink(?:ing)?>$/;

/** A tag at the end of a line opens no thinking block: an answer may be the name of the tag. */
function isLastWord(text: string, open: number): boolean {
  const lineStart = text.lastIndexOf('\n', open) + 1;
  const rest = text.slice(open).replace(/^.[^>▷\]]*./su, '');
  return text.slice(lineStart, open).trim() !== '' && rest.trim().length <= 3 && !/\w/.test(rest);
}
