import { quote } from '../../records/show-value.ts';
import { isAllStatement } from '../../scoring/mcq/all-none.ts';
import { plural } from '../../text/plural.ts';
import type { Sample } from '../../types.ts';
import type { McqDraft } from './draft.ts';
import { marksNone } from './flag-lists.ts';

/** Truths that are read as more than they say: lists that mark no option, ALL where no option says so. */
export function noteTruths(drafts: readonly McqDraft[], samples: readonly Sample[]): string[] {
  const none = drafts.filter(({ truths }) => truths.some(({ value }) => marksNone(value)));
  const all = drafts.filter((draft, index) => meansEvery(draft, samples[index]?.target ?? null));
  return [
    ...note(
      none,
      'truth marks no option as right and is read',
      'truths mark no option as right and are read',
      'as NONE',
    ),
    ...note(
      all,
      'truth says ALL where no option does, and is read',
      'truths say ALL where no option does, and are read',
      'as every option',
    ),
  ];
}

function meansEvery({ truths, options }: McqDraft, target: string | null): boolean {
  const saysAll = truths.some(
    ({ value }) => typeof value === 'string' && (/^all$/i.test(value.trim()) || isAllStatement(value)),
  );
  return saysAll && !options.some(({ text }) => isAllStatement(text)) && target?.includes(',') === true;
}

function note(found: readonly McqDraft[], one: string, several: string, as: string): string[] {
  const first = found[0];
  return first === undefined
    ? []
    : [`${plural(found.length, one, several)} ${as}, first that of ${quote(first.id)} on line ${first.place.line}.`];
}
