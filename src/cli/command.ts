import { type ParseArgsConfig, parseArgs } from 'node:util';
import { DOCS, readVersion } from '../package.ts';
import { toCommand } from '../package-manager.ts';
import { type EvalConfig, readConfig } from '../settings.ts';
import type { ValueParser } from '../words/setting-values.ts';
import { escapeLine, quote } from '../words/show.ts';
import { didYouMean } from '../words/similar-names.ts';
import { messageOf } from '../words/thrown.ts';
import { WriteError } from '../words/write-error.ts';

/** The input and output of a command. Only index.ts uses the process itself. */
export type CommandContext = Readonly<{
  /** The words after the command. */
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Whether stdout is a terminal, which control characters would steer. */
  isTerminal: boolean;
  /** Prints one line. */
  print(line: string): void;
  /** Writes a text to stdout as it is. */
  write(text: string): void;
  /** Prints one line to stderr, which is seen where stdout goes to a file. */
  warn(line: string): void;
}>;

/** What `viva <word>` does. */
export type Command = Readonly<{
  /**
   * The words after the command, "FILE [--as LAYOUT]", or ""; further lines explain them. A line that begins
   * with "   or: " has other words.
   */
  usage: string;
  /** The page of docs/ that tells more, with its heading: "results.md#earlier-runs". */
  page?: string;
  /** What else to do if its file cannot be written: "name another file with --out". */
  elsewhere?: string;
  /**
   * Resolves to the exit code. An Error that it throws is printed as its message, with exit code 1.
   */
  run(context: CommandContext): Promise<number>;
}>;

/** Each command by its word. It is loaded when it is used: all of them take 80 MB and half a second. */
export type Commands = Readonly<
  Record<
    string,
    Readonly<{
      /** One line for the list of commands. */
      summary: string;
      load: () => Promise<Command>;
    }>
  >
>;

/** A line of `usage` for commands that take a run. */
export const RUN_HELP =
  '\n  RUN   a run folder, its name or the beginning of its name, or "latest"';

/** The command was used wrongly. Only its message and the usage are shown. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * The settings that matter to commands on past runs: a wrong setting of a run does not matter
 * there.
 */
export function readRunSettings(env: CommandContext['env']): EvalConfig {
  return readConfig({
    EVAL_DIR: env['EVAL_DIR'],
    EVAL_SHOW_GATED: env['EVAL_SHOW_GATED'],
    CI: env['CI'],
  });
}

type Options = NonNullable<ParseArgsConfig['options']>;

/** Reads the words after a command. Throws a UsageError for a wrong one. */
export function parseWords<const T extends Options>(
  args: readonly string[],
  options: T,
  allowPositionals = false,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals, options });
  } catch (cause) {
    throw new UsageError(`${messageOf(cause)}.`, { cause });
  }
}

/** The words after a command on one run or file, which `what` names. Throws a UsageError. */
export function parseOne<const T extends Options>(
  args: readonly string[],
  options: T,
  what = 'one run',
) {
  const { values, positionals } = parseWords(args, options, true);
  const [text] = positionals;
  if (text !== undefined && positionals.length === 1) return { values, text };
  throw new UsageError(`Expected ${what}, got ${positionals.length}.`);
}

/** The number of an option. Throws a UsageError. */
export function readNumber(option: string, text: string, parser: ValueParser<number>): number {
  const value = parser.parse(text);
  if (value !== undefined) return value;
  throw new UsageError(`${option} must be ${parser.allowed}, got ${quote(text)}.`);
}

/**
 * Runs the command of the first word and resolves to the exit code. No word, or "help", lists the
 * commands. For an unknown word it suggests the nearest one and lists them. "--help" after a
 * command describes it.
 */
export async function runCommand(
  commands: Commands,
  words: readonly string[],
  context: Omit<CommandContext, 'args'>,
): Promise<number> {
  const [word = 'help', ...args] = words;
  if (word === '--version' || word === '-v') {
    context.print(readVersion());
    return 0;
  }
  const entry = Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (entry === undefined) return listCommands(commands, word, context);
  const command = await entry.load();
  const called = `${toCommand('viva', context)} ${word}`;
  const usage = [
    ...`Usage: ${called} ${command.usage}`
      .trimEnd()
      .replaceAll('\n   or: ', `\n   or: ${called} `)
      .split('\n'),
    ...(command.page === undefined ? [] : [`  More: ${DOCS}/${command.page}`]),
  ];
  const printSafely = (...lines: readonly string[]) => {
    for (const line of lines) context.print(escapeLine(line, 2000));
  };
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    printSafely(`${called}: ${entry.summary}`, ...usage);
    return 0;
  }
  try {
    return await command.run({ ...context, args });
  } catch (error) {
    const way = error instanceof WriteError ? command.elsewhere : undefined;
    const message =
      error instanceof WriteError && way !== undefined ? error.or(way) : messageOf(error);
    printSafely(...message.split('\n'));
    if (error instanceof UsageError) printSafely(...usage);
    return 1;
  }
}

function listCommands(
  commands: Commands,
  word: string,
  { print, env }: Pick<CommandContext, 'print' | 'env'>,
): number {
  const isAsked = ['help', '--help', '-h'].includes(word);
  const names = Object.keys(commands);
  if (!isAsked) {
    print(`There is no command ${quote(word)}.${didYouMean(word, names)}`);
    print('');
  }
  const called = `${toCommand('viva', { env })} <command>`;
  print(`Usage: ${called} [options]; "${called} --help" shows its options`);
  print('');
  const width = Math.max(...names.map(({ length }) => length));
  for (const [name, { summary }] of Object.entries(commands))
    print(`  ${name.padEnd(width)}  ${summary}`);
  print('');
  print(`More: ${DOCS}/package.md and the other pages of ${DOCS}/`);
  return isAsked ? 0 : 1;
}
