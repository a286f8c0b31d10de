import { expectedOf, FAULTS, type Fault, type Outcome } from '../faults/api/faults.ts';
import { WIRES } from '../faults/api/wire.ts';

/** The matrix of test/faults/api/ as docs/reliability.md shows it: a line for each fault. */
export function toFaultTable(): string {
  const head = '| fault of the server | state, reason | requests | asked again |\n| --- | --- | --: | --- |\n';
  return `${head}${FAULTS.map((fault) => `${toLine(fault)}\n`).join('')}`;
}

function toLine(fault: Fault): string {
  const cases = WIRES.flatMap(({ kind }) => [false, true].map((streamed) => ({ kind, streamed })));
  const outcomes = Map.groupBy(cases, ({ kind, streamed }) => toCells(expectedOf(fault, kind, streamed)));
  const usual = toCells(fault.expected);
  const others = [...outcomes].filter(([cells]) => cells !== usual);
  const remarks = others.map(([cells, where]) => `${toNames(where)}: ${cells.replaceAll(' | ', ', ')}`);
  const what = [fault.what, ...remarks].join('; ');
  return `| ${what} | ${usual} |`;
}

function toCells({ state, reason, calls, again, uncounted }: Outcome): string {
  const named = reason === null || reason === state ? state : `${state}, ${reason}`;
  const requests = typeof calls === 'number' ? `${calls}` : `${calls[0]} to ${calls[1]}`;
  return `${named}${uncounted === true ? ', no usage' : ''} | ${requests} | ${again ? 'yes' : 'no'}`;
}

/** "anthropic", "streamed", "anthropic streamed". */
function toNames(cases: readonly { readonly kind: string; readonly streamed: boolean }[]): string {
  const kinds = [...new Set(cases.map(({ kind }) => kind))];
  const isStreamed = cases.every(({ streamed }) => streamed);
  const who = kinds.length === WIRES.length ? [] : [kinds.map((kind) => `\`${kind}\``).join(' and ')];
  return [...who, ...(isStreamed ? ['streamed'] : [])].join(' ') || 'else';
}
