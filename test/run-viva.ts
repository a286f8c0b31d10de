import { runCommand } from '../src/cli/command.ts';
import { COMMANDS } from '../src/cli/commands.ts';

/** A command of viva in this process: its exit code, and what it prints to stdout and stderr. */
export async function runViva(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  isTerminal = false,
) {
  const printed: string[] = [];
  const warned: string[] = [];
  const print = (text: string) => void printed.push(text);
  const warn = (line: string) => void warned.push(line);
  const code = await runCommand(COMMANDS, words, { env, isTerminal, print, write: print, warn });
  return { code, output: printed.join('\n'), warned: warned[0] };
}
