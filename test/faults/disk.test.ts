import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { readRows, readStopped, runFolderOf, runVitest } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';
import { faultSettings, outcomesOf } from './run-faults.ts';

const AGENT = 'module:./test/fixtures/faults-module/slow-agent.ts';

/**
 * Answers with a megabyte, counts its calls, and uses up the open files that a process may have for
 * a moment.
 */
const LONG = `import { appendFileSync, closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
let released;
export default async () => {
  await released;
  appendFileSync(new URL('calls', import.meta.url), '.');
  const held = [];
  try {
    while (held.length < 500) held.push(openSync('/dev/null'));
  } catch {}
  if (held.length === 500) throw new Error('no limit');
  released = sleep(50).then(() => held.map(closeSync));
  return 'noise '.repeat(180_000) + '\\nFINAL ANSWER: 17';
};`;

/**
 * Asks four questions one after the other, and does something while the second is asked. The answer
 * to the third is wrong.
 */
async function spoil(deed: (runFolder: string) => void) {
  const calls = join(makeFolder(), 'calls');
  const settings = faultSettings(['a', 'b', 'c', 'd'], AGENT);
  const env = { ...settings, EVAL_CONCURRENCY: '1', EVAL_MIN_ACCURACY: '0.5', FAULT_CALLS: calls };
  const running = runVitest(['run', 'evals/gaia'], env);
  while (readCalls(calls).length < 2) await sleep(10);
  const folder = runFolderOf(settings['EVAL_DIR'] ?? '');
  while (!existsSync(join(folder, 'traces'))) await sleep(10);
  deed(folder);
  writeFileSync(`${calls}.done`, '');
  return { ...(await running), folder, asked: readCalls(calls) };
}

function readCalls(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

describe('a disk that fails during a run', () => {
  test('at traces and the report: every row is kept, the figures are shown, and the run fails', async () => {
    const run = await spoil((folder) => {
      rmSync(join(folder, 'traces'), { recursive: true });
      writeFileSync(join(folder, 'traces'), 'a file where a folder should be');
      mkdirSync(join(folder, 'report.html'));
    });
    expect(outcomesOf(readRows(run.folder))).toEqual({
      a: 'correct',
      b: 'correct',
      c: 'incorrect',
      d: 'correct',
    });
    expect(run.code).toBe(1);
    expect(run.report).toContain('75.0 %');
    expect(run.report).toMatch(
      /exit 1: the run folder cannot be completed \(.+ \(E(NOTDIR|ISDIR)\)/,
    );
    expect(run.report).toMatch(/gaia b and 1 more: .+ cannot be made: .+ \((ENOTDIR|EEXIST)\)/);
    expect(JSON.parse(readFileSync(join(run.folder, 'summary.json'), 'utf8')).complete).toBe(true);
    const written = readdirSync(run.folder).filter((name) =>
      /^(answers|submission|summary)|tmp$/.test(name),
    );
    expect(written.toSorted()).toEqual([
      'answers.csv',
      'submission.jsonl',
      'summary.json',
      'summary.md',
    ]);
  });

  test('which is full, and few open files: rows and answers are kept, no further call begins, the figures have bounds', async () => {
    const folder = makeFolder({ 'agent.mjs': LONG });
    const settings = faultSettings(['a', 'b', 'c', 'd', 'e', 'f'], `module:${folder}/agent.mjs`);
    const env = { ...settings, EVAL_CONCURRENCY: '1', EVAL_MIN_ACCURACY: '0.1' };
    const run = await runVitest(['run', 'evals/gaia'], env, { fileLimit: 3_000, openFiles: 128 });
    expect([run.code, readFileSync(join(folder, 'calls'), 'utf8')]).toEqual([1, '...']);
    const { suites } = readStopped(join(run.dir, 'latest'));
    expect(suites[0]?.groups.at(-1)?.states).toMatchObject({ correct: 2, not_run: 4 });
    // How many rows still find room is a matter of bytes.
    expect(run.report).toMatch(
      /exit 1: (run error|[2-4] run errors, the first): gaia c(?: and \d more)?: .+ cannot be written: .+ \(EFBIG\)/,
    );
  });

  test('at the run folder, which is removed: the answers are kept, and no other is asked', async () => {
    const run = await spoil((folder) => rmSync(folder, { recursive: true }));
    expect(run.asked).toEqual(['a', 'b', 'c']);
    expect(run.code).toBe(1);
    expect(run.output).toContain('exit 1: the run folder cannot be read (');
    const cache = readdirSync(join(run.dir, 'cache/gaia')).map((name) =>
      join(run.dir, 'cache/gaia', name),
    );
    const kept = cache.flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'));
    expect(kept).toHaveLength(3);
  });
});
