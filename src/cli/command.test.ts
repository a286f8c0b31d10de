import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runViva } from '../../test/run-viva.ts';
import { makeDir, SUITE } from '../addons/calibrate/judged-run.fixture.ts';
import { toJudged } from '../figures/result.fixture.ts';
import { type Commands, runCommand } from './command.ts';

const COMMANDS: Commands = {
  count: {
    summary: 'counts its words',
    load: async () => ({ usage: 'WORDS', run: async ({ args }) => args.length }),
  },
  break: {
    summary: 'breaks',
    load: async () => ({
      usage: '[--all]\n  --all  in pieces',
      run: async () => {
        throw new Error('first line\nsecond \u001B[31mline');
      },
    }),
  },
};

const SILENT = { env: {}, isTerminal: false, print: () => {}, write: () => {}, warn: () => {} };

async function run(...words: readonly string[]): Promise<{ code: number; printed: string[] }> {
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  const code = await runCommand(COMMANDS, words, { ...SILENT, print });
  return { code, printed };
}

test('a command gets the words after it and returns the exit code', async () => {
  expect(await run('count', 'a', '--b')).toEqual({ code: 2, printed: [] });
});

test('--version prints the version of the package', async () => {
  expect(await run('--version')).toEqual({
    code: 0,
    printed: [expect.stringMatching(/^\d+\.\d+\.\d+$/)],
  });
});

test.each([[[]], [['help']], [['--help']], [['-h']]])('%j lists the commands', async (words) => {
  const { code, printed } = await run(...words);
  expect(code).toBe(0);
  expect(printed).toEqual([
    expect.stringMatching(/^Usage: pnpm viva <command>/),
    '',
    '  count  counts its words',
    '  break  breaks',
    '',
    'More: docs/package.md and the other pages of docs/',
  ]);
});

test('an unknown word is named with the nearest command and the list', async () => {
  const { code, printed } = await run('coun\u001B');
  expect(code).toBe(1);
  expect(printed[0]).toBe('There is no command "coun\\u001b". Did you mean count?');
  expect(printed).toContain('  count  counts its words');
});

test('an error is printed as its message, line by line, without control characters', async () => {
  expect(await run('break')).toEqual({
    code: 1,
    printed: ['first line', 'second \\u001b[31mline'],
  });
});

test.each(['--help', '-h'])(
  '%s after a word says what that command does, and does nothing',
  async (word) => {
    expect(await run('break', 'a', word)).toEqual({
      code: 0,
      printed: ['pnpm viva break: breaks', 'Usage: pnpm viva break [--all]', '  --all  in pieces'],
    });
  },
);

test.each([
  ['check', 'Expected one file or folder, got 0.\nUsage: pnpm viva check FILE [--as'],
  ['check a b', 'got 2.'],
  ['check a --as x', '--as must be gaia, mcq or records, got "x".'],
  [
    'check evals/a.eval.ts',
    'evals/a.eval.ts is an eval file: check its data, or see what it would ask with EVAL_DRY_RUN=1 pnpm vitest run',
  ],
  ['check gone', 'gone: no such file. Check the path.'],
  ['clean', '--older-than is missing.'],
  ['clean --older-than 30', 'must be hours, days or weeks, such as 12h, 30d or 8w, got "30".'],
  ['clean --older-than 1g', 'got "1g"'],
  ['clean --all', "Unknown option '--all'"],
  ['comment a b', 'Expected one run, got 2.'],
  ['compare a', 'Expected two runs, got 1.'],
  ['compare a b --json --markdown', 'Use --json or --markdown, got both.'],
  ['compare a b', 'A must be an earlier run'],
  ['export', 'Expected one run, got 0.'],
  [
    'export --inspect --otlp http://a a',
    'Use one of --inspect, --otlp URL, --every-eval-ever and --hf-results.',
  ],
  ['export --inspect --task t a', '--task does not belong to --inspect.'],
  ['export --hf-results --show-gated --task t a', '--show-gated does not belong to --hf-results.'],
  ['export --every-eval-ever a', 'Say who publishes, with --organization NAME'],
  [
    'export --every-eval-ever --organization us --relationship friend a',
    '--relationship must be third_party, first_party, collaborative or other, got "friend".',
  ],
  [
    'export --hf-results a',
    'Name the task of the leaderboard with --task ID: the eval.yaml of the dataset on the Hub lists them.\nUsage',
  ],
  ['export --hf-results --task "a" a', 'It cannot be "\\"a\\"".'],
  ['export --otlp ftp://a a', '--otlp must be an http'],
  ['export --otlp http://u:hidden-word@a a', 'got "http://[key]@a"'],
  ['label a b', 'got 2.'],
  ['label a --sample all', 'from 1 to 1000000, got "all"'],
  ['label --agree a.csv', 'Expected two files of labels, got 1.'],
  ['report', 'Expected one run, got 0.'],
  ['report a b', 'Expected one run, got 2.'],
  ['view a b', 'Expected one run or folder, got 2.'],
  ['view --port 99999', 'from 0 to 65535, got "99999"'],
  ['view nothing', 'must be an earlier run'],
])('viva %s is refused', async (words, message) => {
  const { code, output } = await runViva(words.split(' '), { EVAL_DIR: '/nowhere' });
  expect([code, output]).toEqual([1, expect.stringContaining(message)]);
  expect(output).not.toContain('hidden-word');
});

test.each([
  ['label run-1 --out DIR/file/x.csv', 'DIR/file/x.csv cannot be written', 'ENOTDIR', 'file'],
  ['label run-1', 'DIR/runs/run-1/labels.csv cannot be written', 'EISDIR', 'file'],
  [
    'label --agree DIR/a.csv DIR/b.csv --out DIR/file/x',
    'DIR/file/x cannot be written',
    'ENOTDIR',
    'file',
  ],
  ['report run-1 --out DIR/file/x', 'DIR/file/x cannot be written', 'ENOTDIR', 'file'],
  ['report run-1 --out DIR/gone/x', 'DIR/gone/x cannot be written', 'ENOENT', 'file'],
  ['export run-1 --inspect --out DIR/file/x', 'DIR/file/x cannot be made', 'ENOTDIR', 'folder'],
  ['judge calibrate DIR/a.csv', 'DIR/judges cannot be made', 'EEXIST', null],
])('viva %s says what it cannot write, why and what to do', async (words, what, code, other) => {
  const dir = makeDir(toJudged(2, 2, SUITE));
  cpSync(join(dir, 'runs/run-1'), join(dir, 'runs/run-2'), { recursive: true });
  const set = { EVAL_DIR: dir };
  await runViva(['label', 'run-1', '--out', join(dir, 'a.csv')], set);
  const csv = readFileSync(join(dir, 'a.csv'), 'utf8').replaceAll(',,run-1,', ',pass,run-1,');
  writeFileSync(join(dir, 'a.csv'), csv);
  writeFileSync(join(dir, 'b.csv'), csv.replace(',pass,', ',fail,'));
  mkdirSync(join(dir, 'runs/run-1/labels.csv'));
  for (const name of ['file', 'judges']) writeFileSync(join(dir, name), '');
  const result = await runViva(words.replaceAll('DIR/', `${dir}/`).split(' '), set);
  const way = other === null ? '' : `, or name another ${other} with --out`;
  expect(result.code).toBe(1);
  expect(result.output).toContain(`${what.replace('DIR', dir)}: `);
  expect(result.output).toMatch(new RegExp(`\\(${code}\\)\\. [^,]+${way}\\.$`));
});
