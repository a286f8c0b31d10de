import type { EvalConfig } from '../config.ts';
import { Budget } from '../runs/budget.ts';
import { readSampleLog } from '../runs/sample-log.ts';
import type { Agent } from '../types.ts';
import { ProviderGate, type StopReason } from './provider-gate.ts';

/** One turn of a run: a run is one turn, and watch mode adds a turn for each edit. */
export type Turn = {
  /** Absolute path of the run folder. */
  readonly folder: string;
  readonly turn: number;
};

/** What the suites of one turn share: the money, and the gate of each provider. */
export type RunGates = {
  readonly budget: Budget | null;
  gateOf(agent: Agent): ProviderGate;
  /** Lets nothing more through any gate, those of later suites included; calls under way go on. */
  stop(reason: StopReason, why: string): void;
};

let latest: { readonly key: string; readonly gates: RunGates } | null = null;

/**
 * The gates of a turn, the same for each suite: a key that was refused, or an account that is used up, in one suite is so
 * in the next. A new turn begins anew, since the user may have mended it.
 */
export function gatesOfRun({ folder, turn }: Turn, config: EvalConfig): RunGates {
  const key = JSON.stringify([folder, turn]);
  if (latest?.key !== key) latest = { key, gates: openGates(folder, config) };
  return latest.gates;
}

function openGates(folder: string, { maxCost, concurrency }: EvalConfig): RunGates {
  const budget = maxCost === null ? null : new Budget(maxCost, readSpent(folder));
  const gates = new Map<string, ProviderGate>();
  let stopped: Parameters<ProviderGate['stop']> | null = null;
  return {
    budget,
    gateOf: ({ provider, name }) => {
      const known = gates.get(provider ?? name);
      if (known !== undefined) return known;
      // Only a provider can refuse a key; and a budget needs one cost before it can tell what others will be.
      const pilot = provider !== undefined || budget !== null;
      const gate = new ProviderGate({ concurrency, budget, pilot });
      gates.set(provider ?? name, gate);
      if (stopped !== null) gate.stop(...stopped);
      return gate;
    },
    stop: (reason, why) => {
      stopped ??= [reason, why];
      for (const gate of gates.values()) gate.stop(reason, why);
    },
  };
}

/** What earlier turns of watch mode have spent. */
function readSpent(folder: string): number {
  const { results } = readSampleLog(folder);
  return results.reduce((sum, { cached, cost_usd }) => sum + (cached ? 0 : (cost_usd ?? 0)), 0);
}
