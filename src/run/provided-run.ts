import type { EvalConfig } from '../config.ts';
import type { HubSettings } from '../datasets/hub/hub-source.ts';
import { mapError } from '../text/thrown.ts';
import type { McpSettings } from '../tools/mcp/mcp-file.ts';

/** What workers must know of the run that EVAL_BASELINE names: what there is to be compared with. */
export type ProvidedBaseline = {
  /** Name of its folder. */
  readonly name: string;
  readonly sides: readonly {
    readonly suite: string;
    readonly dataset: string;
    readonly dataset_hash: string;
    readonly agent: string;
  }[];
};

type RunFacts = {
  readonly config: EvalConfig;
  readonly root: string;
  /** Holds the token of the Hub, and is therefore no part of `config`, which the manifest shows. */
  readonly hub: HubSettings;
  /** The keys of the environment, which nothing that an agent says may carry into a file. */
  readonly secrets: readonly string[];
  /** 1 for a run; watch mode counts on. */
  readonly turn: number;
  /** How many eval files run beside each other. */
  readonly suites: number;
  /** Whether somebody sees the tests in the Vitest UI. */
  readonly ui: boolean;
  /** The part of the records that this process takes, as in `--shard=1/4`; null for all of them. */
  readonly shard: { readonly index: number; readonly count: number } | null;
};

/** What the main process tells the workers: the settings, or why nothing may run. Survives structured clone. */
export type ProvidedRun =
  /**
   * `folder` is the absolute path of the run folder, which exists; `mcp` the MCP servers with the keys that they need,
   * null where no agent uses any; `baseline` what the run is compared with; `unnamed` the eval files (absolute
   * paths) whose tests are shown as skipped, since nobody named them and their agent may cost money.
   */
  | (RunFacts & {
      readonly status: 'ready';
      readonly folder: string;
      readonly mcp: McpSettings | null;
      readonly baseline: ProvidedBaseline | null;
      readonly unnamed: readonly string[];
    })
  /** Tests are generated and shown as skipped: their agent may cost money. */
  | (RunFacts & { readonly status: 'held' })
  | { readonly status: 'refused'; readonly problems: readonly string[] };

declare module 'vitest' {
  interface ProvidedContext {
    viva: ProvidedRun;
  }
}

/** Marks, for the main process, an error that was found before anything was asked. */
export const REFUSED = 'Refused';

/** What is wrong, as Vitest is to print it: a mistake in settings or files has no place in viva's code. */
export function refusal(message: string, cause?: Error): Error {
  const error = new Error(message, cause === undefined ? undefined : { cause });
  error.name = REFUSED;
  // Equal stacks Vitest prints once for all suites.
  error.stack = `${REFUSED}: ${message}`;
  return error;
}

/**
 * Does what comes before the first call: what it throws is a refusal. An error of another class, such as a TypeError, is
 * a fault of code and keeps its place.
 */
export async function refusing<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Error) || isFault(error)) throw error;
    throw refusal(error.message, causeOf(error));
  }
}

const FAULTS = [TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError];

function isFault(error: Error): boolean {
  return FAULTS.some((type) => error instanceof type);
}

/**
 * The cause, with no more than the frames that lead to where it was thrown in the user's code: a module that fails while
 * it is loaded. Of all other causes the message says enough.
 */
function causeOf({ cause, stack = '' }: Error): Error | undefined {
  if (!(cause instanceof Error) || /^Cannot find (?:package|module) /.test(cause.message)) return undefined;
  const frames = (cause.stack ?? '').split('\n').filter((line) => isOfUser(line) && !stack.includes(placeOf(line)));
  if (frames.length === 0) return undefined;
  const shown = mapError(cause, (text) => text);
  shown.stack = [`${cause.name}: ${cause.message}`, ...frames].join('\n');
  return shown;
}

/** Neither Node's, nor a package's, nor ours. */
function isOfUser(line: string): boolean {
  if (!/^\s+at /.test(line) || /node:|node_modules/.test(line)) return false;
  return !line.includes(OWN.href) && !line.includes(OWN.pathname);
}

function placeOf(frame: string): string {
  return frame.split(/[\s()]+/).findLast((part) => /:\d+:\d+$/.test(part)) ?? frame;
}

/** The folder of viva's sources. */
const OWN = new URL('../', import.meta.url);
