import { withoutThoughts } from '../words/thoughts/thoughts.ts';
import { trimUnseen } from '../words/unseen.ts';
import { type LooseObject, readLooseObject, unescapeText } from './loose-object.ts';

/** What a judge may say. The author of a judged text may want those of `wanted`. */
type Names<Name extends string> = Readonly<{ all: readonly Name[]; wanted: readonly Name[] }>;

/** Of one answer. */
const ANSWER = {
  all: ['pass', 'fail', 'cannot_tell'],
  wanted: ['pass'],
} as const satisfies Names<string>;

/** Of two: each author wants one of them, and a tie may be better than what another deserves. */
const PAIR = {
  all: ['first', 'second', 'tie', 'cannot_tell'],
  wanted: ['first', 'second', 'tie'],
} as const satisfies Names<string>;

/** What one judge says. */
type Parsed<Name> = Readonly<{ reason: string; verdict: Name }>;

/** What one judge says of an answer. */
export type ParsedVerdict = Parsed<(typeof ANSWER.all)[number]>;

/** Which of two answers one judge prefers. */
export type ParsedPreference = Parsed<(typeof PAIR.all)[number]>;

/**
 * Reads the reply of a judge: a JSON object with a reason and a verdict, which may be inside other
 * text and need not be valid JSON. What the judge thinks, what it repeats from its `prompt`, in
 * whatever spelling, and the form of a verdict are not its own word. Null if it has none, if two
 * disagree, if one cannot be read, or if what comes after it takes it back.
 */
export function parseVerdict(reply: string, prompt = ''): ParsedVerdict | null {
  return parse(reply, prompt, ANSWER);
}

/** Reads which of two answers a judge prefers, as strictly. */
export function parsePreference(reply: string, prompt = ''): ParsedPreference | null {
  return parse(reply, prompt, PAIR);
}

function parse<Name extends string>(
  reply: string,
  prompt: string,
  names: Names<Name>,
): Parsed<Name> | null {
  const text = findOwnText(reply);
  const shown = squash(prompt);
  const stated = listObjects(text).flatMap((object) => {
    const read = readVerdict(object, names);
    if (read === null || isShown(read, shown)) return [];
    const verdict = object.isSure ? read.verdict : 'unclear';
    return [{ ...object, reason: read.reason, verdict }];
  });
  const own = stated.filter((each) => each.verdict === 'unclear' || !isForm(each.reason));
  const last = own.at(-1);
  if (last === undefined || own.some(({ verdict }) => verdict !== last.verdict)) return null;
  const { reason, verdict } = last;
  if (verdict === 'unclear' || isDenied(last, verdict, { text, shown, names })) return null;
  return { reason, verdict };
}

/**
 * Whether another verdict stands after this one, in its comments or in texts that may not have ended
 * there. After a verdict that is wanted, such as a pass, no word of another may come: a quote that the
 * judge did not escape may have ended its object. After another verdict JSON, quoted words and a
 * wanted one that the prompt shows may be those of the answer.
 */
function isDenied<Name extends string>(
  { end, comments, doubtful }: LooseObject,
  verdict: Name,
  { text, shown, names }: Readonly<{ text: string; shown: string; names: Names<Name> }>,
): boolean {
  const rest = text.slice(end);
  const isWanted = (name: Name | null) => names.wanted.some((wanted) => wanted === name);
  const others = listForms(names.all.filter((name) => name !== verdict));
  const anyOther = new RegExp(`\\b(?:${others})(?:s|ed)?\\b`, 'i');
  if (isWanted(verdict) && anyOther.test(`${rest}\n${comments}`)) return true;
  const any = listForms(names.all);
  const prose = rest.replaceAll(/\{[^{}]*\}/g, ' ');
  const words = [prose.replaceAll(QUOTED, ' '), comments, doubtful].join('\n');
  const stated = [
    ...prose.matchAll(new RegExp(`["'“‘]verdict["'”’]\\s{0,9}:\\s{0,9}["'“‘]?(${any})`, 'gi')),
    ...words.matchAll(new RegExp(`\\bverdict\\b\\W{1,9}(${any})`, 'gi')),
  ];
  return stated.some(([, name = null]) => {
    const other = toName(name, names);
    return other !== verdict && !(isWanted(other) && shown.includes(`verdict${other}`));
  });
}

