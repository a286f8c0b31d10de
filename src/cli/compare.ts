import { parseArgs } from 'node:util';
import { renderMarkdownComparison, renderTextComparison } from '../../reporters/render.ts';
import { compareRuns, type RunComparison } from '../compare/compare-runs.ts';
import { findRun, readRun } from '../compare/read-run.ts';
import { readConfig } from '../config.ts';
import { escapeJson } from '../text/show.ts';
import { type Command, UsageError } from './command.ts';

/** `pnpm viva compare A B`: what run B changed against baseline A, question by question; asks nobody. */
export const compare: Command = {
  name: 'compare',
  summary: 'shows what changed between two runs, and whether it is more than noise (A B, --json, --markdown)',
  run: async ({ args, env, print }) => {
    const { runs, render } = parseWords(args);
    const config = readConfig(pick(env));
    const [a, b] = runs.map((run, index) => readRun(findRun(run, config.dir, index === 0 ? 'A' : 'B'), config));
    if (a === undefined || b === undefined) throw new UsageError(USAGE);
    const comparison = compareRuns(a, b);
    print(render(comparison).trimEnd());
    return comparison.suites.some(({ figures }) => figures.questions > 0) ? 0 : 1;
  },
};

/** A wrong setting of a run is no matter of a comparison. */
function pick(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string | undefined>> {
  return { EVAL_DIR: env['EVAL_DIR'], EVAL_SHOW_GATED: env['EVAL_SHOW_GATED'], CI: env['CI'] };
}

const USAGE = 'Use "pnpm viva compare A B", where A and B are run folders or "latest", with --json or --markdown.';

type Words = { readonly runs: readonly string[]; readonly render: (comparison: RunComparison) => string };

function parseWords(args: readonly string[]): Words {
  const { values, positionals: runs } = parse(args);
  if (runs.length !== 2) throw new UsageError(`Two runs are needed, got ${runs.length}. ${USAGE}`);
  if (values.json === true && values.markdown === true) {
    throw new UsageError(`Only one of --json and --markdown can be printed, got both. ${USAGE}`);
  }
  return {
    runs,
    render:
      values.json === true
        ? (comparison) => escapeJson(comparison, 2)
        : values.markdown === true
          ? renderMarkdownComparison
          : renderTextComparison,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: 'boolean' }, markdown: { type: 'boolean' } },
    });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`${message}. ${USAGE}`, { cause });
  }
}
