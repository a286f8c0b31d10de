import { basename, dirname, parse } from 'node:path';
import { plainName } from '../words/plain-name.ts';
import type { Json, Sample } from '../words/sample.ts';
import { toText } from '../words/show.ts';
import { counted, told } from '../words/told.ts';
import { NAMES_LABELS, resolveTarget } from './answers.ts';
import type { Pictures } from './attachments.ts';
import { RecordError } from './files/record.ts';
import type { Option } from './options.ts';
import type { Draft, Reading } from './read-record.ts';
import {
  type Field,
  fault,
  type Place,
  requireJson,
  toClusterName,
  toName,
} from './record-fields.ts';
import { keepRecord, recordOf } from './record-of.ts';
import { acceptsAny, isRightFirst, type Shape, type SuiteKind } from './shape.ts';
import { orderByTexts } from './shuffle-choices.ts';
import { areShards, type Source } from './source.ts';

/** What names the clusters of a suite: a field, or a function of its own of the record or the sample. */
export type ClusterSource = string | ((record: unknown, sample?: string) => unknown);

/** What samples are made for, and how their files are found. */
export type SampleSetting = Pick<Source, 'attach'> & {
  readonly suite: string;
  readonly pictures: Pictures;
  readonly fields?: Shape | null;
  readonly accepts?: 'any' | undefined;
  /** Names what a question shares with others. */
  readonly cluster?: ClusterSource | undefined;
  /** Whether the records are in an eval file: their lines are not known. */
  readonly isListed?: boolean;
  readonly skipBad?: boolean;
};

/** A question with what names its cluster; null where it is alone. */
export type ClusteredDraft = Draft & { readonly cluster: Field | null };

/** A sample without its group, which only all records together decide. */
export type UngroupedSample = {
  readonly place: Place;
  readonly id: string;
  readonly hasId: boolean;
  readonly group: string | null;
  readonly sample: Sample;
};

export function toUngroupedSample(
  draft: ClusteredDraft,
  { shape, kind }: Reading,
  { suite, attach, pictures }: SampleSetting,
): UngroupedSample {
  const { place, id, input, options, multiple, group, cluster, hasId, metadata, files } = draft;
  const choices = Object.fromEntries(options.map(({ label, text }) => [label, text]));
  const hasChoices = options.length > 0;
  // A suite may group by it under its own name.
  const facts = group === null ? metadata : { ...metadata, [group.name]: group.value };
  keepRecord(facts, recordOf(draft));
  const isAny = acceptsAny(shape);
  const read = {
    id,
    suite,
    input,
    ...(kind === 'records' && readTurns(metadata)),
    target: hasChoices
      ? resolveTarget(isAny ? omitMultiple(draft) : draft, choices)
      : toTarget(draft, kind, isAny),
    ...(isAny && { accepts: 'any' as const }),
    group: 'all',
    ...(cluster !== null && { cluster: toClusterName(cluster.value) }),
    ...(hasChoices && { choices }),
    ...(draft.isInside && { choicesInside: true as const }),
    // Only what the record says: that the target has several labels would tell agents something about
    // it.
    ...(hasChoices && multiple !== undefined && { multiple }),
    attachments: files.map((file) => ('bytes' in file ? pictures.add(file) : attach(place, file))),
    metadata: facts,
  };
  const sample = hasChoices && isRightFirst(shape) ? orderByTexts(read) : read;
  refuseMissingPictures(draft, sample);
  const isLevel = kind === 'gaia' && plainName(group?.name ?? '') === 'level';
  const toGroup = isLevel ? toLevel : toName;
  return { place, id, hasId, group: group === null ? null : toGroup(place, group), sample };
}

/**
 * The target of a question without options; null when it is hidden. In an own suite it may be any
 * value and stays as it is.
 */
function toTarget(draft: Draft, kind: SuiteKind, isAny: boolean): Json {
  const {
    place,
    answers: [answer],
  } = draft;
  if (answer === undefined) return null;
  if (isAny && answer.value === '?') return null;
  if (kind === 'records') return requireJson(place, answer);
  const { value } = answer;
  if (isAny) return [value].flat().map((each) => toAnswerText(place, { ...answer, value: each }));
  return toAnswerText(place, answer);
}

