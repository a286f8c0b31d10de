import { afterAll, describe, test } from 'vitest';
import { flushResults } from '../runs/sample-log.ts';
import type { PlannedMeta } from '../runs/trial-meta.ts';
import { toVisible } from '../text/visible-text.ts';
import type { Sample } from '../types.ts';
import { describeUnkept, type Unkept } from './keep-workdir.ts';
import { noteRemarks } from './note-remarks.ts';
import { runTrial, type Trial, type TrialSetting } from './run-trial.ts';

/** How the tests of a suite are laid out. */
export type Layout = {
  readonly severalAgents: boolean;
  readonly severalTrials: boolean;
  /** The trials whose answer is in the cache. */
  readonly kept: ReadonlySet<Trial>;
  /**
   * "grouped": a block for each group in natural order. "last group first": the same, hardest level first, so that the
   * longest answers do not begin last. "as selected": one list, so that a budget that runs out cuts no level off.
   */
  readonly order: 'grouped' | 'last group first' | 'as selected';
};

/** One Vitest test for each trial: `<suite> > <group> > <id>`, agent and trial added when there are several. */
export function generate(suite: string, trials: readonly Trial[], setting: TrialSetting, layout: Layout): void {
  const unkept: Unkept[] = [];
  const listening = { ...setting, onUnkept: (one: Unkept) => unkept.push(one) };
  describe.concurrent(suite, () => {
    afterAll(() => {
      flushResults();
      noteRemarks(setting.folder, suite, [...new Set(trials.map(({ station }) => station))], describeUnkept(unkept));
    });
    if (layout.order === 'as selected') {
      for (const trial of trials) generateOne(trial, listening, `${toVisible(trial.sample.group)} > `, layout);
      return;
    }
    const groups = byGroup(trials, ({ sample }) => sample.group);
    for (const [group, members] of layout.order === 'grouped' ? groups : groups.toReversed()) {
      describe.concurrent(toVisible(group), () => {
        for (const trial of members) generateOne(trial, listening, '', layout);
      });
    }
  });
}

/** The tests of a suite that may not run: shown, skipped, with the reason. */
export function generateHeld(suite: string, samples: readonly Sample[], reason: string): void {
  describe(suite, () => {
    // Vitest takes a file without any test for a mistake.
    if (samples.length === 0) test('nothing selected', ({ skip }) => skip(reason));
    for (const [group, members] of byGroup(samples, (sample) => sample.group)) {
      describe(toVisible(group), () => {
        for (const { id } of members) test(toVisible(id), { tags: tagsOf(group) }, ({ skip }) => skip(reason));
      });
    }
  });
}

function generateOne(trial: Trial, setting: TrialSetting, prefix: string, layout: Layout): void {
  const { sample, station, meta } = trial;
  const agent = layout.severalAgents ? [station.agent.name] : [];
  const number = layout.severalTrials ? [`trial ${meta.trial}`] : [];
  const title = [sample.id, ...agent, ...number].map((part) => toVisible(part)).join(' | ');
  // Whatever --retry says: a retry that passes would turn exact match into best-of-n.
  const planned: PlannedMeta = layout.kept.has(trial) ? { ...meta, kept: true } : meta;
  const options = { retry: 0, repeats: 0, timeout: 0, meta: { eval: planned }, tags: tagsOf(sample.group) };
  test(`${prefix}${title}`, options, (context) => runTrial(trial, setting, context));
}

/** Groups in natural order: "level 2" before "level 10". */
function byGroup<T>(members: readonly T[], groupOf: (member: T) => string): readonly [string, readonly T[]][] {
  return [...Map.groupBy(members, groupOf)].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
}

/** GAIA's levels can be picked by tag; Vitest knows only tags that vitest.config.ts declares. */
function tagsOf(group: string): string[] {
  const level = /^level ([123])$/.exec(group);
  return level === null ? [] : [`level${level[1]}`];
}
