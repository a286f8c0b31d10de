import { quote } from '../../records/show-value.ts';
import { isAllStatement } from '../../scoring/mcq/all-none.ts';
import type { Sample } from '../../types.ts';
import type { McqDraft } from './draft.ts';
import { marksNone } from './flag-lists.ts';

/** Truths that are read as more than they say: lists that mark no option, ALL where no option says so. */
export function noteTruths(drafts: readonly McqDraft[], samples: readonly Sample[]): string[] {
  const none = drafts.filter(({ truths }) => truths.some(({ value }) => marksNone(value)));
  const all = drafts.filter((draft, index) => meansEvery(draft, samples[index]?.target ?? null));
  return [
    ...note(none, 'mark no option as right and are read as NONE'),
    ...note(all, 'say ALL where no option does, and are read as every option'),
  ];
}

function meansEvery({ truths, options }: McqDraft, target: string | null): boolean {
  const saysAll = truths.some(
    ({ value }) => typeof value === 'string' && (/^all$/i.test(value.trim()) || isAllStatement(value)),
  );
  return saysAll && !options.some(({ text }) => isAllStatement(text)) && target?.includes(',') === true;
}

function note(found: readonly McqDraft[], what: string): string[] {
  const first = found[0];
  return first === undefined
    ? []
    : [`${found.length} truths ${what}, first that of ${quote(first.id)} on line ${first.place.line}.`];
}
