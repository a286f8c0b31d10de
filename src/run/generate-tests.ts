import { afterAll, describe, test } from 'vitest';
import { compareNaturally } from '../figures/groups.ts';
import { syncLines } from '../store/line-file.ts';
import type { PlannedMeta, ResultMeta } from '../store/trial-meta.ts';
import type { Sample } from '../words/sample.ts';
import { redactMessage } from '../words/secrets.ts';
import { escapeLine, lineIf, tryOrUndefined } from '../words/show.ts';
import { keepSnapshots, nameSnapshots } from './keep-snapshots.ts';
import { type AgentLane, listAgents } from './lanes.ts';
import { waitForLeftBehind } from './left-behind.ts';
import type { Trial } from './plan.ts';
import { inOwnTest } from './score-expect.ts';
import { onCancelled } from './task-runner.ts';
import { runTrial, type TrialSetting } from './trial.ts';

/**
 * "grouped": a block for each group in natural order. "last group first": the same, but the hardest
 * level first, so that the longest answers do not begin last. "as selected": one list, so that a
 * budget that runs out does not cut off a level.
 */
export type Order = 'grouped' | 'last group first' | 'as selected';

/**
 * One Vitest test for each trial: `<suite> > <group> > <id>`, agent, prompt and trial added when
 * there are several. `isWhole`: see `asksAll`.
 */
export function generateTests(
  suite: string,
  trials: readonly Trial[],
  order: Order,
  setting: TrialSetting,
  isWhole: boolean,
): void {
  const lanes = [...new Set(trials.map(({ lane }) => lane))];
  const several = {
    agents: listAgents(lanes).length > 1,
    trials: trials.some(({ meta }) => meta.trial > 1),
  };
  // After `--bail` the process may end before the suite does.
  onCancelled(() => void tryOrUndefined(() => setting.writer.writeAtOnce()));
  const { definition } = setting.suite;
  const scored = new Set<Trial>();
  // In the file: it is called where `-t` leaves the suite out, too.
  afterAll(() => {
    if (isWhole && scored.size === trials.length) return;
    keepSnapshots(suite, new Set([...scored].map((trial) => nameSnapshots(trial, definition))));
  });
  if (definition.matcher === undefined && (definition.score ?? definition.scores) !== undefined)
    waitForLeftBehind();
  const describeSuite = definition.only === true ? describe.only : describe;
  describeSuite.concurrent(suite, () => {
    afterAll(async () => {
      setting.writer.flush();
      await Promise.all(lanes.map(({ tools }) => tools?.settle()));
      recordRemarks(suite, lanes, setting);
      await syncLines();
      setting.writer.close();
    });
    if (order === 'as selected') {
      for (const trial of trials)
        generateTest(trial, `${escapeLine(trial.sample.group)} > `, several, setting, scored);
      return;
    }
    const groups = byGroup(trials, ({ sample }) => sample.group);
    for (const [group, members] of order === 'grouped' ? groups : groups.toReversed()) {
      describe.concurrent(escapeLine(group), () => {
        for (const trial of members) generateTest(trial, '', several, setting, scored);
      });
    }
  });
}

/** The tests of a suite that does not run. They are skipped with the reason. */
export function generateSkipped(suite: string, samples: readonly Sample[], reason: string): void {
  afterAll(() => keepSnapshots(suite, new Set()));
  describe(suite, () => {
    // Vitest reports a file without any test as a mistake.
    if (samples.length === 0) test('nothing selected', ({ skip }) => skip(reason));
    for (const [group, members] of byGroup(samples, (sample) => sample.group)) {
      describe(escapeLine(group), () => {
        for (const { id } of members)
          test(escapeLine(id), { tags: tagsOf(group) }, ({ skip }) => skip(reason));
      });
    }
  });
}

/** Adds the notes of agents to the manifest after the run. */
function recordRemarks(
  suite: string,
  lanes: readonly AgentLane[],
  { writer, isHidden }: TrialSetting,
): void {
  const byAgent = new Map(lanes.map((lane) => [lane.agent, lane]));
  const notes = [...byAgent.values()].flatMap(({ agent, secrets }) =>
    (agent.remarks?.(isHidden) ?? []).map(({ kind, text }) => ({
      agent: agent.name,
      kind,
      text: redactMessage(text, secrets),
    })),
  );
  try {
    if (notes.length > 0) writer.notes(suite, notes);
  } catch {
    // On a full disk only the notes are lost.
  }
}

/** Groups in natural order: "level 2" before "level 10". */
function byGroup<T>(
  members: readonly T[],
  groupOf: (member: T) => string,
): readonly [string, readonly T[]][] {
  return [...Map.groupBy(members, groupOf)].sort(([a], [b]) => compareNaturally(a, b));
}

function generateTest(
  trial: Trial,
  prefix: string,
  several: Readonly<{ agents: boolean; trials: boolean }>,
  setting: TrialSetting,
  scored: Set<Trial>,
): void {
  const { sample, lane, meta, cached } = trial;
  const title = [
    sample.id,
    ...lineIf(several.agents, lane.agent.name),
    ...(meta.prompt === undefined ? [] : [meta.prompt]),
    ...lineIf(several.trials, `trial ${meta.trial}`),
  ];
  const planned: PlannedMeta = cached === null ? meta : { ...meta, cached: true };
  // Ignore --retry: another try would raise the accuracy.
  const options = {
    retry: 0,
    repeats: 0,
    timeout: 0,
    meta: { eval: planned },
    tags: tagsOf(sample.group),
  };
  const name = `${prefix}${title.map((part) => escapeLine(part)).join(' | ')}`;
  test(name, options, async (context) => {
    const { task } = context;
    await inOwnTest(task, () => runTrial(trial, setting, context)).finally(() => {
      if (isScored(task.meta.eval)) scored.add(trial);
    });
  });
}

function isScored(meta: PlannedMeta | ResultMeta | undefined): boolean {
  return meta !== undefined && 'state' in meta && ['correct', 'incorrect'].includes(meta.state);
}

/** GAIA's levels can be picked by tag; Vitest knows only tags that vitest.config.ts declares. */
function tagsOf(group: string): string[] {
  const level = /^level ([123])$/.exec(group);
  return level === null ? [] : [`level${level[1]}`];
}
