import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { toAnswer } from '../agents/replay.ts';
import { type Scoring, toResult } from '../run/result.ts';
import { GRADER_VERSION, type Manifest } from '../store/manifest.ts';
import { type LoggedQuestion, readQuestions, toQuestionFile } from '../store/question-log.ts';
import { AgentError, type Sample, type SampleResult } from '../types.ts';
import type { ComparedSide } from './compare-runs.ts';

/**
 * A side of a run that an older version graded, with the verdicts of today's reader of choices. Questions that cannot
 * be graded again are `ungradable`; where that is all of them, `refused` says why.
 */
export function gradeAgain(folder: string, { suites }: Manifest, side: ComparedSide): ComparedSide {
  const { grader = 1 } = suites.find(({ suite }) => suite === side.suite) ?? {};
  if (grader >= GRADER_VERSION || !side.results.some(isChoice)) return side;
  const questions = readQuestions(folder, side.suite);
  const rows = side.results.map((before) => {
    return { before, after: isChoice(before) ? regrade(before, questions.get(before.id)) : before };
  });
  const ungradable = new Set(rows.filter(({ after }) => after === null).map(({ before }) => before.id));
  if (side.results.every((row) => !isChoice(row) || ungradable.has(row.id))) {
    const file = basename(toQuestionFile(folder, side.suite));
    const why = questions.size === 0 ? 'is missing or unreadable' : 'does not tell how its questions were shown';
    const refused = `${side.run} was graded by an older version and cannot be graded again, because its ${file} ${why}.`;
    return { ...side, refused: `${refused} Run it again, or name another run.` };
  }
  const results = rows.map(({ before, after }) => after ?? before);
  const changed = rows.filter(({ before, after }) => {
    return after !== null && (before.state !== after.state || before.answer !== after.answer);
  });
  return { ...side, results, ungradable: [...ungradable], regraded: changed.length };
}

/** Whether the built-in scorer for multiple choice graded this row. Only that scorer writes option_f1. */
function isChoice({ output, target, partial }: SampleResult): boolean {
  return output !== null && target !== null && partial?.['option_f1'] !== undefined;
}

/** Null where the run does not tell what the agent saw. */
function regrade(row: SampleResult, question: LoggedQuestion | undefined): SampleResult | null {
  const answer = toAnswer(row);
  const sample = question === undefined ? null : toSample(row, question);
  if (sample === null || answer instanceof AgentError) return null;
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
  const { presented } = row;
  const own = choices.map(([label]) => label);
  const labels = presented === undefined ? own : countUp(own);
  if (choices.length === 0 || labels === null) return null;
  const target = labels.filter((_, i) => presented?.target.includes(i + 1)).join(',');
  const pair = (values: readonly string[]) => Object.fromEntries(labels.map((label, i) => [label, values[i] ?? '']));
  return {
    ...{ id: row.id, suite: row.suite, group: row.group, input, attachments: [], metadata: {} },
    target: target || row.target,
    choices: pair(choices.map(([, text]) => text)),
    ...(typeof row.multiple === 'boolean' ? { multiple: row.multiple } : {}),
    ...(presented === undefined ? {} : { presentation: { seed: presented.seed, ownLabels: pair(own) } }),
  };
}

/**
 * The labels A, B, C or 1, 2, 3 in the order of the dataset; null for others. Shuffling moves the texts and leaves the
 * labels where they are, but a run does not record in which order the dataset has them.
 */
function countUp(labels: readonly string[]): readonly string[] | null {
  const first = ['A', 'a', '0', '1'].find((label) => labels.includes(label));
  if (first === undefined) return null;
  const ordered = labels.map((_, i) =>
    /\d/.test(first) ? `${Number(first) + i}` : String.fromCharCode(first.charCodeAt(0) + i),
  );
  return ordered.every((label) => labels.includes(label)) ? ordered : null;
}
