import { findSplitOfSize } from '../src/metrics/full-split.ts';
import { isGraded } from '../src/metrics/states.ts';
import type { SuiteManifest } from '../src/runs/manifest.ts';
import { toVisibleJson } from '../src/text/visible-json.ts';
import type { SampleResult } from '../src/types.ts';
import { toCsv } from './csv.ts';

/** answers.csv: what was expected and what came, a row for each trial of each question; several trials are numbered. */
export function renderAnswers(results: readonly SampleResult[]): string {
  const head = ['task_id', 'level', 'expected_answer', 'actual_answer', 'match'];
  if (results.every(({ trial }) => trial === 1)) return toCsv([head, ...results.map(toAnswerRow)]);
  return toCsv([[...head, 'trial'], ...results.map((row) => [...toAnswerRow(row), String(row.trial)])]);
}

/**
 * The tasks of a submission. The leaderboard counts the rows of each level, and its test split has one of level 3 that
 * is no question (301 in all): a whole split is submitted with that row, unanswered, at its end.
 */
export function submissionIds(suite: SuiteManifest): readonly string[] {
  return findSplitOfSize(suite.groups) !== null ? [...suite.ids, ...suite.placeholders] : suite.ids;
}

/**
 * The lines of submission.jsonl in the leaderboard's form: every task in the order of the dataset, its first
 * trial, "" where no answer came.
 */
export function* renderSubmission(ids: readonly string[], results: readonly SampleResult[]): Generator<string, void> {
  const byId = new Map(results.filter(({ trial }) => trial === 1).map((result) => [result.id, result]));
  for (const id of ids) yield `${toVisibleJson(toSubmissionRow(id, byId.get(id)))}\n`;
}

function toAnswerRow(result: SampleResult): string[] {
  const { id, group, target, answer, state } = result;
  const match = isGraded(result) ? String(state === 'correct') : '';
  return [id, group.replace(/^level /, ''), target ?? '?', answer ?? '', match];
}

function toSubmissionRow(id: string, result: SampleResult | undefined) {
  return { task_id: id, model_answer: result?.answer ?? '', reasoning_trace: result?.output ?? '' };
}
