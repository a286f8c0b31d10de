import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAskedAgain } from '../../src/words/row.ts';
import { ROOT } from '../e2e/run-vitest.ts';
import { expectedOf, FAULTS, type Fault, type Outcome } from '../faults/api/faults.ts';
import { WIRES } from '../faults/api/wire.ts';
import { KINDS, toCases } from '../wire/cases.ts';
import { CHECKS } from '../wire/checks.ts';

test('the faults of a server in docs/reliability.md are those of the tests', () => {
  const page = readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8');
  expect(/^\| fault of the server.*\n(?:\|.*\n)*/m.exec(page)?.[0]).toBe(toFaultTable());
});

test('what a strict server sends and refuses in docs/reliability.md is what the tests have', () => {
  const page = readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8');
  const kinds = KINDS.map(
    ({ what, becomes, rows }) => `| ${what} | ${toCases(rows).length} | ${becomes} |\n`,
  );
  const checks = CHECKS.map(({ what, apis }) => `| ${what} | ${toApis(apis)} |\n`);
  expect(/^\| what a server sends .*\n.*\n((?:\|.*\n)*)/m.exec(page)?.[1]).toBe(kinds.join(''));
  expect(/^\| refused in a request .*\n.*\n((?:\|.*\n)*)/m.exec(page)?.[1]).toBe(checks.join(''));
});

function toApis(apis: readonly string[]): string {
  return apis.length === 3 ? 'all' : apis.map((api) => `\`${api}:\``).join(', ');
}

/** The matrix of test/faults/api/ as docs/reliability.md shows it: a line for each fault. */
function toFaultTable(): string {
  const head =
    '| fault of the server | state, reason | requests | asked again |\n| --- | --- | --: | --- |\n';
  return `${head}${FAULTS.map((fault) => `${toTableRow(fault)}\n`).join('')}`;
}

function toTableRow(fault: Fault): string {
  const cases = WIRES.flatMap(({ kind }) => [false, true].map((streamed) => ({ kind, streamed })));
  const outcomes = Map.groupBy(cases, ({ kind, streamed }) =>
    toSentence(expectedOf(fault, kind, streamed)),
  );
  const others = [...outcomes].filter(([sentence]) => sentence !== toSentence(fault.expected));
  const remarks = others.map(([sentence, where]) => `. ${toNames(where)}: ${sentence}`);
  return `| ${fault.what}${remarks.join('')} | ${toStateCells(fault.expected).join(' | ')} |`;
}

function toSentence(outcome: Outcome): string {
  const [result, requests, again] = toStateCells(outcome);
  return `${result}; ${requests} ${requests === '1' ? 'request' : 'requests'}; ${again === 'yes' ? '' : 'not '}asked again`;
}

function toStateCells({ state, reason, calls, uncounted }: Outcome) {
  const named = reason === null || reason === state ? state : `${state}, ${reason}`;
  const requests = typeof calls === 'number' ? `${calls}` : `${calls[0]} to ${calls[1]}`;
  return [
    `${named}${uncounted ? ', no usage' : ''}`,
    requests,
    isAskedAgain(reason) ? 'yes' : 'no',
  ];
}

/** "With `anthropic`", "Streamed", "With `anthropic`, streamed". */
function toNames(cases: readonly { readonly kind: string; readonly streamed: boolean }[]): string {
  const kinds = [...new Set(cases.map(({ kind }) => kind))];
  const isStreamed = cases.every(({ streamed }) => streamed);
  if (kinds.length === WIRES.length) return isStreamed ? 'Streamed' : 'Otherwise';
  return `With ${kinds.map((kind) => `\`${kind}\``).join(' and ')}${isStreamed ? ', streamed' : ''}`;
}
