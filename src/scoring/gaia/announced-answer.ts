import { isDenied, lastBox } from './tidy-answer.ts';

/** What other languages write for "Final answer" and "Answer" at the start of a line. */
const FINAL_LABELS = [
  '最终答案|最終答案|最终回答|最終回答|最終的な答え|최종 답변|최종 답|최종 정답',
  'réponse finale|respuesta final|resposta final|risposta finale|endgültige antwort',
  'окончательный ответ|итоговый ответ|الإجابة النهائية|अंतिम उत्तर|চূড়ান্ত উত্তর|jawaban akhir',
].join('|');
const LABELS = [
  '答案|答え|回答|正解|정답|답|réponse|respuesta|resposta|risposta|antwort',
  'ответ|الإجابة|उत्तर|উত্তর|jawaban',
].join('|');
const LABEL = new RegExp(
  String.raw`(?<=(?:^|[\n\r])[ \t>#*_\x60-]{0,20})(?:(${FINAL_LABELS})|(?:${LABELS}))(?=[*_\x60]{0,3}\s?[:：])`,
  'giu',
);
/** "La réponse est", "Die endgültige Antwort lautet:", "所以最终答案是": a sentence that says the answer. */
const SPOKEN_LABEL = new RegExp(
  [
    String.raw`(?<!\p{L})(?:la|die|a|le) (?:${FINAL_LABELS}|${LABELS})(?: finale?)?`,
    String.raw` (?:est|es|é|è|ist|lautet)(?: ?[:：]|(?=\s))`,
  ].join(''),
  'giu',
);
const SPOKEN_IN_ASIA =
  /(?:(?:最终|最終)?(?:答案|答え|正解)(?:是|为|為|は)|정답은(?=\s)) ?[:：]?\s{0,2}([^。\n]{1,80}?)(?:です|입니다)?(?:[。.](?!\d)|(?=\n|$))/gu;
/** The text with English labels in place of those of other languages. */
export function withEnglishLabels(text: string): string {
  return text
    .replace(LABEL, (_, final) => (final === undefined ? 'Answer' : 'FINAL ANSWER'))
    .replace(SPOKEN_LABEL, 'The answer is ')
    .replace(SPOKEN_IN_ASIA, '\nThe answer is $1.\n');
}

/** Thousands of empty markers would cost time. */
const MOST_MARKERS = 200;

/** A bare "Answer:" may open a whole essay; a longer text is not taken for the answer. */
const MAX_BARE_LENGTH = 200;

/**
 * What follows `FINAL ANSWER:`, `Answer:` at the start of a line and similar headings. The last one
 * comes first.
 */
export function* markedAnswers(
  text: string,
): Generator<Readonly<{ start: number; content: string }>> {
  const markers = mentionsFromEnd(text).filter(({ kind }) => kind === 'marker');
  const found = [...markers.take(MOST_MARKERS)];
  let regionEnd = text.length;
  let isNoteBehind = false;
  for (const mention of found) {
    const region = text.slice(mention.end, regionEnd);
    // `17. Note: "FINAL ANSWER: 12" would be wrong` says 17.
    const spoken = mention.spoken || (isNoteBehind && !/[\n\r]/.test(region));
    const content = readAnswer(region, { ...mention, spoken });
    // What is denied is so beside another answer.
    isNoteBehind = found.length > 1 && isDenied(text, mention.end, regionEnd);
    regionEnd = mention.start;
    if (isNoteBehind) continue;
    if (mention.final || content.length <= MAX_BARE_LENGTH) yield { start: mention.start, content };
  }
}

/**
 * What follows "the (final) answer is" in prose, up to the end of the sentence. The last one comes
 * first.
 */
export function* statedAnswers(text: string): Generator<string> {
  let regionEnd = text.length;
  for (const mention of mentionsFromEnd(text)) {
    const content = readAnswer(text.slice(mention.end, regionEnd), mention);
    // "The final answer is not 12. It is 17."
    if (mention.kind === 'statement' && !/^not /.test(content)) yield content;
    regionEnd = mention.start;
  }
}

/** The text without a leading "The answer is". */
export function dropLeadIn(content: string): string {
  const at = content.slice(0, 60).search(/answer/i);
  const mention = at === -1 ? null : readMention(content, at);
  const isLead = mention?.kind === 'statement' && LEAD.test(content.slice(0, mention.start));
  return isLead ? readAnswer(content.slice(mention.end), mention) : content;
}

const LEAD = /^(?:(?:so|thus|therefore|hence),? )?$/i;

