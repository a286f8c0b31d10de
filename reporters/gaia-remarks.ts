import { isGaiaItself, recogniseFullSplit } from '../src/metrics/full-split.ts';
import { type ReferenceFigure, referencesFor } from '../src/metrics/reference-figures.ts';
import type { SuiteManifest } from '../src/runs/manifest.ts';
import { plural } from '../src/text/plural.ts';
import type { SampleResult } from '../src/types.ts';
import { checkSubmission } from './check-submission.ts';
import { formatRate } from './figures.ts';
import { renderSubmission, submissionIds } from './gaia-files.ts';
import type { Remark } from './remark.ts';

/** What is said of GAIA itself: whether the submission has the leaderboard's form, and what others reached. */
export function toGaiaRemarks(suite: SuiteManifest, results: readonly SampleResult[]): readonly Remark[] {
  if (!isGaiaItself(suite)) return [];
  const own = suite.agents.map((agent) => ({
    agent,
    rows: results.filter((row) => row.suite === suite.suite && row.agent === agent),
  }));
  const references = own.some(({ rows }) => ranWhole(suite, rows)) ? toReferenceRemarks(suite) : [];
  return [
    ...own.flatMap(({ agent, rows }) =>
      // A dry run has no submission.
      (rows.length === 0 ? [] : describeSubmission(suite, rows)).map((text) => ({ suite: suite.suite, agent, text })),
    ),
    ...references,
  ];
}

function describeSubmission(suite: SuiteManifest, results: readonly SampleResult[]): readonly string[] {
  const ids = submissionIds(suite);
  const size = `the submission has ${plural(ids.length, 'task')} in the leaderboard's form`;
  const split = recogniseFullSplit(suite);
  if (split === null || !ranWhole(suite, results))
    return [`${size}: a part, and the leaderboard takes whole splits only.`];
  const problems = checkSubmission([...renderSubmission(ids, results)].join(''), ids);
  if (problems.length > 0) return problems.slice(0, 5).map((problem) => `SUBMISSION: ${problem}.`);
  return [`${size}: the whole ${split} split.`];
}

/** Whether an agent was asked all that was selected: `-t`, a shard or Ctrl-C leave a part. */
function ranWhole({ ids }: SuiteManifest, results: readonly SampleResult[]): boolean {
  const asked = new Set(results.flatMap(({ id, state }) => (state === 'not_run' ? [] : [id])));
  return ids.every((id) => asked.has(id));
}

function toReferenceRemarks(suite: SuiteManifest): readonly Remark[] {
  const split = recogniseFullSplit(suite);
  if (split === null) return [];
  const bySource = Map.groupBy(referencesFor(split), ({ source, date }) => `${source}, ${date}`);
  return [...bySource].map(([source, figures]) => {
    const of = figures.some((figure) => figure.split === 'both') ? 'both splits together' : split;
    const text = `reference, not measured here (${source}; ${of}): ${figures.map(describe).join(', ')}`;
    return { suite: suite.suite, agent: null, text };
  });
}

function describe({ who, group, accuracy, verified }: ReferenceFigure): string {
  const of = group === 'all' ? '' : `, ${group}`;
  return `${who}${of} ${formatRate(accuracy)}${verified ? '' : ' (unverified)'}`;
}
