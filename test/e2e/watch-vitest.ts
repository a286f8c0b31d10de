import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import { cleanEnvironment, ROOT } from './run-vitest.ts';

/** Vitest in watch mode in a pseudo-terminal. */
export type Watch = {
  press(keys: string): void;
  /**
   * The screen's text since the last call, once a report's last line and the prompt below it have
   * come.
   */
  nextReport(): Promise<string>;
  /** The same, with another last line. */
  nextScreen(last: RegExp): Promise<string>;
};

/** Starts `vitest watch` in a terminal of its own (script(1) makes one); it ends with the test. */
export function watchVitest(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = ROOT,
  vitest: readonly string[] = [process.execPath, join(ROOT, 'node_modules/vitest/vitest.mjs')],
): Watch {
  const command = [...vitest, 'watch', ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd,
    env: { ...cleanEnvironment(), TERM: 'xterm', COLUMNS: '200', ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let screen = '';
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString('utf8');
  });
  const nextScreen = async (last: RegExp) => {
    for (let waited = 0; waited < 180_000; waited += 50) {
      const text = stripVTControlCharacters(screen).replaceAll('\r', '');
      const report = text.search(last);
      if (report !== -1 && text.slice(report).includes('press q to quit')) {
        screen = '';
        return text;
      }
      await sleep(50);
    }
    throw new Error(`No report came. The screen: ${screen.slice(-2000)}`);
  };
  return {
    press: (keys) => void child.stdin.write(keys),
    nextReport: () => nextScreen(/^ {2}(exit \d|Vitest sets the exit code)/m),
    nextScreen,
  };
}
