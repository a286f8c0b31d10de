import type { SampleResult } from '../src/types.ts';

/** How an agent's provider refused for its rate: calls that had to wait, and how far their number was cut. */
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
  const cut = least < most ? `; at worst ${least} calls ran at once instead of ${most}` : '';
  return [
    `${agent}: the provider refused for its rate: ${waits.length} calls waited ${seconds.toFixed(1)} s in all${cut}`,
  ];
}
