import { resolve } from 'node:path';
import { writeReport } from '../../reporters/html/render-page.ts';
import { evaluatePastRun } from '../../reporters/past-run.ts';
import { toRemarks } from '../../reporters/run-remarks.ts';
import { findRun } from '../store/find-run.ts';
import { showPath } from '../text/show.ts';
import { type Command, parseWords, readRunSettings, UsageError } from './command.ts';

/** `viva report RUN`: writes the report of a run again; asks nobody. */
export const report: Command = {
  name: 'report',
  summary: 'writes the report of a run again',
  usage:
    'RUN [--out FILE], where RUN is a run folder, its name or "latest", and FILE replaces report.html in its folder',
  run: async ({ args, env, print }) => {
    const { values, positionals } = parseWords(args, OPTIONS, true);
    const [text] = positionals;
    if (text === undefined || positionals.length > 1) {
      throw new UsageError(`One run is needed, got ${positionals.length}.`);
    }
    const settings = readRunSettings(env);
    const outcome = evaluatePastRun(findRun(text, settings.dir, 'RUN'), settings);
    const file = resolve(values.out ?? `${outcome.folder}/report.html`);
    writeReport(outcome, toRemarks(outcome), file);
    print(`wrote ${showPath(file)}`);
    return 0;
  },
};

const OPTIONS = { out: { type: 'string' } } as const;