const QUOTED = /"[^"\n]*"|`[^`]*`|“[^“”]*”/g;

/** How people write verdicts, for a pattern. */
function listForms(names: readonly string[]): string {
  return names.map((name) => name.replace('_', '[ _-]?')).join('|');
}

/** A model may put its whole reply into a text, with escapes. */
const ESCAPED = /^"?\s{0,9}\{(?:\s|\\[nrt]){0,99}\\["']/;

/** What a judge says outside its thoughts and outside a block of Markdown. */
function findOwnText(reply: string): string {
  const whole = unfence(reply);
  // Tags in the texts of an object are no thoughts.
  const isObject = whole.startsWith('{') && readLooseObject(whole, 0)?.end === whole.length;
  const text = isObject ? whole : unfence(withoutThoughts(reply));
  return ESCAPED.test(text) ? unescapeText(text.replaceAll(/^"|"$/g, '')) : text;
}

function unfence(text: string): string {
  const inside = trimUnseen(text)
    .replace(/^```[\w-]{0,20}/, '')
    .replace(/```$/, '');
  return trimUnseen(inside);
}

/** Whether the prompt contains this verdict. */
function isShown({ reason, verdict }: Stated<string>, shown: string): boolean {
  const [why, name] = [squash(reason), squash(verdict)];
  return (
    shown.includes(`${why && `reason${why}`}verdict${name}`) ||
    shown.includes(`verdict${name}reason${why}`)
  );
}

/** Whether a reason only says that one is to stand there. */
function isForm(reason: string): boolean {
  return ['', 'why'].includes(squash(reason)) || FORM.test(reason.trim());
}

const FORM = /^(?:<[^<>]*>|\[[^[\]]*\]|string|text|(?:(?:your|the) )?reason(?:ing)?(?: here)?)$/i;

/** The letters and digits of a text, also of those that JSON escapes. */
function squash(text: string): string {
  return text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll(/\\[nrt]|[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}

/** "unclear": its object has two verdicts, or cannot be read. */
type Stated<Name extends string> = Readonly<{ reason: string; verdict: Name | 'unclear' }>;

/** The verdict of an object; null if it states none. */
function readVerdict<Name extends string>(
  { fields }: Pick<LooseObject, 'fields'>,
  names: Names<Name>,
): Stated<Name> | null {
  const stated = (fields.get('verdict') ?? []).map((name) => toName(name, names));
  const [verdict] = stated;
  if (verdict === undefined || verdict === null) return null;
  const reason = (fields.get('reason')?.at(-1) ?? '').trim();
  return { reason, verdict: stated.some((each) => each !== verdict) ? 'unclear' : verdict };
}

/** "Cannot tell" and "**PASS**" are names; "pass|fail" and "not pass" are none. */
function toName<Name extends string>(
  stated: string | null,
  { all }: Pick<Names<Name>, 'all'>,
): Name | null {
  const letters = (stated ?? '')
    .replaceAll(/[\s\p{Default_Ignorable_Code_Point}"'`*_.<>-]/gu, '')
    .toLowerCase();
  return all.find((name) => name.replace('_', '') === letters) ?? null;
}

/**
 * The longest reply to search, and the most braces in it from its end: a verdict is short, and
 * comes last.
 */
const MAX_LENGTH = 50_000;
const MAX_BRACES = 200;

/** How a verdict begins. */
const BEGIN = /\{\s{0,99}["'`“‘]?(?:reason|verdict)["'`”’]?\s{0,9}:/iy;

/**
 * The objects in a text, the outermost of each. Other braces, which may never close, do not count.
 * What comes after a verdict that cannot be read may be quoted by it, so it is not sure.
 */
function listObjects(text: string): readonly (LooseObject & { readonly isSure: boolean })[] {
  if (text.length > MAX_LENGTH) return [];
  const found: (LooseObject & { readonly isSure: boolean })[] = [];
  let isSure = true;
  for (const { index } of [...text.matchAll(/\{/g)].slice(-MAX_BRACES)) {
    if (index < (found.at(-1)?.end ?? 0)) continue;
    const object = readLooseObject(text, index);
    if (object !== null) found.push({ ...object, isSure });
    BEGIN.lastIndex = index;
    isSure &&= object !== null || !BEGIN.test(text);
  }
  return found;
}
