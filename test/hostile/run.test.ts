import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { writeGaiaFixture } from '../e2e/gaia-fixture.ts';
import { readRows, readSummary, runFolderOf, runVitest, writeReports } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';
import { ACTING, COMMANDING, TRAPS } from './hostile-text.ts';

const PLAIN = 100;

/** Records whose every text is a trap, and many plain ones beside them. */
function makeRecords() {
  // An id is read without blanks around it.
  const ids = [...new Set(TRAPS.map((text) => text.trim()))].filter((text) => text !== '');
  const traps = ids.map((id, at) => {
    const text = ids[(at + 7) % ids.length] ?? '';
    return {
      id,
      question: `${text} ${id}`,
      truth: `truth ${text}`,
      output: `${text}\nFINAL ANSWER: ${id} ${text}`,
    };
  });
  const long = {
    id: 'x'.repeat(20_000),
    question: 'long '.repeat(200_000),
    truth: '1',
    output: 'y '.repeat(500_000),
  };
  const plain = Array.from({ length: PLAIN }, (_, at) => ({
    id: `q${at}`,
    question: `${at}?`,
    truth: '17',
    output: '17',
  }));
  return [...traps, long, ...plain];
}

test('a run over hostile records loses none, and every file of it is whole', async () => {
  const lines = makeRecords();
  const reports = makeFolder();
  const names = ['--reporter=default', ...writeReports(reports, 'junit', 'json')];
  const run = await runVitest(['run', 'evals/gaia', ...names], writeGaiaFixture(lines).env);
  expect(run.code).toBe(1);
  expect(run.output).not.toMatch(/[^\P{Cc}\n\t]|[\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);

  expect(run.output).not.toMatch(COMMANDING);

  const folder = runFolderOf(run.dir);
  const rows = new Map(readRows(folder).map((row) => [row.id, row]));
  expect([rows.size, readRows(folder).length]).toEqual([lines.length, lines.length]);
  for (const { id, truth, output } of lines)
    expect(rows.get(id)).toMatchObject({ target: truth, output });
  expect(readSummary(folder).suites[0]?.groups.at(-1)).toMatchObject({ n: lines.length });

  const submitted = readFileSync(join(folder, 'submission.jsonl'), 'utf8').trimEnd().split('\n');
  expect(submitted.map((line) => JSON.parse(line).task_id)).toEqual(lines.map(({ id }) => id));
  const answers: string[][] = parseCsv(readFileSync(join(folder, 'answers.csv'), 'utf8'));
  expect([answers.length, new Set(answers.map((row) => row.length)).size]).toEqual([
    lines.length + 1,
    1,
  ]);
  for (const name of readdirSync(folder)) {
    if (!['traces', 'prompts'].includes(name))
      expect(readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n'), name).not.toMatch(
        ACTING,
      );
  }

  const xml = readFileSync(join(reports, 'junit'), 'utf8');
  expect(XMLValidator.validate(xml)).toBe(true);
  // Of the control characters XML knows only these three.
  expect([...xml].filter((character) => character < ' ' && !'\n\r\t'.includes(character))).toEqual(
    [],
  );
  const { testResults } = JSON.parse(readFileSync(join(reports, 'json'), 'utf8'));
  const metas: readonly { readonly meta: { readonly eval: { readonly id: string } } }[] =
    testResults[0].assertionResults;
  expect(new Set(metas.map(({ meta }) => meta.eval.id))).toEqual(
    new Set(lines.map(({ id }) => id)),
  );
});
