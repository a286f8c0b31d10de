import { listSides } from '../src/store/manifest.ts';
import { isOfVariant, lineIf } from '../src/text/wording.ts';
import type { RunOutcome } from './evaluate-run.ts';
import { renderAnswers, renderSubmission, submissionIds } from './gaia-files.ts';
import type { RunFile } from './run-files.ts';

/**
 * The files that suites ask for. With several suites, agents or prompts, a suffix that is a safe
 * file name tells them apart.
 */
export function listExports({
  manifest,
  results,
}: Pick<RunOutcome, 'manifest' | 'results'>): readonly RunFile[] {
  const exporting = manifest.suites.filter((entry) => entry.exports.length > 0);
  return exporting.flatMap((entry) => {
    const { suite, agents } = entry;
    return listSides(entry).flatMap((side): readonly RunFile[] => {
      const own = results.filter((row) => row.suite === suite && isOfVariant(row, side));
      const suffix = [
        ...lineIf(exporting.length > 1, `-${suite}`),
        ...lineIf(agents.length > 1, `-${agents.indexOf(side.agent) + 1}`),
        ...lineIf(side.prompt !== undefined, `-${side.prompt_hash.slice(0, 8)}`),
      ].join('');
      return entry.exports.flatMap((name): readonly RunFile[] => {
        if (name === 'answers.csv')
          return [{ name: `answers${suffix}.csv`, lines: [renderAnswers(own)] }];
        if (name !== 'submission.jsonl') return [];
        return [
          { name: `submission${suffix}.jsonl`, lines: renderSubmission(submissionIds(entry), own) },
        ];
      });
    });
  });
}
