import { type PastVariant, readPastVariants, toVariantsTable } from '../../reporters/past-run.ts';
import { renderTable } from '../../reporters/render.ts';
import { readRuns } from '../store/find-run.ts';
import { escapeJson, escapeLine } from '../words/show.ts';
import { type Command, parseWords, readRunSettings } from './command.ts';

/** `viva runs`: the runs of EVAL_DIR with their figures, the newest first. */
export const runs: Command = {
  usage: '[--suite NAME] [--json]\n  --suite  only this suite\n  --json   every figure',
  page: 'results.md#earlier-runs',
  run: async ({ args, env, print }) => {
    const { suite, json } = parseWords(args, OPTIONS).values;
    const { dir } = readRunSettings(env);
    const { found, unreadable } = readRuns(dir, readPastVariants);
    const chosen = found.filter((variant) => suite === undefined || variant.suite === suite);
    if (json === true) print(escapeJson({ version: 1, runs: chosen.map(toJson), unreadable }, 2));
    else if (chosen.length > 0) print(renderTable(toVariantsTable(chosen)).trimEnd());
    else
      print(
        `No run in ${dir} has results${suite === undefined ? '' : ` of suite ${escapeLine(suite)}`} yet.`,
      );
    if (json !== true) for (const line of unreadable) print(escapeLine(`not listed: ${line}`, 600));
    return 0;
  },
};

const OPTIONS = { suite: { type: 'string' }, json: { type: 'boolean' } } as const;

function toJson({
  folder: _folder,
  selection: _selection,
  isReplay: _isReplay,
  fingerprint: _fingerprint,
  all,
  ...variant
}: PastVariant) {
  return { ...variant, ...all };
}
