import { setTimeout as sleep } from 'node:timers/promises';
import { shuffle } from '../../src/data/selection.ts';
import { createRandom } from '../../src/figures/result.fixture.ts';
import { findViolations, readFigures, readKept } from './check.ts';
import { type FaultKind, LiveRun } from './live-run.ts';
import { SUITES, type SuiteName } from './suites.ts';
import { type Edited, editAgent, makeWorld, readCalls, type World } from './world.ts';

/** What happens once all runs together have made so many more calls, and so many ms later. */
export type Fault = { readonly kind: FaultKind; readonly calls: number; readonly ms: number } & (
  | { readonly kind: 'kill'; readonly victim: 'main' | 'worker' | 'group' }
  | { readonly kind: 'pause'; readonly forMs: number }
  | { readonly kind: 'clock'; readonly shiftMs: number; readonly thenAnother: boolean }
  | { readonly kind: 'disk'; readonly bytesLeft: number; readonly forMs: number | null }
  | { readonly kind: Edited; readonly edition: number }
);

/**
 * The faults in their order, and how many ms after a run another one over the same cache begins;
 * where both have ended, two more do.
 */
export type Plan = Readonly<{
  seed: number;
  suite: SuiteName;
  faults: readonly Fault[];
  secondAfterMs: number;
}>;

export type Round = Readonly<{
  plan: Plan;
  /** The faults that came in time, for each run. */
  happened: readonly string[];
  calls: number;
  violations: readonly string[];
}>;

const DAY_MS = 86_400_000;

const KINDS: readonly { readonly kind: FaultKind }[] = [
  { kind: 'kill' },
  { kind: 'pause' },
  { kind: 'clock' },
  { kind: 'disk' },
  { kind: 'kill' },
  { kind: 'clock' },
  { kind: 'prompt' },
  { kind: 'code' },
  { kind: 'comment' },
];

/** Everything random of a round: the same seed gives the same plan. */
export function planRound(seed: number, count = 7): Plan {
  const random = createRandom(seed);
  const upTo = (most: number) => Math.round(random() * most);
  const kinds = shuffle(KINDS, seed).slice(0, count);
  const faults = kinds.map(({ kind }, index): Fault => {
    // One in six comes at any time, as while a run starts.
    const isSoon = random() < 1 / 6;
    const moment = { calls: isSoon ? 0 : 1 + upTo(45), ms: upTo(isSoon ? 1500 : 100) };
    const victim = (['main', 'worker', 'group'] as const)[Math.floor(random() * 3)] ?? 'main';
    if (kind === 'kill') return { ...moment, kind, victim };
    // Longer than the deadline.
    if (kind === 'pause') return { ...moment, kind, forMs: 3200 + upTo(1500) };
    const shiftMs = Math.round((random() - 0.5) * 20 * DAY_MS);
    if (kind === 'clock') return { ...moment, kind, shiftMs, thenAnother: random() < 0.5 };
    if (kind === 'disk')
      return { ...moment, kind, bytesLeft: upTo(8_000), forMs: random() < 0.5 ? null : upTo(500) };
    return { ...moment, kind, edition: index + 1 };
  });
  const suite = SUITES[seed % SUITES.length] ?? 'gaia';
  return { seed, suite, faults, secondAfterMs: upTo(500) };
}

/**
 * Plays a plan in a world of its own, resumes until the run is complete, and checks everything;
 * with the packages of the clone, or those of a folder.
 */
export async function playRound(plan: Plan, modules: string | null = null): Promise<Round> {
  const options = { ...plan, modules };
  const [world, calm] = [await makeWorld(options), await makeWorld(options)];
  const reference = new LiveRun(calm, 1, new Set());
  const runs: LiveRun[] = [];
  try {
    await disturb(world, plan, runs);
    const codes = [await start(world, runs).ended, await reference.ended];
    const violations = findViolations(world, runs, readFigures(reference));
    if (codes.some((code) => code !== 0))
      violations.push(`the last run and the undisturbed one ended with ${codes}`);
    const calls = runs.reduce((sum, run) => sum + run.callCount, 0);
    const happened = runs.map(({ faults }) => faults.join(' + ') || 'none');
    world.close({ keep: violations.length > 0 });
    if (violations.length > 0) violations.push(`see ${world.folder}`);
    return { plan, happened, calls, violations };
  } finally {
    for (const run of [...runs, reference]) run.end();
    calm.close({ keep: false });
  }
}

/** Does to all live runs what the plan says: they share their machine. */
async function disturb(
  world: World,
  { faults, secondAfterMs }: Plan,
  runs: LiveRun[],
): Promise<void> {
  for (const fault of faults) {
    if (runs.every(({ hasEnded }) => hasEnded)) await startTwo(world, runs, secondAfterMs);
    await waitForCalls(world, runs, fault.calls);
    await sleep(fault.ms);
    const live = runs.filter(({ hasEnded }) => !hasEnded);
    if (live.length === 0) continue;
    if ('edition' in fault) editAgent(world, fault.kind, fault.edition);
    await Promise.all(live.map((other) => strike(other, fault)));
    if (fault.kind === 'clock' && fault.thenAnother) start(world, runs);
  }
  await Promise.all(runs.map(({ ended }) => ended));
}

async function startTwo(world: World, runs: LiveRun[], secondAfterMs: number): Promise<void> {
  start(world, runs);
  await sleep(secondAfterMs);
  start(world, runs);
}

async function waitForCalls(world: World, runs: readonly LiveRun[], calls: number): Promise<void> {
  const wanted = readCalls(world).length + calls;
  while (runs.some(({ hasEnded }) => !hasEnded) && readCalls(world).length < wanted) await sleep(5);
}

function strike(run: LiveRun, fault: Fault): Promise<void> | void {
  if (fault.kind === 'kill') return run.kill(fault.victim);
  if (fault.kind === 'pause') return run.pause(fault.forMs);
  if (fault.kind === 'disk') return run.fillDisk(fault.bytesLeft, fault.forMs);
  if (fault.kind === 'clock') return run.shiftClock(fault.shiftMs);
  run.faults.push(fault.kind);
}

function start(world: World, runs: LiveRun[]): LiveRun {
  const run = new LiveRun(world, runs.length + 1, readKept(world));
  runs.push(run);
  return run;
}
