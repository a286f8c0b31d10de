import { quote } from '../words/show.ts';
import type { ReadyRun } from './provided-run.ts';

/** What EVAL_IDS names and the suites of this run that are planned so far do not have. */
let planned: Readonly<{ folder: string; ids: readonly (readonly string[])[] }> | undefined;

/**
 * Throws before the first question is asked if EVAL_IDS names what no suite has. The report says it too:
 * where several files run, no worker knows all suites. `ids` are those that the next suite lacks.
 */
export function refuseUnmatched(
  ids: readonly string[],
  { folder, suites }: Pick<ReadyRun, 'folder' | 'suites'>,
): void {
  const before = planned?.folder === folder ? planned.ids : [];
  planned = { folder, ids: [...before, ids] };
  if (planned.ids.length !== suites) return;
  const pattern = ids.find((each) => before.every((others) => others.includes(each)));
  if (pattern !== undefined)
    throw new Error(
      `EVAL_IDS: ${quote(pattern)} matches no sample of any suite: correct it, or leave it out.`,
    );
}
