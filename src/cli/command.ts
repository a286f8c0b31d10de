import { type ParseArgsConfig, parseArgs } from 'node:util';
import { escapeLine } from '../text/show.ts';
import { messageOf } from '../text/thrown.ts';
import { nearest } from '../text/wording.ts';

/** What a command gets from the outside; only index.ts touches the process. */
export type CommandContext = {
  /** The words behind the command. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prints one line. */
  print(line: string): void;
  /** Asks the user to confirm; null when there is nobody to ask (no terminal). */
  confirm(question: string): Promise<boolean | null>;
};

/** One word of `pnpm viva <word>`. */
export type Command = {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Resolves to the exit code. An Error that it throws is printed as its message, with exit code 1. */
  run(context: CommandContext): Promise<number>;
};

/** The command was used wrongly: its message is all that is shown. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type Options = NonNullable<ParseArgsConfig['options']>;

/** Reads the words behind a command; a wrong one is a UsageError, which ends with how the command is used. */
export function parseWords<const T extends Options>(
  args: readonly string[],
  options: T,
  usage: string,
  allowPositionals = false,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals, options });
  } catch (cause) {
    throw new UsageError(`${messageOf(cause)}. ${usage}`, { cause });
  }
}

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
    for (const line of messageOf(error).split('\n')) context.print(escapeLine(line, 2000));
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
    print(`There is no command ${escapeLine(JSON.stringify(word))}. Did you mean "${nearest(word, names)}"?`);
    print('');
  }
  print('Usage: pnpm viva <command> [options]');
  print('');
  const width = Math.max(...commands.map(({ name }) => name.length));
  for (const { name, summary } of commands) print(`  ${name.padEnd(width)}  ${summary}`);
  return asked ? 0 : 1;
}

const HELP = ['help', '--help', '-h'];
