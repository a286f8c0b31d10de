import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../e2e/run-vitest.ts';
import { toFaultTable } from './fault-table.ts';

test('the faults of a server in docs/reliability.md are those of the tests', () => {
  const page = readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8');
  expect(/^\| fault of the server.*\n(?:\|.*\n)*/m.exec(page)?.[0]).toBe(toFaultTable());
});
