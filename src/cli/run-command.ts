import { nearest } from '../text/nearest.ts';
import { toVisible } from '../text/visible-text.ts';
import type { Command, CommandContext } from './command.ts';

/**
 * Runs the command that the first word names; resolves to the exit code. No word, or "help", lists the commands; a
 * word that is none lists them after the nearest one. "--help" behind a word says what that command does.
 */
export async function runCommand(
  commands: readonly Command[],
  words: readonly string[],
  context: Omit<CommandContext, 'args'>,
): Promise<number> {
  const [word = 'help', ...args] = words;
  const command = commands.find(({ name }) => name === word);
  if (command === undefined) return showCommands(commands, word, context);
  if (args.some((arg) => arg === '--help' || arg === '-h')) return showCommand(command, context);
  try {
    return await command.run({ ...context, args });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    for (const line of message.split('\n')) context.print(toVisible(line, 2000));
    return 1;
  }
}

function showCommand({ name, summary }: Command, { print }: Pick<CommandContext, 'print'>): number {
  print(`pnpm viva ${name}: ${summary}`);
  return 0;
}

function showCommands(commands: readonly Command[], word: string, { print }: Pick<CommandContext, 'print'>): number {
  const asked = HELP.includes(word);
  if (!asked) {
    const names = commands.map(({ name }) => name);
    print(`There is no command ${toVisible(JSON.stringify(word))}. Did you mean "${nearest(word, names)}"?`);
    print('');
  }
  print('Usage: pnpm viva <command> [options]');
  print('');
  const width = Math.max(...commands.map(({ name }) => name.length));
  for (const { name, summary } of commands) print(`  ${name.padEnd(width)}  ${summary}`);
  return asked ? 0 : 1;
}

const HELP = ['help', '--help', '-h'];
