import { isFields } from '../words/fields.ts';
import { plainName } from '../words/plain-name.ts';
import type { Note } from '../words/sample.ts';
import { listUp, partOf, quote, toNotes, tryOrUndefined } from '../words/show.ts';
import { findTypo } from '../words/similar-names.ts';
import { findPictures } from './attachments.ts';
import type { Draft } from './read-record.ts';
import { isFilled } from './record-fields.ts';
import { listNames, type Shape, type SuiteKind } from './shape.ts';
import { SECOND_SPELLINGS, SHAPES, SPELLINGS } from './shapes.ts';

/** A field that an agent may need and does not see: what it is, and the role that it may have. */
type Unread = Readonly<{ what: string; role: string }>;

/**
 * Names the fields that a question may need and that the agent does not see: pictures, texts and
 * tables, unless their names say that they are about the answer or the record.
 */
export function noteUnread(
  drafts: readonly Draft[],
  { shape, kind }: Readonly<{ shape: Shape; kind: SuiteKind }>,
): readonly Note[] {
  const isKnown = SHAPES.some(({ name }) => name === shape.name);
  const unread = new Map<string, Unread & { count: number }>();
  // Most records have the same fields.
  const names = new Map<string, NameFacts>();
  for (const draft of drafts) {
    for (const [name, value] of Object.entries(draft.metadata)) {
      const facts = names.get(name) ?? readName(name);
      names.set(name, facts);
      const found = describeUnread(name, facts, value, draft, isKnown);
      if (found === null) continue;
      const earlier = unread.get(name);
      if (earlier === undefined) unread.set(name, { ...found, count: 1 });
      else earlier.count += 1;
    }
  }
  const contexts = [shape.context ?? []].flat();
  return [...unread].map(([name, { what, role, count }]): Note => {
    const have = partOf(count, drafts.length, 'record', 'has', 'have');
    const all = role === 'context' ? [...contexts, name] : [name];
    const set = `set EVAL_MCQ_FIELDS='${JSON.stringify({ [role]: all.length > 1 ? all : name })}'`;
    const rename = plainName(name) === role ? 'write it as a text' : `call it ${quote(role)}`;
    const remedy = kind === 'mcq' ? set : rename;
    const text = `${have} ${quote(name)}, ${what} that the agent does not see. If the question needs it, ${remedy}.`;
    return { kind: 'unread', text, field: name };
  });
}

/** A text of this length may be a passage that the question is about. */
const LONG = 200;

/** A text with fewer words is a label, whatever it is called. */
const FEW_WORDS = 6;

/** Names of fields that explain or judge an answer, or describe the record. */
const NOT_ASKED =
  /answer|solution|rationale|explanation|reason|(?:^|_)cot|lecture|support|analysis|proof|rubric|criteri|expected|target|response|completion|gold|comment|canary|metadata|license|path|^(?:reference|source|citation|output|url|link|notes?)s?$/i;

/** Last words of names that describe the record: "question_type", "contextId". */
const DESCRIBES =
  /(?:^|[^A-Za-z]|(?<=[a-z])(?=[A-Z]))(?:ids?(?:_list)?|idx|index|type|number|nr|name|title|count|length|language|lang|url|category|level|difficulty|hash|source|key|version|date|time|score|rating|split|author|tags?|keywords?|topics?|subjects?|domain|field|dataset|code_?book)$/i;

/** Names of what a question may be about, also where it is short. */
const MAY_BE_ASKED =
  /body|passage|story|premise|hypothes|table|code|snippet|hint|fact|background|evidence|scenario|situation|text|sentence|statement|paragraph|article|document|dialog|conversation|transcript|context|instruction|claim|abstract|schema|formula|constraint|given|caption|e?mail|message|review|poem|lyric|excerpt|quote|vignette|case|task|query|problem|prompt|question|stem|input|options|choices|endings/i;

