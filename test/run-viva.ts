import { runCommand } from '../src/cli/command.ts';
import { COMMANDS } from '../src/cli/commands.ts';

/** A command of viva in this process: its exit code and what it prints. */
export async function runViva(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const printed: string[] = [];
  const code = await runCommand(COMMANDS, words, { env, print: (line) => void printed.push(line) });
  return { code, output: printed.join('\n') };
}
