import { plural } from '../src/text/plural.ts';
import type { SampleResult } from '../src/types.ts';

/**
 * How many calls of an agent had to wait, and how far the number of those at once was cut. Rows tell of a wait and not
 * of its cause, which may be a connection on which no status came back; only a refusal cuts the number.
 */
export function toRateRemarks(results: readonly SampleResult[]): readonly string[] {
  const asked = results.filter(({ cached }) => !cached);
  return [...Map.groupBy(asked, ({ agent }) => agent)].flatMap(([agent, rows]) => toRateRemark(agent, rows));
}

function toRateRemark(agent: string, rows: readonly SampleResult[]): readonly string[] {
  const slots = rows.flatMap((row) => (row.slots === undefined ? [] : [row.slots]));
  const waits = rows.filter(({ waited_ms }) => waited_ms > 0);
  const least = slots.reduce((low, count) => Math.min(low, count), Number.POSITIVE_INFINITY);
  const most = slots.reduce((high, count) => Math.max(high, count), 0);
  const seconds = waits.reduce((sum, { waited_ms }) => sum + waited_ms, 0) / 1000;
  const calls = plural(waits.length, 'call was', 'calls were');
  const waited = `${calls} put off, refused or not reached, for ${seconds.toFixed(1)} s in all, which count in no latency`;
  const cut = `calls were refused as too many, and as few as ${least} at once were asked instead of ${most}`;
  const said = [...(waits.length > 0 ? [waited] : []), ...(least < most ? [cut] : [])];
  return said.length === 0 ? [] : [`${agent}: ${said.join('; ')}`];
}
