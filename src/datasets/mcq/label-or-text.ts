import { RecordError } from '../../records/record-error.ts';
import { quote } from '../../records/show-value.ts';
import { normalizeName } from '../pick-field.ts';
import type { McqDraft, Option, Truth } from './draft.ts';

/** Names that promise a label. */
const NAMES_LABELS = /key|letter|label|idx|index/;

/**
 * Throws a RecordError for a truth that is the label of one option and the text of another ("A" among O, A, B, AB),
 * unless the other truths of the file show which it is: labels that are no texts, or a name such as "answerKey".
 */
export function refuseLabelOrText(drafts: readonly McqDraft[]): void {
  const unclear = drafts.flatMap((draft) =>
    draft.truths
      .filter((truth) => truth.index === undefined && isBoth(draft, truth))
      .map((truth) => ({ draft, truth })),
  );
  for (const { draft, truth } of unclear) {
    if (NAMES_LABELS.test(normalizeName(truth.name)) || draft.truths.length > 1) continue;
    if (!showsLabels(drafts, truth.name)) throw labelOrText(draft, truth);
  }
}

function isBoth({ options }: McqDraft, { value }: Truth): boolean {
  return partsOf(value, options).some((written) => {
    const label = labelOf(written, options);
    return label !== undefined && options.some((option) => option !== label && isTextOf(option, written, label));
  });
}

/** What may be a label or a text: the whole truth where it is one, else each element of a list in any writing. */
function partsOf(value: unknown, options: readonly Option[]): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => (typeof each === 'string' ? each.trim() : []));
  if (typeof value !== 'string') return [];
  const whole = value.trim();
  const isOne = labelOf(whole, options) !== undefined || options.some(({ text }) => isAlike(text, whole));
  return isOne ? [whole] : whole.split(/[,;|]/).map((part) => part.trim());
}

/** The option with this label, in any case where no label is spelt like it. */
function labelOf(written: string, options: readonly Option[]): Option | undefined {
  return (
    options.find(({ label }) => label === written) ??
    options.find(({ label }) => label.toLowerCase() === written.toLowerCase())
  );
}

/** A label in its own case is no text of another case: "A" is the label beside an option "a". */
function isTextOf({ text }: Option, written: string, { label }: Option): boolean {
  return label === written ? text.trim() === written : isAlike(text, written);
}

function isAlike(text: string, written: string): boolean {
  return text.trim().toLowerCase() === written.toLowerCase();
}

/** Whether some truth of this field is a label and no text, and none is a text and no label. */
function showsLabels(drafts: readonly McqDraft[], name: string): boolean {
  let labels = 0;
  for (const { options, truths } of drafts) {
    const value = truths.find((truth) => truth.name === name)?.value;
    for (const written of partsOf(value, options)) {
      const isLabel = labelOf(written, options) !== undefined;
      const isText = options.some(({ text }) => isAlike(text, written));
      if (isText && !isLabel) return false;
      if (isLabel && !isText) labels += 1;
    }
  }
  return labels > 0;
}

function labelOrText({ place, options }: McqDraft, { name, value }: Truth): RecordError {
  const [written] = partsOf(value, options).filter((part) => labelOf(part, options) !== undefined);
  const own = written === undefined ? undefined : labelOf(written, options);
  return new RecordError({
    ...place,
    field: name,
    problem: 'is the label of one option and the text of another',
    value,
    remedy: `Write label and text, such as ${quote(`${own?.label}. ${own?.text}`)}, or call the field "answerKey" if it holds labels.`,
  });
}
