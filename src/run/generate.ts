import { afterAll, describe, test } from 'vitest';
import { addNotes } from '../store/manifest.ts';
import { flushResults, type PlannedMeta } from '../store/sample-log.ts';
import { redactMessage } from '../text/secrets.ts';
import { escapeLine } from '../text/show.ts';
import type { Sample } from '../types.ts';
import type { Station } from './ask.ts';
import { runTrial, type Trial, type TrialSetting } from './trial.ts';
import { describeUnkept, type Unkept } from './workdir.ts';

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
      for (const trial of trials) generateOne(trial, listening, `${escapeLine(trial.sample.group)} > `, layout);
      return;
    }
    const groups = byGroup(trials, ({ sample }) => sample.group);
    for (const [group, members] of layout.order === 'grouped' ? groups : groups.toReversed()) {
      describe.concurrent(escapeLine(group), () => {
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
      describe(escapeLine(group), () => {
        for (const { id } of members) test(escapeLine(id), { tags: tagsOf(group) }, ({ skip }) => skip(reason));
      });
    }
  });
}

function generateOne(trial: Trial, setting: TrialSetting, prefix: string, layout: Layout): void {
  const { sample, station, meta } = trial;
  const agent = layout.severalAgents ? [station.agent.name] : [];
  const number = layout.severalTrials ? [`trial ${meta.trial}`] : [];
  const title = [sample.id, ...agent, ...number].map((part) => escapeLine(part)).join(' | ');
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

/**
 * Puts what agents have to say of their answers into the manifest, for the report, after what else there is to say. A
 * full disk costs the notes alone.
 */
function noteRemarks(folder: string, suite: string, stations: readonly Station[], others: readonly string[]): void {
  const remarks = stations.flatMap(({ agent, secrets = [], gated = false }) =>
    (agent.remarks?.(gated) ?? []).map((remark) => `${agent.name}: ${redactMessage(remark, secrets)}`),
  );
  const notes = [...others, ...remarks];
  try {
    if (notes.length > 0) addNotes(folder, suite, notes);
  } catch {
    // The rows are what counts; that nothing can be written is said where they are.
  }
}