/**
 * Last words of names of what a question is asked of, also where it is one word or a few numbers.
 */
const GIVEN =
  /(?:^|[^A-Za-z]|(?<=[a-z])(?=[A-Z]))(?:data|words?|numbers|digits|letters?|characters?|values?|lists?|arr(?:ay)?s?|seq(?:uence)?s?|series|str(?:ing)?s?|phrases?|expr(?:ession)?s?|equations?|functions?|matri(?:x|ces)|grids?|boards?|graphs?|pairs?|points?|coordinates|vectors?|items?|elements?|objects?|amounts?|quantit(?:y|ies)|terms?|compounds?|molecules?|smiles|reactions?|moves?|fen|patterns?|variables?|measurements?|observations?|names|colou?rs|cards?|prices?|distances?|speeds?|texts?|sentences?|[abnxyz])$/i;

/** Names of numbers about an answer or a record, in lists. */
const MEASURES =
  /score|vote|rating|weight|embedding|logit|prob|span|offset|start|end|position|index|idx|ids|counts|length|likes|token|shape|size|version/i;

const ROLE_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  (['context', 'choices', 'images', 'attachments'] as const).map((role) => [
    role,
    listNames(SPELLINGS[role]).map(plainName),
  ]),
);

type NameFacts = Readonly<{
  isAboutAnswer: boolean;
  describes: boolean;
  mayBeAsked: boolean;
  isGiven: boolean;
  isMeasure: boolean;
  /** The role whose names it is a misspelling of. */
  role: string | undefined;
}>;

function readName(name: string): NameFacts {
  return {
    isAboutAnswer: NOT_ASKED.test(name),
    describes: DESCRIBES.test(name),
    mayBeAsked: MAY_BE_ASKED.test(name),
    isGiven: GIVEN.test(name),
    isMeasure: MEASURES.test(name),
    role: findMisspelt(name),
  };
}

function describeUnread(
  name: string,
  facts: NameFacts,
  value: unknown,
  draft: Draft,
  isKnown: boolean,
): Unread | null {
  if (facts.isAboutAnswer || !isFilled(value)) return null;
  if (!['object', 'string', 'number'].includes(typeof value)) return null;
  const first: unknown = [value].flat()[0];
  if (isPicture(name, value, first)) return { what: 'a picture', role: 'images' };
  if (countCharacters(value) >= LONG)
    return isAsked(value, draft) ? null : { what: 'a long text', role: 'context' };
  const { describes, role } = facts;
  const mayCount = role !== undefined || (!isKnown && looksAsked(facts, value, draft));
  if (describes || !mayCount || isAsked(value, draft)) return null;
  return { what: nameValue(value), role: role ?? 'context' };
}

function isPicture(name: string, value: unknown, first: unknown): boolean {
  const isShort = typeof value === 'string' && value.length < LONG && !value.includes('.');
  if (isShort) return false;
  if (typeof first === 'string' && IMAGE_URL.test(first)) return true;
  return (findPictures({ name, value }) ?? []).length > 0;
}

const IMAGE_URL = /^https?:\/\/\S{1,2000}\.(?:png|jpe?g|gif|webp|bmp|svg)(?:\?|$)/i;

/** The role whose names a misspelt one is nearest to. */
function findMisspelt(name: string): string | undefined {
  const plain = plainName(name);
  return [...ROLE_NAMES].find(([, names]) => findTypo(plain, names) !== undefined)?.[0];
}

/** A shorter text may stand in a question by chance. */
const TELLING = 20;

/** Whether the agent sees a text anyway, as a part of its question or around it. */
function isAsked(value: unknown, { input }: Draft): boolean {
  if (typeof value !== 'string' || typeof input !== 'string') return false;
  const text = value.trim();
  return text.includes(input.trim()) || (text.length >= TELLING && input.includes(text));
}