function* mentionsFromEnd(text: string): Generator<Mention> {
  const places = Array.from(text.matchAll(/answer(?=[s*_`\s:：]|$)/gi), (found) => found.index);
  for (const at of places.reverse()) {
    const mention = readMention(text, at);
    if (mention !== null) yield mention;
  }
}

/**
 * A place where a text announces an answer. "marker": `FINAL ANSWER:`, `**Answer:**`, a heading
 * `### Final Answer`; "statement": `the answer is`, which prose says too.
 */
type Mention = Readonly<{
  kind: 'marker' | 'statement';
  start: number;
  end: number;
  /** True when the text calls it the final answer. */
  final: boolean;
  /** True when a sentence leads to the answer ("is"); the answer then ends with the sentence. */
  spoken: boolean;
  /** The emphasis or quote that opens right before the label and is still open after it. */
  open: string;
}>;

const LOOK_BEHIND = 40;
const FINAL = /(?<!\p{L})final[ _-]{0,3}$/iu;
const SPEAKER = /(?<![\p{L}\p{N}])(?:(?:the|my|our) (?:final |correct )?|final )$/iu;
const OPEN = /(?<![*_`"'“])[*_`"'“]{1,3}$/;
const LINE_HEAD = /[\n\r](?:[ \t>#*_`"'“•-]|\p{Extended_Pictographic}\uFE0F?){0,40}$/u;
const HEADING = /[#*_](?:[ \t>#*_-]|\p{Extended_Pictographic}\uFE0F?){0,40}$/u;
/** Words that may lead up to a bare "answer:", such as "Here is my correct". */
const OWNER = /(?<!\p{L})(?:(?:here is |here's )?(?:my|the) (?:correct )?|correct )[*_]{0,3}$/iu;

const REMARK = String.raw`[*_\x60]{0,3}(?:[ \t]{1,3}\([^()\n]{0,80}\)[*_\x60]{0,3})?`;
const COLON = new RegExp(String.raw`s?${REMARK}[ \t]{0,3}(?:is[ \t]{0,3})?[:：]`, 'y');
const DASH = new RegExp(`${REMARK} (?:->|[-–—→])(?= )`, 'y');
const BARE_COLON = new RegExp(String.raw`${REMARK}[ \t]{0,3}[:：]`, 'y');
const ALONE = new RegExp(String.raw`${REMARK}[ \t]{0,3}(?=[\n\r]|$)`, 'y');
const IS =
  /(?: to (?:this|the|your) question)? (?:is|was|would be|should be)(?: that)?(?:[ \t]{0,3}[:：]|(?=\s))/y;

/** Reads the mention around the word "answer" at `at`; null when the word announces nothing. */
function readMention(text: string, at: number): Mention | null {
  // A line break replaces the start of the text, so both count as the start of a line.
  const before = at < LOOK_BEHIND ? `\n${text.slice(0, at)}` : text.slice(at - LOOK_BEHIND, at);
  const tail = at + 'answer'.length;
  const final = FINAL.exec(before)?.[0] ?? '';
  const owner = OWNER.exec(before)?.[0] ?? '';
  const label = `${owner}${final}`;
  const marker = findMarker(
    text,
    tail,
    before.slice(0, before.length - label.length),
    owner,
    final,
  );
  if (marker !== null) {
    const spoken = /is[ \t]{0,3}[:：]$/.test(marker);
    return {
      kind: 'marker',
      final: final !== '',
      spoken,
      ...placeEmphasis(text, before, label, at, marker),
    };
  }
  const speaker = SPEAKER.exec(before)?.[0];
  const verb = speaker === undefined ? null : match(IS, text, tail);
  if (speaker === undefined || verb === null) return null;
  return {
    kind: 'statement',
    final: false,
    spoken: true,
    ...placeEmphasis(text, before, speaker, at, verb),
  };
}

// "Answer:" and "My answer:" must begin their line ("My answer is:" is a statement). "final
// answer:" may be anywhere; in a heading it needs no colon.
function findMarker(
  text: string,
  tail: number,
  head: string,
  owner: string,
  final: string,
): string | null {
  const beginsLine = LINE_HEAD.test(head);
  if (owner !== '') return beginsLine ? match(BARE_COLON, text, tail) : null;
  if (final === '' && !beginsLine) return null;
  const isHeading = beginsLine && (final.startsWith('F') || HEADING.test(head));
  return (
    match(COLON, text, tail) ??
    (beginsLine ? match(DASH, text, tail) : null) ??
    (isHeading ? match(ALONE, text, tail) : null)
  );
}

function match(form: RegExp, text: string, at: number): string | null {
  form.lastIndex = at;
  return form.exec(text)?.[0] ?? null;
}

// `**Answer**: 48` and `**Answer:** 48` close what `**` opened; `**Answer: 48**` closes it after
// the answer.
function placeEmphasis(text: string, before: string, label: string, at: number, found: string) {
  const opened = OPEN.exec(before.slice(0, before.length - label.length))?.[0] ?? '';
  const start = at - label.length - opened.length;
  const end = at + 'answer'.length + found.length;
  if (found.includes(opened)) return { start, end, open: '' };
  const next = text.charAt(end) === ' ' ? end + 1 : end;
  return text.startsWith(opened, next)
    ? { start, end: next + opened.length, open: '' }
    : { start, end, open: opened };
}

function readAnswer(region: string, { open, spoken }: Mention): string {
  const answer = readRegion(region, open);
  return spoken ? cutSentence(answer) : answer;
}

const RULE = /^[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*$/;
const BULLET = /^(?:>[ \t]{0,3}|[-•*+][ \t]{1,3}(?=\S))+/;

// The answer is the rest of the line. If the rest is blank, it is the last box, else the first line
// that is not blank.
function readRegion(region: string, open: string): string {
  const lines = region.split(/\r\n|\n|\r/);
  const inline = lines[0]?.trim() ?? '';
  if (inline !== '' && findClosing(inline) === null) return closeAt(inline, open);
  const box = lastBox(region);
  if (box !== null) return box;
  const first = lines.findIndex((line) => line.trim() !== '' && !RULE.test(line));
  const line = lines[first]?.trim() ?? '';
  const items = readList(lines.slice(first));
  if (items.length > 1 || /^1[.)] /.test(line))
    return items.map((item) => item.replace(/[,;]$/, '')).join(', ');
  const closing = findClosing(line);
  return closing === null
    ? closeAt(line.replace(BULLET, ''), open)
    : readBlock(line, closing, lines.slice(first + 1));
}

const ITEM = /^[ \t]{0,8}(?:[-•*+]|\d{1,2}[.)])[ \t]{1,3}(\S.*)$/u;

/** The items of a list at the start of some lines, without their marks. */
function readList(lines: readonly string[]): readonly string[] {
  const items = lines.map((line) => ITEM.exec(line)?.[1]?.trim());
  const end = items.indexOf(undefined);
  return items.slice(0, end === -1 ? items.length : end).flatMap((item) => item ?? []);
}

/**
 * The text that closes the block that a line opens, such as a fence; null when the line opens none.
 */
function findClosing(line: string): string | null {
  if (line === '$$') return '$$';
  if (line === '\\[') return '\\]';
  return /^```\w{0,20}$/.test(line) ? '```' : null;
}

function readBlock(opening: string, closing: string, rest: readonly string[]): string {
  const end = rest.findIndex((line) => line.trim() === closing);
  const block = (end === -1 ? rest : rest.slice(0, end)).join('\n').trim();
  return closing === '```' || block === '' ? block : `${opening}${block}${closing}`;
}

function closeAt(content: string, open: string): string {
  const end = content.lastIndexOf(open.replaceAll('“', '”'));
  return end === -1 ? content : content.slice(0, end);
}

const STOP = /[.!?](?=["'”’*)`$]{0,4}(?:\s+\p{Lu}|\s*$))/gu;
const CLOSERS = /^["'”’*)`$]{0,4}/;

/**
 * The first sentence of a line without its full stop. A period after an abbreviation ("St.",
 * "D.C.") does not end the sentence.
 */
function cutSentence(line: string): string {
  const trimmed = line.trimEnd();
  for (const { 0: mark, index } of trimmed.matchAll(STOP)) {
    const closers = CLOSERS.exec(trimmed.slice(index + 1, index + 5))?.[0] ?? '';
    const isLast = index + 1 + closers.length === trimmed.length;
    if (mark === '.' && isAbbreviation(trimmed.slice(Math.max(0, index - 12), index), isLast))
      continue;
    return trimmed.slice(0, mark === '.' ? index : index + 1) + closers;
  }
  return trimmed;
}

// Abbreviations that keep their period in the middle and at the end of a sentence.
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  'bros capt co corp dept dr est etc inc jr lt ltd messrs mr mrs ms mt no prof sept sgt sr st univ vs'.split(
    ' ',
  ),
);

// In the middle of a line, any short word before a period counts as an abbreviation. At the end,
// only one that looks like an abbreviation does.
function isAbbreviation(before: string, isLast: boolean): boolean {
  const word = /\p{L}+$/u.exec(before)?.[0] ?? '';
  if (word === '') return before.endsWith('.');
  if (ABBREVIATIONS.has(word.toLowerCase()) || before.endsWith(`.${word}`)) return true;
  return isLast ? /^\p{Lu}$/u.test(word) : word.length < 4;
}