/** The text of an answer; null where it is hidden. */
function toAnswerText(place: Place, answer: Field): string | null {
  const { value } = answer;
  if (Array.isArray(value)) throw fault(place, answer, told`must be text or a number`, SEVERAL);
  if (Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') throw fault(place, answer, told`must be text or a number`);
  return value.trim() === '?' ? null : value;
}

const SEVERAL =
  'Write one answer, or ask in a suite of your own, which says accepts: "any" if each answer of a list is right.';

/** Several accepted options do not say that several must be chosen. */
function omitMultiple({ multiple: _, ...draft }: Draft): Draft {
  return draft;
}

/** The level of a record: a number in GAIA's JSON lines, text in its later Parquet files. */
function toLevel(place: Place, field: { readonly name: string; readonly value: unknown }): string {
  const { value } = field;
  const level = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  if (['1', '2', '3'].includes(level)) return `level ${level}`;
  throw fault(place, field, told`must be 1, 2 or 3`);
}

/** The configurations of one dataset lie in folders or files of their own, which are its groups. */
export function groupByFolder(parts: readonly UngroupedSample[]): readonly UngroupedSample[] {
  const files = [...new Set(parts.map(({ place }) => place.file))];
  const folders = new Set(files.map((file) => dirname(file)));
  if (folders.size > 1) {
    const names = nameApart([...folders]);
    const repeatsIds = new Set(parts.map(({ id }) => id)).size < parts.length;
    return parts.map((part) => {
      const folder = names.get(dirname(part.place.file)) ?? '';
      const id = repeatsIds ? `${folder}-${part.id}` : part.id;
      return { ...part, id, group: folder, sample: { ...part.sample, id } };
    });
  }
  const isGrouped = parts.some(({ group }) => group !== null);
  if (isGrouped || files.length < 2 || areShards(files)) return parts;
  return parts.map((part) => ({ ...part, group: parse(part.place.file).name }));
}

/** The first part of each path that is not the same in all. */
function nameApart(folders: readonly string[]): ReadonlyMap<string, string> {
  const paths = folders.map((folder) => folder.split(/[/\\]/));
  const [first = []] = paths;
  const apart = first.findIndex((part, index) => paths.some((path) => path[index] !== part));
  return new Map(
    folders.map((folder, index) => [
      folder,
      paths[index]?.[Math.max(apart, 0)] ?? basename(folder),
    ]),
  );
}

/**
 * The records without those whose answer is the label of one option and the text of another ("A"
 * among O, A, B, AB), unless the file shows which one is meant: by other answers that are labels
 * only, or by a name such as "answerKey". Errors of the others go to `bad`.
 */
export function keepClear<One extends Draft>(
  drafts: readonly One[],
  bad: RecordError[],
): readonly One[] {
  const read = drafts.flatMap((draft) =>
    draft.answers.map((answer) => ({ draft, answer, ...findStated(answer.value, draft.options) })),
  );
  const unclear = new Map<One, RecordError>();
  for (const [name, same] of Map.groupBy(read, ({ answer }) => answer.name)) {
    const someAreTexts = same.some(({ label, texts }) => label === undefined && texts.length > 0);
    const someAreLabels = same.some(({ label, texts }) => label && texts.length === 0);
    if (NAMES_LABELS.test(plainName(name)) || (someAreLabels && !someAreTexts)) continue;
    for (const { draft, answer, label, texts } of same) {
      const isClear = draft.answers.length > 1 || answer.counts !== undefined;
      if (isClear || label === undefined || texts.every((each) => each === label)) continue;
      const remedy =
        'Write label and text, such as "B. iron", or call the field "answerKey" if it holds labels.';
      const problem = told`is the label of one option and the text of another`;
      unclear.set(draft, fault(draft.place, answer, problem, remedy));
    }
  }
  bad.push(...unclear.values());
  return unclear.size === 0 ? drafts : drafts.filter((draft) => !unclear.has(draft));
}

/** The option with this label, and the options with this text. */
function findStated(value: unknown, options: readonly Option[]) {
  const written = typeof value === 'string' ? value.trim() : '';
  const fold = (text: string) => text.toLowerCase() === written.toLowerCase();
  const exact = options.find(({ label }) => label === written);
  // "A" is the label even if an option's text is "a".
  const texts = options.filter(({ text }) => (exact ? text === written : fold(text)));
  return { label: exact ?? options.find((option) => fold(option.label)), texts };
}

/** The turns of a sample by its other fields; undefined where it has a single question. */
function readTurns({ turns }: Readonly<Record<string, unknown>>): {
  readonly turns?: readonly string[];
} {
  return Array.isArray(turns) && turns.every((turn) => typeof turn === 'string') ? { turns } : {};
}

/**
 * Throws a RecordError when a question speaks of a picture by number that the sample does not have.
 */
function refuseMissingPictures({ place, kind }: Draft, sample: Sample): void {
  const texts = [toText(sample.input), ...Object.values(sample.choices ?? {})];
  const numbers = texts
    .filter((text) => text.includes('<'))
    .flatMap((text) => [...text.matchAll(/<image[ _]?(\d{1,2})>/gi)])
    .map(([, number]) => Number(number));
  const names = sample.attachments.map(({ name }) => name);
  const lacks = (number: number) =>
    number > names.length && !names.some((name) => name.includes(`_${number}.`));
  if (!numbers.some(lacks)) return;
  const given = names.length === 0 ? told`no picture` : counted(names.length, told`picture`);
  throw new RecordError({
    ...place,
    problem: told`the question says "<image ${Math.max(...numbers)}>", but the record gives ${given}`,
    remedy: `${kind === 'mcq' ? NAME_PICTURES : 'Call the field of the picture "image"'}, or leave the record out.`,
  });
}

const NAME_PICTURES = 'Name the fields of the pictures: EVAL_MCQ_FIELDS=\'{"images": ["..."]}\'';
