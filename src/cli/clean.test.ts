import {
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { MANIFEST } from '../../test/make-run.ts';
import { runViva } from '../../test/run-viva.ts';
import { RunWriter } from '../store/run-writer.ts';

const DAY_MS = 86_400_000;

/**
 * An EVAL_DIR whose runs and kept answers were written so many days ago.
 */
function makeEvalDir({
  runs,
  answers = [],
}: {
  readonly runs: readonly number[];
  readonly answers?: readonly number[];
}) {
  const dir = makeFolder();
  const folders = runs.map((days) => {
    const folder = RunWriter.begin(
      dir,
      { agents: [`${days}-days`], now: new Date(Date.now() - days * DAY_MS) },
      () => MANIFEST,
    ).folder;
    writeAged(join(folder, 'samples.jsonl'), days);
    age(folder, days);
    return folder;
  });
  const files = answers.map((days) =>
    writeAged(join(dir, 'cache/gaia', `0mgk1abc${days % 10}-${days}.jsonl`), days),
  );
  return { dir, folders, files };
}

function writeAged(file: string, days: number): string {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, 'x'.repeat(1000));
  age(file, days);
  return file;
}

function age(path: string, days: number): void {
  const time = (Date.now() - days * DAY_MS) / 1000;
  utimesSync(path, time, time);
}

async function runClean(dir: string, args: readonly string[]) {
  const { code, output } = await runViva(['clean', ...args], { EVAL_DIR: dir });
  return { code, printed: output.split('\n') };
}

describe('clean', () => {
  test('removes runs and answers by age and says which', async () => {
    const { dir, folders, files } = makeEvalDir({ runs: [40, 31, 5], answers: [50, 3] });
    const agent = writeAged(join(dir, 'cache/gaia,agents/0123456789abcdef.json'), 50);
    const { code, printed } = await runClean(dir, ['--older-than', '30d']);
    expect(code).toBe(0);
    const paths = [...folders, ...files, agent];
    expect(paths.map((path) => existsSync(path))).toEqual([false, false, true, false, true, false]);
    expect(printed.at(-1)).toMatch(/^removed 4 of 6 in /);
    expect(printed).toContainEqual(expect.stringMatching(/^removed {2}.*0mgk1abc0-50\.jsonl$/));
    expect(printed).toHaveLength(5);
  });

  test('removes nothing in a dry run and says what it would remove', async () => {
    const { dir, folders } = makeEvalDir({ runs: [40, 5] });
    const { code, printed } = await runClean(dir, ['--older-than', '30d', '--dry-run']);
    expect([code, ...folders.map((path) => existsSync(path))]).toEqual([0, true, true]);
    expect(printed[0]).toMatch(/^would remove {2}.*40-days$/);
    expect(printed[1]).toMatch(/^would remove 1 of 2 in /);
  });

  test('touches nothing that it did not make, and follows no link', async () => {
    const { dir } = makeEvalDir({ runs: [40, 5] });
    const elsewhere = makeFolder({ 'mine.txt': 'mine' });
    const mine = [
      join(dir, 'runs/mine/a'),
      join(dir, 'cache/gaia/notes.jsonl'),
      join(dir, 'notes/b'),
    ];
    for (const file of mine) writeAged(file, 99);
    symlinkSync(elsewhere, join(dir, 'runs/20200101T000000Z-link'));
    symlinkSync(elsewhere, join(dir, 'cache/link'));
    await runClean(dir, ['--older-than', '0h']);
    expect(mine.map((path) => existsSync(path))).toEqual([true, true, true]);
    expect(readdirSync(elsewhere)).toEqual(['mine.txt']);
    expect(readdirSync(join(dir, 'runs'))).toContain('20200101T000000Z-link');
  });
});
