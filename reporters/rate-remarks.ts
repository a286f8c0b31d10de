import type { SampleResult } from '../src/types.ts';

/** How an agent's server put calls off: how many had to wait, and how far the number of those at once was cut. */
export function toRateRemarks(results: readonly SampleResult[]): readonly string[] {
  const asked = results.filter(({ cached }) => !cached);
  return [...Map.groupBy(asked, ({ agent }) => agent)].flatMap(([agent, rows]) => toRateRemark(agent, rows));
}

function toRateRemark(agent: string, rows: readonly SampleResult[]): readonly string[] {
  const slots = rows.flatMap((row) => (row.slots === undefined ? [] : [row.slots]));
  const waits = rows.filter(({ waited_ms }) => waited_ms > 0);
  const least = slots.reduce((low, count) => Math.min(low, count), Number.POSITIVE_INFINITY);
  const most = slots.reduce((high, count) => Math.max(high, count), 0);
  if (waits.length === 0 && least >= most) return [];
  const seconds = waits.reduce((sum, { waited_ms }) => sum + waited_ms, 0) / 1000;
  const calls = waits.length === 1 ? '1 call' : `${waits.length || 'some'} calls`;
  const waited = waits.length === 0 ? '' : `, ${seconds.toFixed(1)} s in all, which count in no latency`;
  const cut = least < most ? `; to spare it, as few as ${least} at once were asked instead of ${most}` : '';
  return [`${agent}: the server put off ${calls} (status 429 or 5xx)${waited}${cut}`];
}
