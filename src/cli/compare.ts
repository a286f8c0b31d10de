import { renderComparison } from '../../reporters/render.ts';
import { compareRuns, pickVariants, readComparedRun } from '../figures/compare-runs.ts';
import { findRunAndName } from '../store/find-run.ts';
import { escapeJson } from '../words/show.ts';
import { type Command, parseWords, RUN_HELP, readRunSettings, UsageError } from './command.ts';

/**
 * `viva compare A B`: compares run B with baseline A, question by question; with RUN:NAME only an
 * agent or prompt of a run. Asks no agent.
 */
export const compare: Command = {
  usage: `A B [--json | --markdown]
  A, B  RUN, or RUN:NAME for one agent or prompt of it: RUN:small RUN:large compares two agents of a run${RUN_HELP}
  --json, --markdown  other forms of the same`,
  page: 'comparing.md',
  run: async ({ args, env, print }) => {
    const { values, positionals } = parseWords(args, OPTIONS, true);
    const [first, second] = positionals;
    if (first === undefined || second === undefined || positionals.length > 2) {
      throw new UsageError(`Expected two runs, got ${positionals.length}.`);
    }
    if (values.json === true && values.markdown === true) {
      throw new UsageError('Use --json or --markdown, got both.');
    }
    const config = readRunSettings(env);
    const read = (text: string, argument: string) => {
      const { folder, name } = findRunAndName(text, config.dir, argument);
      const run = readComparedRun(folder, config);
      return name === null ? run : pickVariants(run, name, argument);
    };
    const comparison = compareRuns(read(first, 'A'), read(second, 'B'));
    const shown = renderComparison(comparison, values.markdown === true).trimEnd();
    print(values.json === true ? escapeJson(comparison, 2) : shown);
    const isCompared = comparison.suites.some(
      ({ figures, preference }) => figures.questions > 0 || (preference?.questions ?? 0) > 0,
    );
    return isCompared ? 0 : 1;
  },
};

const OPTIONS = { json: { type: 'boolean' }, markdown: { type: 'boolean' } } as const;
