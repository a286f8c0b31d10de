import { toVisible } from '../src/text/visible-text.ts';
import type { SampleResult } from '../src/types.ts';

/** Why results were not run: their number by reason, and what stopped an agent, in its own words. */
export function explainNotRun(results: readonly SampleResult[]): {
  readonly counts: string;
  readonly stops: readonly string[];
} {
  const missing = results.filter(({ state }) => state === 'not_run');
  const byReason = Map.groupBy(missing, ({ reason }) => reason ?? '-');
  const stopped = missing.filter(({ reason }) => STOPS.some((stop) => stop === reason));
  return {
    counts: [...byReason].map(([reason, { length }]) => `${reason} ${length}`).join(', '),
    stops: [...new Set(stopped.map(({ explanation }) => explanation))],
  };
}

/** Reasons that end an agent's part of a run, and that its user can do something about. */
const STOPS = ['auth', 'quota', 'budget', 'disk', 'no_command'] as const;

/** The same in a few words, for the last line; null when everything ran. */
export function summarizeNotRun(results: readonly SampleResult[]): string | null {
  const { counts, stops } = explainNotRun(results);
  if (counts === '') return null;
  const [first] = stops;
  return first === undefined ? counts : `${counts}: ${toVisible(first, 160)}`;
}
