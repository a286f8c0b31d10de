import type { CommandContext } from '../command.ts';

/** What one check found. A `miss` always says what to do. */
export type Finding =
  | { readonly status: 'ok' | 'skipped'; readonly what: string }
  | { readonly status: 'miss'; readonly what: string; readonly remedy: string };

/** One thing that a run of the evals needs. It may throw: that is a miss with the error's message. */
export type Check = {
  readonly name: string;
  run(context: CommandContext): Promise<readonly Finding[]> | readonly Finding[];
};
