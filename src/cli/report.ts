import { join, resolve } from 'node:path';
import { renderReport } from '../../reporters/page/report.ts';
import { evaluatePastRun } from '../../reporters/past-run.ts';
import { toDetails, toRemarks } from '../../reporters/remarks.ts';
import { findRun } from '../store/find-run.ts';
import { writeLines } from '../store/line-file.ts';
import { RUN_FILES } from '../store/run-folder.ts';
import { showPath } from '../words/show.ts';
import { type Command, parseOne, RUN_HELP, readRunSettings } from './command.ts';

/** `viva report RUN`: writes the report of a run again; asks nobody. */
export const report: Command = {
  usage: `RUN [--out FILE]${RUN_HELP}
  FILE  report.html in the run folder by default`,
  page: 'results.md#reporthtml',
  elsewhere: 'name another file with --out',
  run: async ({ args, env, print }) => {
    const { values, text } = parseOne(args, OPTIONS);
    const settings = readRunSettings(env);
    const folder = findRun(text, settings.dir, 'RUN');
    const file = resolve(values.out ?? join(folder, RUN_FILES.report.name));
    const outcome = evaluatePastRun(folder, settings);
    const remarks = [...toDetails(outcome), ...toRemarks(outcome)];
    writeLines(file, renderReport(outcome, remarks, { file }));
    print(`wrote ${showPath(file)}`);
    return 0;
  },
};

const OPTIONS = { out: { type: 'string' } } as const;
