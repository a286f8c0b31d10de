import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditRules } from '../src/compare/audit.ts';
import { toResult } from '../src/figures/result.fixture.ts';
import { appendResult, readSampleLog } from '../src/store/sample-log.ts';
import type { SampleResult } from '../src/words/row.ts';
import { makeFolder } from '../test/make-folder.ts';
import { RowFollower } from './run-report.ts';

function toScored(id: string, target: string): SampleResult {
  const said = { output: 'I see 17.', answer: '18', rules: { official: false } };
  return Object.assign(toResult('incorrect', { id, target }), said);
}

test('rows that are read as they are written have the verdicts of the audit at the end', () => {
  const folder = makeFolder();
  appendResult(folder, toScored('first', '17'));
  const follower = new RowFollower(folder);
  follower.read();
  appendResult(folder, toScored('second', '19'));
  follower.read();
  for (const row of [toResult('errored'), toScored('last', '17')]) appendResult(folder, row);
  const { log, cases } = follower.end() ?? {};
  expect(log).toEqual(readSampleLog(folder));
  const results = log?.results ?? [];
  expect(results.filter((row) => cases?.has(row)).map(({ id }) => id)).toEqual(['first', 'second']);
  expect(auditRules(results, cases)).toEqual(auditRules(results));
});

test('a row that cannot be read leaves all of them to the end', () => {
  const folder = makeFolder();
  appendResult(folder, toScored('first', '17'));
  const follower = new RowFollower(folder);
  appendFileSync(join(folder, 'samples.jsonl'), '{"version": 2}\n');
  follower.read();
  expect(follower.end()).toBeNull();
});
