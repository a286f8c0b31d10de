import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { LineFile } from './line-file.ts';

/** Runs a program whose files may not grow beyond 4 KiB, until it calls `lift()`; gives what it printed. */
function runWithSmallFiles(folder: string, program: string): string {
  const source = `
    import { execFileSync } from 'node:child_process';
    const folder = ${JSON.stringify(folder)};
    const lift = () => execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited']);
    const attempt = (work) => { try { work(); return 'kept'; } catch (error) { return error.code; } };
    ${program}`;
  const words = ['--fsize=4096:unlimited', process.execPath, '--input-type=module', '-e', source];
  return execFileSync('prlimit', words, { encoding: 'utf8' });
}

const at = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);

describe('a disk that takes a part of a line', () => {
  test('is an error, and the next line stands by itself', () => {
    const folder = makeFolder();
    const said = runWithSmallFiles(
      folder,
      `const { LineFile } = await import(${at('./line-file.ts')});
       const file = new LineFile(folder + '/lines');
       const ends = ['a'.repeat(3000), 'b'.repeat(3000)].map((text) => attempt(() => file.append(text + '\\n')));
       lift();
       file.append('c\\n');
       console.log(ends.join());`,
    );
    expect(said).toBe('kept,EFBIG\n');
    const lines = readFileSync(join(folder, 'lines'), 'utf8').split('\n');
    expect(lines).toEqual(['a'.repeat(3000), 'b'.repeat(4096 - 3001), 'c', '']);
  });

  test('loses one answer of the cache, says so, and no other', () => {
    const said = runWithSmallFiles(
      makeFolder(),
      `const { AnswerCache } = await import(${at('./answer-cache.ts')});
       const cache = new AnswerCache(folder);
       const toParts = (question) => ({ agent: 'a', prompt: 'p', question, limits: 'l', trial: 1 });
       const time = '2026-01-01T00:00:00.000Z';
       const times = { started_at: time, answered_at: time, latency_ms: 1, attempts: 1 };
       const put = (question, text) => cache.put(toParts(question), { ...times, outcome: 'answered', answer: { text } });
       const ends = [['q1', 'a'], ['q2', 'b']].map(([id, say]) => attempt(() => put(id, say.repeat(2500))));
       lift();
       put('q3', 'c');
       const again = new AnswerCache(folder);
       console.log([...ends, ...['q1', 'q2', 'q3'].map((id) => again.get(toParts(id))?.answer.text[0])].join());`,
    );
    expect(said).toBe('kept,EFBIG,a,,c\n');
  });

  test('loses one row of a run, says so, and no other', () => {
    const said = runWithSmallFiles(
      makeFolder(),
      `const { appendResult, readSampleLog } = await import(${at('./sample-log.ts')});
       const append = (id, output) => appendResult(folder, { version: 1, id, state: 'correct', output });
       const ends = [['a', 3000], ['b', 3000]].map(([id, size]) => attempt(() => append(id, 'x'.repeat(size))));
       lift();
       append('c', 'y');
       const { results, unreadable } = readSampleLog(folder);
       console.log([...ends, ...results.map(({ id }) => id), unreadable].join());`,
    );
    expect(said).toBe('kept,EFBIG,a,c,1\n');
  });
});

test('says that the disk is full', () => {
  expect(() => new LineFile('/dev/full').append('a\n')).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
});

test('does not join a line that a crash left open, and leaves a whole one alone', () => {
  const file = join(makeFolder({ lines: 'whole\n' }), 'lines');
  const append = (line: string) => {
    const lines = new LineFile(file);
    lines.append(line);
    lines.close();
  };
  append('a\n');
  appendFileSync(file, 'torn');
  append('b\n');
  expect(readFileSync(file, 'utf8')).toBe('whole\na\ntorn\nb\n');
  writeFileSync(file, '');
  append('é\n');
  expect(readFileSync(file, 'utf8')).toBe('é\n');
});

test('a file that was removed takes no further line', () => {
  const folder = makeFolder();
  const file = new LineFile(join(folder, 'lines'));
  file.append('a\n');
  rmSync(join(folder, 'lines'));
  expect(() => file.append('b\n')).toThrow('lines was removed');
  file.close();
});

describe('a line that was appended', () => {
  test('is read again as it was, among others', () => {
    const file = new LineFile(join(makeFolder({ lines: 'torn' }), 'lines'));
    const lines = ['é€😀', '', 'x'.repeat(100_000), 'last'];
    const readers = lines.map((line) => file.appendLine(line));
    expect(readers.map((read) => read())).toEqual(lines);
  });

  test('reads as nothing once its file is gone', () => {
    const folder = makeFolder();
    const read = new LineFile(join(folder, 'lines')).appendLine('one');
    rmSync(join(folder, 'lines'));
    expect(read()).toBe('');
  });
});
