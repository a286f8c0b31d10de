import { expect, test } from 'vitest';
import { type Commands, runCommand } from './command.ts';

const COMMANDS: Commands = {
  count: async () => ({
    summary: 'counts its words',
    usage: 'WORDS',
    run: async ({ args }) => args.length,
  }),
  break: async () => ({
    summary: 'breaks',
    usage: '[--all]\n  --all  in pieces',
    run: async () => {
      throw new Error('first line\nsecond \u001B[31mline');
    },
  }),
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
  ]);
});

test('an unknown word is named with the nearest command and the list', async () => {
  const { code, printed } = await run('coun\u001B');
  expect(code).toBe(1);
  expect(printed[0]).toBe('There is no command "coun\\u001b". Did you mean count?');
  expect(printed).toContain('  count  counts its words');
});

test('an error is its message, line by line and safe to print', async () => {
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
