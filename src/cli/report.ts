import { join, resolve } from 'node:path';
import { findChangedQuestions } from '../../reporters/changed-questions.ts';
import { writeHistory } from '../../reporters/html/history-page.ts';
import { renderReport } from '../../reporters/html/render-page.ts';
import { evaluatePastRun, readPastVariants } from '../../reporters/past-run.ts';
import { toDetails, toRemarks } from '../../reporters/remarks.ts';
import { findRun, readFolders } from '../store/find-run.ts';
import { writeLines } from '../store/line-file.ts';
import { RUN_FILES } from '../store/run-folder.ts';
import { escapeLine, showPath } from '../words/show.ts';
import { type Command, parseWords, RUN_HELP, readRunSettings, UsageError } from './command.ts';

/**
 * `viva report RUN...`: writes the report of a run again, or one page on several runs; asks nobody.
 */
export const report: Command = {
  summary: 'writes the report of a run again, or the history of several runs',
  usage: `RUN... [--out FILE]${RUN_HELP}
  FILE  by default report.html in the folder of one run, or history.html in EVAL_DIR for several`,
  elsewhere: 'name another file with --out',
  run: async ({ args, env, print }) => {
    const { values, positionals } = parseWords(args, OPTIONS, true);
    if (positionals.length === 0) throw new UsageError('Expected one or more runs, got none.');
    const settings = readRunSettings(env);
    const folders = [...new Set(positionals.map((text) => findRun(text, settings.dir, 'RUN')))];
    const [folder = '', ...others] = folders;
    const file = resolve(
      values.out ??
        (others.length === 0
          ? join(folder, RUN_FILES.report.name)
          : join(settings.dir, 'history.html')),
    );
    if (others.length === 0) {
      const outcome = evaluatePastRun(folder, settings);
      const remarks = [...toDetails(outcome), ...toRemarks(outcome)];
      writeLines(file, renderReport(outcome, remarks, file));
    } else {
      const { found, unreadable } = readFolders(folders, readPastVariants);
      if (found.length === 0) throw new Error(unreadable.join('\n'));
      const variants = found.toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1));
      const newestFirst = [...new Set(variants.toReversed().map((one) => one.folder))];
      const changed = findChangedQuestions(newestFirst, settings);
      writeHistory(variants, changed, file);
      for (const line of changed.unreadable) print(escapeLine(`answers not shown: ${line}`, 600));
      for (const line of unreadable) print(escapeLine(`not listed: ${line}`, 600));
    }
    print(`wrote ${showPath(file)}`);
    return 0;
  },
};

const OPTIONS = { out: { type: 'string' } } as const;
