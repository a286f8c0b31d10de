import { renderMarkdownComparison, renderTextComparison } from '../../reporters/render.ts';
import { compareRuns } from '../compare/compare-runs.ts';
import { findRun, readRun } from '../compare/read-run.ts';
import { readConfig } from '../config.ts';
import { escapeJson } from '../text/show.ts';
import { type Command, parseWords, UsageError } from './command.ts';

/** `pnpm viva compare A B`: what run B changed against baseline A, question by question; asks nobody. */
export const compare: Command = {
  name: 'compare',
  summary: 'shows what changed between two runs, and whether it is more than noise (A B, --json, --markdown)',
  run: async ({ args, env, print }) => {
    const { values, positionals: runs } = parseWords(args, OPTIONS, USAGE, true);
    if (runs.length !== 2) throw new UsageError(`Two runs are needed, got ${runs.length}. ${USAGE}`);
    if (values.json === true && values.markdown === true) {
      throw new UsageError(`Only one of --json and --markdown can be printed, got both. ${USAGE}`);
    }
    // A wrong setting of a run does not matter here.
    const config = readConfig({ EVAL_DIR: env['EVAL_DIR'], EVAL_SHOW_GATED: env['EVAL_SHOW_GATED'], CI: env['CI'] });
    const [a, b] = runs.map((run, index) => readRun(findRun(run, config.dir, index === 0 ? 'A' : 'B'), config));
    if (a === undefined || b === undefined) throw new UsageError(USAGE);
    const comparison = compareRuns(a, b);
    const render = values.markdown === true ? renderMarkdownComparison : renderTextComparison;
    print(values.json === true ? escapeJson(comparison, 2) : render(comparison).trimEnd());
    return comparison.suites.some(({ figures }) => figures.questions > 0) ? 0 : 1;
  },
};

const USAGE = 'Use "pnpm viva compare A B", where A and B are run folders or "latest", with --json or --markdown.';

const OPTIONS = { json: { type: 'boolean' }, markdown: { type: 'boolean' } } as const;
