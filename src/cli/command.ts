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
