import { parse } from 'node:path';
import { findSplitOfSize } from '../data/gaia.ts';
import { listScores, readScore } from '../figures/named-scores.ts';
import { listVariants, type Manifest, type SuiteManifest } from '../store/manifest.ts';
import { toCsv } from '../words/csv.ts';
import { isCorrect, isCounted, type SampleResult } from '../words/row.ts';
import { escapeJson, lineIf, toTextOrNull } from '../words/show.ts';
import { isOfVariant } from '../words/variant.ts';

/** A file of a run folder that is rendered when the run has ended. */
export type RunFile = Readonly<{ name: string; lines: Iterable<string> }>;

/** A file that a suite may ask for. */
type ExportKind = Readonly<{
  /** What docs/results.md says of it. */
  holds: string;
  render(entry: SuiteManifest, rows: readonly SampleResult[]): Iterable<string>;
}>;

/** By the names in `exports` of a suite. To add one: an entry. */
export const EXPORTS = {
  'answers.csv': {
    holds: 'GAIA: expected and actual answers',
    render: (_, rows) => [renderAnswers(rows)],
  },
  'submission.jsonl': {
    holds: 'GAIA: the file that the leaderboard takes',
    render: (entry, rows) => renderSubmission(submissionIds(entry), rows),
  },
} as const satisfies Readonly<Record<string, ExportKind>>;

export type ExportName = keyof typeof EXPORTS;

export function isExport(name: string): name is ExportName {
  return Object.hasOwn(EXPORTS, name);
}

/**
 * The files of one kind that suites ask for. With several suites, agents or prompts, a suffix that is
 * a safe file name tells them apart.
 */
export function listExports(
  name: ExportName,
  { suites }: Pick<Manifest, 'suites'>,
  results: readonly SampleResult[],
): readonly RunFile[] {
  const exporting = suites.filter((entry) => entry.exports.length > 0);
  const { name: stem, ext } = parse(name);
  return exporting
    .filter((entry) => entry.exports.includes(name))
    .flatMap((entry) =>
      listVariants(entry).map((variant) => {
        const { suite, agents } = entry;
        const rows = results.filter((row) => row.suite === suite && isOfVariant(row, variant));
        const suffix = [
          ...lineIf(exporting.length > 1, `-${suite}`),
          ...lineIf(agents.length > 1, `-${agents.indexOf(variant.agent) + 1}`),
          ...lineIf(variant.prompt !== undefined, `-${variant.prompt_hash.slice(0, 8)}`),
        ].join('');
        return { name: `${stem}${suffix}${ext}`, lines: EXPORTS[name].render(entry, rows) };
      }),
    );
}

/**
 * answers.csv: expected and actual answers, a row for each trial of each question; several trials
 * are numbered. Named scores have a column each.
 */
export function renderAnswers(results: readonly SampleResult[]): string {
  const isRepeated = results.some(({ trial }) => trial > 1);
  const scores = [...listScores(results).keys()];
  const head = [
    'task_id',
    'level',
    'expected_answer',
    'actual_answer',
    'match',
    ...(isRepeated ? ['trial'] : []),
    ...scores.map((name) => `score: ${name}`),
  ];
  const rows = results.map((result) => {
    const { id, group, target, answer, trial } = result;
    const match = isCounted(result) ? String(isCorrect(result)) : '';
    const expected = toTextOrNull(target) ?? '?';
    const cells = [id, group.replace(/^level /, ''), expected, toTextOrNull(answer) ?? '', match];
    const values = scores.map((name) => String(readScore(result, name) ?? ''));
    return [...cells, ...(isRepeated ? [String(trial)] : []), ...values];
  });
  return toCsv([head, ...rows]);
}

/**
 * The tasks of a submission. The leaderboard counts the rows of each level, and one level 3 row of
 * its test split (301 rows) is not a question. A submission of the whole split ends with that row,
 * unanswered.
 */
export function submissionIds(suite: SuiteManifest): readonly string[] {
  const ids = suite.questions.map(({ id }) => id);
  const isWhole = findSplitOfSize(suite.questions.map(({ group }) => group)) !== null;
  return isWhole ? [...ids, ...suite.placeholders] : ids;
}

/**
 * The lines of submission.jsonl in the leaderboard's form: every task in the order of the dataset,
 * its first trial, "" without an answer.
 */
export function* renderSubmission(
  ids: readonly string[],
  results: readonly SampleResult[],
): Generator<string, void> {
  const byId = new Map(
    results.filter(({ trial }) => trial === 1).map((result) => [result.id, result]),
  );
  for (const id of ids) {
    const { answer = null, output = null } = byId.get(id) ?? {};
    const line = {
      task_id: id,
      model_answer: toTextOrNull(answer) ?? '',
      reasoning_trace: toTextOrNull(output) ?? '',
    };
    yield `${escapeJson(line)}\n`;
  }
}
