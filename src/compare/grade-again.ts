import { createRequire } from 'node:module';
import { toAnswer } from '../agents/replay.ts';
import { type Scoring, toResult } from '../run/result.ts';
import { GRADER_VERSION, type Manifest } from '../store/manifest.ts';
import { type LoggedQuestion, readQuestions } from '../store/question-log.ts';
import { AgentError, type Sample, type SampleResult } from '../types.ts';
import type { ComparedSide } from './compare-runs.ts';

/** A side of a run that an older version graded, with the verdicts of today's reader of choices. */
export function gradeAgain(folder: string, { suites }: Manifest, side: ComparedSide): ComparedSide {
  const { grader = 1 } = suites.find(({ suite }) => suite === side.suite) ?? {};
  if (grader >= GRADER_VERSION || !side.results.some(isChoice)) return side;
  const questions = readQuestions(folder, side.suite);
  const results = side.results.map((row) => regrade(row, questions.get(row.id)));
  const changed = results.filter(({ state, answer }, i) => {
    const before = side.results[i];
    return before?.state !== state || before.answer !== answer;
  });
  return { ...side, results, regraded: changed.length };
}

/** A row that the rule for choices graded: its partial credit tells, since a suite may have a rule of its own. */
function isChoice({ output, target, partial }: SampleResult): boolean {
  return output !== null && target !== null && partial?.['option_f1'] !== undefined;
}

function regrade(row: SampleResult, question: LoggedQuestion | undefined): SampleResult {
  const answer = toAnswer(row);
  const sample = question === undefined ? null : toSample(row, question);
  if (sample === null || !isChoice(row) || answer instanceof AgentError) return row;
  const { suite, dataset, agent, id, trial, group, prompt_hash, question_hash } = row;
  const meta = { suite, dataset, agent, id, trial, group, prompt_hash, question_hash, run: '' };
  const { latency_ms: latencyMs, attempts, cached, started_at, answered_at } = row;
  const slots = row.slots === undefined ? {} : { slots: row.slots };
  const asked = { outcome: 'answered', answer, latencyMs, attempts, cached, startedAt: '', answeredAt: '', ...slots };
  return { ...toResult(sample, meta, { ...asked, outcome: 'answered' }, SCORING), started_at, answered_at };
}

const load = createRequire(import.meta.url);

const SCORING: Scoring = {
  extract: () => ({ answer: null, how: 'none' }),
  grade: (output, target, { choices, multiple }, { verbatim }) => {
    // Loaded on first use: few runs are graded again.
    const { gradeMcq }: typeof import('../scoring/mcq/grade-mcq.ts') = load('../scoring/mcq/grade-mcq.ts');
    return gradeMcq(output, target, { choices, multiple }, { extract: !verbatim });
  },
};

/** The question as its agent saw it; null where the run does not tell. */
function toSample(row: SampleResult, { input, choices = [] }: LoggedQuestion): Sample | null {
  const texts = choices.map(([, text]) => text);
  const own = choices.map(([label]) => label);
  // Where options were shuffled, the texts moved and the labels stayed.
  const labels =
    row.presented === undefined ? own : own.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  if (choices.length === 0 || row.target === null) return null;
  const target = row.target.split(',').map((label) => labels[own.indexOf(label)] ?? label);
  const pair = (values: readonly string[]) => Object.fromEntries(labels.map((label, i) => [label, values[i] ?? '']));
  return {
    ...{ id: row.id, suite: row.suite, group: row.group, input, attachments: [], metadata: {} },
    target: labels.filter((label) => target.includes(label)).join(',') || row.target,
    choices: pair(texts),
    ...(typeof row.multiple === 'boolean' ? { multiple: row.multiple } : {}),
    ...(row.presented === undefined ? {} : { presentation: { seed: row.presented.seed, ownLabels: pair(own) } }),
  };
}