function looksAsked(
  { mayBeAsked, isGiven, isMeasure }: NameFacts,
  value: unknown,
  draft: Draft,
): boolean {
  if (isGiven && hasContent(value)) return !areWordsAsked(value, draft);
  if (typeof value === 'number') return false;
  if (typeof value === 'string') {
    const words = value.trim().split(/\s+/).length;
    return words >= FEW_WORDS || (mayBeAsked && /[\s(=<{[]/.test(value.trim()));
  }
  const areNumbers = Array.isArray(value) && value.every((each) => typeof each === 'number');
  return (mayBeAsked || (areNumbers && !isMeasure)) && hasContent(value);
}

/** Whether each word of a short value stands in the question anyway. */
function areWordsAsked(value: unknown, { input }: Draft): boolean {
  // A value of a script may not be JSON.
  const text = tryOrUndefined(() => JSON.stringify(value));
  if (typeof input !== 'string' || text === undefined) return false;
  const asked = new Set(wordsOf(input));
  return wordsOf(text).every((word) => asked.has(word));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Whether a value has a text or a number in it, down to lists of lists. */
function hasContent(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  if (typeof value === 'number') return true;
  const isOuter = typeof value === 'object' && value !== null && depth < 3;
  if (!isOuter || value instanceof Uint8Array) return false;
  return Object.values(value).some((each) => hasContent(each, depth + 1));
}

function nameValue(value: unknown): string {
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'number') return 'a number';
  return Array.isArray(value) ? 'a list' : 'an object';
}

/** The characters of the texts in a value, down to lists of objects. */
function countCharacters(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length;
  const isOuter = typeof value === 'object' && value !== null && depth < 3;
  if (!isOuter || value instanceof Uint8Array) return 0;
  return Object.values(value).reduce(
    (sum: number, each) => sum + countCharacters(each, depth + 1),
    0,
  );
}

const ANSWER_NAMES = [...SPELLINGS.answer, ...SECOND_SPELLINGS.answer].map(plainName);

/**
 * Names the fields that may be meant as the expected answer, where no record has one, or where
 * records without one have a misspelt name.
 */
export function noteUnreadAnswers(drafts: readonly Draft[], kind: SuiteKind): readonly Note[] {
  const open = drafts.filter(({ answers }) => answers.length === 0);
  const counts = new Map<string, number>();
  for (const draft of open)
    for (const name of listUnread(draft)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isTypo = (name: string) => findTypo(plainName(name), ANSWER_NAMES) !== undefined;
  const misspelt = [...counts.keys()].filter(isTypo);
  if (open.length < drafts.length)
    return toNotes(
      'no target',
      misspelt.map((name) => {
        const have = partOf(counts.get(name) ?? 0, drafts.length, 'record', 'has', 'have');
        return `${have} no expected answer, but ${quote(name)}, which is not read. If it is the answer, call it "target".`;
      }),
    );
  if (misspelt.length > 0) return toNotes('misspelt target', [describeUnreadAnswers(misspelt)]);
  // Test splits of options hide their answers.
  if (kind !== 'records' || counts.size === 0) return [];
  return toNotes('no target', [describeUnreadAnswers([...counts.keys()])]);
}

function describeUnreadAnswers(names: readonly string[]): string {
  const [are, it] = names.length === 1 ? ['is', 'it'] : ['are', 'one of them'];
  const listed = listUp(names.map(quote), MOST_NAMES);
  return `No record has a target; ${listed} ${are} not read. If ${it} is the expected answer, call it "target".`;
}

const MOST_NAMES = 5;

/**
 * The fields of a record itself that were read as nothing and have a value that may be an answer.
 */
function listUnread({ metadata, values, group }: Draft): readonly string[] {
  return Object.keys(values).filter((name) => {
    const value = values[name];
    const isOwn = Object.hasOwn(metadata, name) && name !== group?.name && name !== 'metadata';
    const isValue = isFilled(value) && !isFields(value);
    return isOwn && isValue;
  });
}
