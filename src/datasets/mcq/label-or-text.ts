import { RecordError } from '../../records/record-error.ts';
import { quote } from '../../records/show-value.ts';
import { normalizeName } from '../pick-field.ts';
import type { McqDraft, Truth } from './draft.ts';

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
  const written = typeof value === 'string' ? value.trim() : null;
  return (
    options.some(({ label }) => label === written) &&
    options.some(({ label, text }) => label !== written && text.trim() === written)
  );
}

/** Whether some truth of this field is a label and no text, and none is a text and no label. */
function showsLabels(drafts: readonly McqDraft[], name: string): boolean {
  let labels = 0;
  for (const { options, truths } of drafts) {
    const value = truths.find((truth) => truth.name === name)?.value;
    const written = typeof value === 'string' ? value.trim() : '';
    const isLabel = options.some(({ label }) => label === written);
    const isText = options.some(({ text }) => text.trim() === written);
    if (isText && !isLabel) return false;
    if (isLabel && !isText) labels += 1;
  }
  return labels > 0;
}

function labelOrText({ place, options }: McqDraft, { name, value }: Truth): RecordError {
  const own = options.find(({ label }) => label === value)?.text ?? '';
  return new RecordError({
    ...place,
    field: name,
    problem: 'is the label of one option and the text of another',
    value,
    remedy: `Write label and text, such as ${quote(`${String(value).trim()}. ${own}`)}, or call the field "answerKey" if it holds labels.`,
  });
}
