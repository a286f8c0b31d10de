import { toFaultWord } from '../files/fault-word.ts';
import { saveWorkdir, toWorkspacePath } from '../runs/saved-workdir.ts';
import type { SampleResult } from '../types.ts';
import type { Trial, TrialSetting } from './run-trial.ts';
import { Workdir } from './workdir.ts';

/** A work folder of which not all was kept: where it was to be, and why not. */
export type Unkept = { readonly where: string; readonly why: string };

/** Whether the setting says to keep the work folder of a trial with this result. */
export function isWorkdirKept(
  { state }: Pick<SampleResult, 'state'>,
  { keepWorkdir }: Pick<TrialSetting, 'keepWorkdir'>,
): boolean {
  if (keepWorkdir === 'failed') return state !== 'correct' && state !== 'ungraded';
  return keepWorkdir === 'all';
}

/**
 * Keeps the work folder of a trial in the run folder, also for what was recalled, or never looked into its folder:
 * each kept task has its files and answer.txt. What goes wrong is a remark, and no fault of the sample or the run.
 */
export async function keepWorkdir(
  workdir: Workdir | null,
  trial: Pick<Trial, 'sample' | 'contents' | 'station'>,
  result: SampleResult,
  setting: Pick<TrialSetting, 'folder' | 'onUnkept'>,
): Promise<void> {
  // A folder that could not be made has nothing to keep, and its row says why.
  if (workdir !== null && workdir.fault !== null) return;
  const kept = workdir ?? new Workdir(trial.sample.attachments, trial.contents);
  const where = toWorkspacePath(result);
  try {
    const leftOut = await saveWorkdir(setting.folder, kept.path, result, trial.station.secrets);
    if (leftOut > 0) setting.onUnkept?.({ where, why: 'left-out.txt in it says what' });
  } catch (error) {
    setting.onUnkept?.({ where, why: toFaultWord(error) });
  } finally {
    if (workdir === null) await kept.remove();
  }
}

/** One remark for all of them. */
export function describeUnkept(unkept: readonly Unkept[]): readonly string[] {
  const [first] = unkept;
  if (first === undefined) return [];
  const which = unkept.length === 1 ? first.where : `${unkept.length} work folders, the first of them ${first.where}`;
  return [`EVAL_KEEP_WORKDIR: not all was kept of ${which} (${first.why}). No result depends on it.`];
}
