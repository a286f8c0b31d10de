import { withoutThoughts } from '../words/thoughts/thoughts.ts';
import { trimUnseen } from '../words/unseen.ts';
import { type LooseObject, readLooseObject, unescapeText } from './loose-object.ts';
import { type ReplyForm, type Stated, spell } from './reply-form.ts';

/** What one judge says, and why. */
export type ParsedVerdict<Word = Stated> = Readonly<{ reason: string; verdict: Word }>;

/**
 * Reads the reply of a judge: a JSON object with a reason and the field of its form, which may be
 * inside other text and need not be valid JSON. What the judge thinks, what it
 * repeats from its `prompt`, in whatever spelling, and the form of a verdict are not its own word. Null
 * if it has none, if two disagree, if one cannot be read, or if what comes after it takes it back.
 */
export function parseVerdict<Word extends string | number>(
  reply: string,
  form: ReplyForm<Word>,
  prompt = '',
): ParsedVerdict<Word> | null {
  const text = findOwnText(reply);
  const shown = squash(prompt);
  const stated = listObjects(text, form).flatMap((object) => {
    const read = readVerdict(object, form);
    if (read === null || isShown(read, shown, form)) return [];
    const verdict = object.isSure ? read.verdict : 'unclear';
    return [{ ...object, reason: read.reason, verdict }];
  });
  const own = stated.filter((each) => each.verdict === 'unclear' || !isForm(each.reason));
  const last = own.at(-1);
  if (last === undefined || own.some(({ verdict }) => verdict !== last.verdict)) return null;
  const { reason, verdict } = last;
  if (verdict === 'unclear') return null;
  // A better one without a reason may be quoted.
  const takesBack = stated.some(
    (each) =>
      each.reason === '' && each.verdict !== verdict && !form.isBetter(each.verdict, verdict),
  );
  return takesBack || isDenied(last, verdict, form, text, shown) ? null : { reason, verdict };
}

/** The JSON of a verdict, which `parseVerdict` reads. */
export function writeVerdict(
  { reason, verdict }: ParsedVerdict<string | number>,
  { field }: Pick<ReplyForm, 'field'>,
): string {
  return JSON.stringify({ reason, [field]: verdict });
}

/**
 * Whether another verdict stands after this one, in its comments or in texts that may not have ended
 * there. No word of a worse one may come: a quote that the judge did not escape may have ended its
 * object. JSON, quoted words and a better one that the prompt shows may be those of the answer.
 */
function isDenied<Word extends string | number>(
  { end, comments, doubtful }: LooseObject,
  verdict: Word,
  form: ReplyForm<Word>,
  text: string,
  shown: string,
): boolean {
  const rest = text.slice(end);
  if (form.namesWorse(`${rest}\n${comments}`, verdict)) return true;
  const prose = rest.replaceAll(/\{[^{}]*\}/g, ' ');
  const words = [prose.replaceAll(QUOTED, ' '), comments, doubtful].join('\n');
  const { field, values } = form;
  const ofField = new RegExp(`["'“‘]${field}["'”’]\\s{0,9}:\\s{0,9}["'“‘]?(${values})`, 'gi');
  const inWords = new RegExp(
    `\\b${field}\\b(?:\\W{1,3}(?:is|was|should be|would be|becomes|of|now)\\b)?\\W{1,9}(${values})`,
    'gi',
  );
  return [...prose.matchAll(ofField), ...words.matchAll(inWords)].some(([, name = '']) => {
    const other = form.read(name);
    const mayBeAnswers = other === 'unclear' || form.isBetter(other, verdict);
    const isAnswers = mayBeAnswers && shown.includes(`${field}${squash(name)}`);
    return other !== verdict && !isAnswers;
  });
}

const QUOTED = /"[^"\n]*"|`[^`]*`|“[^“”]*”/g;

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

/**
 * Whether the prompt contains this verdict: its reason and what it states, as fields of any object,
 * since the one that is repeated may have others between them.
 */
function isShown(
  { reason, verdict }: ParsedVerdict<string | number>,
  shown: string,
  { field }: Pick<ReplyForm, 'field'>,
): boolean {
  const why = squash(reason);
  if (why !== '' && !shown.includes(`reason${why}`)) return false;
  return spell(verdict).some((name) => new RegExp(`${field}${squash(name)}(?!\\d)`).test(shown));
}

/** Whether a reason only says that one is to stand there. */
function isForm(reason: string): boolean {
  return ['', 'why'].includes(squash(reason)) || FORM.test(reason.trim());
}

const FORM = /^(?:<[^<>]*>|\[[^[\]]*\]|string|text|(?:(?:your|the) )?reason(?:ing)?(?: here)?)$/i;

/** The letters and digits of a text, also of those that JSON escapes. */
function squash(text: string): string {
  return (
    text
      .replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
      // 4.0 is 4, and not 40.
      .replaceAll(/(?<=\d)\.0+(?!\d)/g, '')
      .replaceAll(/\\[nrt]|[^\p{L}\p{N}]+/gu, '')
      .toLowerCase()
  );
}

/** The verdict of an object, "unclear" if it has two or cannot be read; null if it states none. */
function readVerdict<Word extends string | number>(
  { fields }: Pick<LooseObject, 'fields'>,
  { field, read }: Pick<ReplyForm<Word>, 'field' | 'read'>,
): ParsedVerdict<Word | 'unclear'> | null {
  const names = (fields.get(field) ?? []).map((value) => read(value));
  const [verdict] = names;
  if (verdict === undefined || verdict === null) return null;
  const reason = (fields.get('reason')?.at(-1) ?? '').trim();
  // "1-5" stands in a form.
  if (verdict === 'unclear' && isForm(reason)) return null;
  return { reason, verdict: names.some((each) => each !== verdict) ? 'unclear' : verdict };
}

/**
 * The longest reply to search, and the most braces in it from its end: a verdict is short, and
 * comes last.
 */
const MAX_LENGTH = 50_000;
const MAX_BRACES = 200;

/**
 * The objects in a text, the outermost of each. Other braces, which may never close, do not count.
 * What comes after a verdict that cannot be read may be quoted by it, so it is not sure.
 */
function listObjects(
  text: string,
  { field }: Pick<ReplyForm, 'field'>,
): readonly (LooseObject & { readonly isSure: boolean })[] {
  const begin = new RegExp(`\\{\\s{0,99}["'\`“‘]?(?:reason|${field})["'\`”’]?\\s{0,9}:`, 'iy');
  if (text.length > MAX_LENGTH) return [];
  const found: (LooseObject & { readonly isSure: boolean })[] = [];
  let isSure = true;
  for (const { index } of [...text.matchAll(/\{/g)].slice(-MAX_BRACES)) {
    if (index < (found.at(-1)?.end ?? 0)) continue;
    const object = readLooseObject(text, index);
    if (object !== null) found.push({ ...object, isSure });
    begin.lastIndex = index;
    isSure &&= object !== null || !begin.test(text);
  }
  return found;
}
