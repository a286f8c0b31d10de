import { RecordError } from '../../records/record.ts';
import { isNoneStatement } from '../../scoring/mcq/all-none.ts';
import { type ResolvedTruth, resolveTruth } from '../../scoring/mcq/truths.ts';
import { quote } from '../../text/show.ts';
import { fault, normalizeName } from '../record-fields.ts';
import { type AnswerField, isWhole, type McqDraft, type Option } from './fields.ts';

/** What a sample takes from the answers of its record; a target of null is hidden. */
export type ResolvedTarget = Omit<ResolvedTruth, 'target'> & { readonly target: string | null };

type Choices = Readonly<Record<string, string>>;

/** Resolves the answers of a record; throws a RecordError when one names no option or two disagree. */
export function resolveTarget(draft: McqDraft, choices: Choices): ResolvedTarget {
  const [first, ...others] = tellingAnswers(draft).map((field) => ({ field, ...resolve(draft, field, choices) }));
  if (first === undefined) return hidden(draft);
  const { field, ...resolved } = first;
  const other = others.find(({ target }) => target !== first.target);
  if (other === undefined) return resolved;
  throw new RecordError({
    ...draft.place,
    problem: `${quote(field.name)} and ${quote(other.field.name)} of ${quote(draft.id)} disagree`,
    detail: `${first.target ?? '?'} against ${other.target ?? '?'}`,
    remedy: 'Keep the one that is meant, or name it as "answer" in EVAL_MCQ_FIELDS.',
  });
}

/** A text that several options share is left to the label beside it, if that names one of them. */
function tellingAnswers({ answers, options }: McqDraft): readonly AnswerField[] {
  const texts = options.filter(({ label }) => answers.some(({ value }) => value === label)).map(({ text }) => text);
  const isShared = (text: string) => texts.includes(text) && options.filter((each) => each.text === text).length > 1;
  return answers.filter(({ value }) => answers.length === 1 || typeof value !== 'string' || !isShared(value.trim()));
}

function resolve(draft: McqDraft, answer: AnswerField, choices: Choices): ResolvedTarget {
  const { place, id, options, multiple } = draft;
  const { name, value, index } = answer;
  if (typeof value === 'string' && value.trim() === '?') return hidden(draft);
  if (index === undefined && isIndex(value, options)) {
    throw fault(
      place,
      answer,
      'is a number, which may count the options from 0 or from 1',
      'Write the label of the right option, such as "A", or say how it counts: EVAL_MCQ_FIELDS=\'{"index_base": 0}\'.',
    );
  }
  if (isMissing(value, options)) {
    throw fault(
      place,
      answer,
      'may be a missing value that Python wrote, as no option says "none"',
      'Write NONE where no option is right, "?" to hide the answer, or leave the record out.',
    );
  }
  try {
    return resolveTruth(value, choices, multiple, index === undefined ? {} : { index });
  } catch (cause) {
    throw new RecordError({
      ...place,
      problem: `${quote(name)} of ${quote(id)} cannot be used`,
      detail: cause instanceof Error ? cause.message : undefined,
      remedy: 'Fix the record or leave it out.',
      cause,
    });
  }
}

function hidden({ multiple }: McqDraft): ResolvedTarget {
  return multiple === undefined ? { target: null } : { target: null, multiple };
}

/**
 * A number that is no label counts options, from 0 in some datasets and from 1 in others; the text of an option may
 * look the same, and is meant where the number is text itself. A list with one 0 or 1 for each option is no index.
 */
function isIndex(value: unknown, options: readonly Option[]): boolean {
  if (!Array.isArray(value)) return countsOptions(value, options);
  const areFlags = value.length === options.length && value.every((flag) => flag === 0 || flag === 1);
  return !areFlags && value.some((each) => countsOptions(each, options));
}

function countsOptions(value: unknown, options: readonly Option[]): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false;
  const written = String(value).trim();
  if (options.some(({ label }) => label === written)) return false;
  const isText = options.some(({ text }) => text === written);
  if (typeof value === 'string') return isWhole(value) && !isText;
  return !isText || (value >= 0 && value <= options.length);
}

/** Python writes "None" where a value is missing, and a table may hold it as text. */
function isMissing(value: unknown, options: readonly Option[]): boolean {
  const saysNone = ({ text }: Option) => isNoneStatement(text) || /^none$/i.test(text.trim());
  return typeof value === 'string' && value.trim() === 'None' && !options.some(saysNone);
}

/** Names that promise a label. */
const NAMES_LABELS = /key|letter|label|idx|index/;

/**
 * Throws a RecordError for an answer that is the label of one option and the text of another ("A" among O, A, B, AB),
 * unless the other answers of the file show which it is: labels that are no texts, or a name such as "answerKey".
 */
export function refuseLabelOrText(drafts: readonly McqDraft[]): void {
  const names = new Set(drafts.flatMap(({ answers }) => answers.map(({ name }) => name)));
  const clear = [...names].filter((name) => NAMES_LABELS.test(normalizeName(name)) || showsLabels(drafts, name));
  for (const { place, options, answers } of drafts) {
    const [answer] = answers;
    if (answer === undefined || answers.length > 1 || answer.index !== undefined || clear.includes(answer.name))
      continue;
    const [both] = partsOf(answer.value, options).filter(
      ({ label, texts }) => label !== undefined && texts.some((each) => each !== label),
    );
    if (both?.label === undefined) continue;
    throw fault(
      place,
      answer,
      'is the label of one option and the text of another',
      `Write label and text, such as ${quote(`${both.label.label}. ${both.label.text}`)}, or call the field "answerKey" ` +
        'if it holds labels.',
    );
  }
}

/** Whether some answer of this field is a label and no text, and none is a text and no label. */
function showsLabels(drafts: readonly McqDraft[], name: string): boolean {
  const parts = drafts.flatMap(({ options, answers }) =>
    partsOf(answers.find((answer) => answer.name === name)?.value, options),
  );
  const isText = parts.some(({ label, texts }) => label === undefined && texts.length > 0);
  return !isText && parts.some(({ label, texts }) => label !== undefined && texts.length === 0);
}

/** What one part of an answer may name: the option of this label, and options of this text. */
type Part = { readonly label: Option | undefined; readonly texts: readonly Option[] };

/** The whole answer where it is a label or a text, else each element of a list in any writing. */
function partsOf(value: unknown, options: readonly Option[]): readonly Part[] {
  if (Array.isArray(value)) return value.flatMap((each) => (typeof each === 'string' ? toPart(each, options) : []));
  if (typeof value !== 'string') return [];
  const whole = toPart(value, options);
  const isOne = whole.label !== undefined || whole.texts.length > 0;
  return isOne ? [whole] : value.split(/[,;|]/).map((part) => toPart(part, options));
}

function toPart(value: string, options: readonly Option[]): Part {
  const written = value.trim();
  const fold = (text: string) => text.trim().toLowerCase() === written.toLowerCase();
  const exact = options.find(({ label }) => label === written);
  // A label in its own case is no text of another case: "A" is the label beside an option "a".
  const isText = exact === undefined ? fold : (text: string) => text.trim() === written;
  const label = exact ?? options.find((option) => fold(option.label));
  return { label, texts: options.filter(({ text }) => isText(text)) };
}
