import { nameTools } from '../src/words/answer.ts';
import type { GroupSummary, ScoreFigures } from '../src/words/figures.ts';
import { lineIf, plural } from '../src/words/show.ts';
import {
  formatCorrected,
  formatCorrectedInterval,
  formatInterval,
  formatRate,
  formatScoreWithInterval,
  hasCorrected,
} from './format-figures.ts';
import { isQuotable, type Quotable, type Quotation, type Subject } from './quotation.ts';
import { countCopies, countReplacedTools, describeJudge } from './run-remarks.ts';

/**
 * At most four lines: who answered what, the accuracy, the conditions, scores and judges. One where
 * there is nothing to quote, which says why.
 */
export function toQuotationLines(quotation: Quotation): readonly string[] {
  const subject = nameSubject(quotation);
  if (!isQuotable(quotation)) return [`${subject}: nothing to quote, because ${quotation.why}`];
  const parts = [
    [
      ...describeAccuracy(quotation),
      ...countCopies(quotation.figures),
      ...countReplacedTools(quotation.figures),
    ],
    [
      `prompt ${quotation.prompt.name}`,
      ...describeConditions(quotation),
      describeGrading(quotation),
    ],
    [
      ...describeScores(quotation.all),
      ...new Set(quotation.figures.judges?.map((judge) => describeJudge(judge))),
    ],
  ];
  return [
    subject,
    ...parts.filter((part) => part.length > 0).map((part) => `  ${part.join(' · ')}`),
  ];
}

/** "gaia · GAIA/validation (revision 682dd723ee1e) · openai:MODEL (model MODEL-2026-08-07)". */
export function nameSubject({ suite, dataset, agent }: Subject): string {
  const { name, revision, hash } = dataset;
  const version = revision === null ? `hash ${hash}` : `revision ${revision}`;
  const who = agent.replay === null ? agent.name : `${agent.replay} of ${agent.name}`;
  const models = agent.models.length === 0 ? '' : ` (model ${agent.models.join(' and ')})`;
  return `${suite} · ${name} (${version}) · ${who}${models}`;
}

/** What the accuracy is of, and what it counts. */
export function describeAccuracy({
  accuracy,
  ci95,
  all,
  trials,
  dataset,
}: Quotable): readonly string[] {
  const { clusters, graded, graded_states, retried = 0, graded_questions, questions } = all;
  const part = graded_questions < dataset.questions ? ` of ${dataset.questions}` : '';
  const inside = clusters === undefined ? '' : ` in ${plural(clusters, 'cluster')}`;
  const each = trials > 1 ? `, ${trials} trials each` : '';
  const errors = plural(graded_states.errored, 'error counts', 'errors count');
  return [
    `n = ${plural(graded_questions, 'question')}${part}${inside}${each}`,
    `accuracy ${formatRate(accuracy)} (${graded_states.correct} of ${graded}, 95 % interval ${formatInterval(ci95)})`,
    ...lineIf(
      questions > graded_questions,
      `${plural(questions - graded_questions, 'question')} without an expected answer not counted`,
    ),
    ...lineIf(graded_states.errored > 0, `${errors} as wrong`),
    ...lineIf(retried > 0, plural(retried, 'second attempt')),
    ...lineIf(dataset.leftOut > 0, `${plural(dataset.leftOut, 'bad record')} left out`),
  ];
}

/** What differs from the defaults of a suite. */
export function describeConditions({ agent, settings, users }: Quotable): readonly string[] {
  const { tools, server } = agent;
  return [
    ...(tools === null ? [] : [`tools: ${nameTools(tools)}`]),
    ...(server === null ? [] : [`server ${server}`]),
    ...settings.map(([name, value]) => `${name}=${value}`),
    ...lineIf(users.length > 0, `users played by ${users.join(' and ')}`),
  ];
}

/** When the answers came, and what graded them. */
function describeGrading({ answered: { first, last }, grading, prompt }: Quotable): string {
  // A file of predictions does not say when they were made.
  const came = prompt.hash === '' ? 'replayed' : 'answered';
  return [
    `${came} ${first === last ? first : `${first} to ${last}`}`,
    `viva ${grading.viva}`,
    nameGrader(grading),
  ].join(' · ');
}

/** "grader 4, rule official". */
export function nameGrader({ builtIn, grader, rule }: Quotable['grading']): string {
  if (builtIn === null) return "the suite's own score";
  return `grader ${grader}${rule === null ? '' : `, rule ${rule}`}`;
}

/** Named scores and, where judges decided, what is known of their errors. */
function describeScores({ corrected, scores = {} }: GroupSummary): readonly string[] {
  return [
    ...describeCorrected({ corrected }),
    ...Object.entries(scores).flatMap(([name, figures]) => [
      `score ${name} ${formatScoreWithInterval(figures)}, n = ${countValues(figures)}`,
      ...describeCorrected(figures).map((text) => `score ${name} ${text}`),
    ]),
  ];
}

/** "36 (12 questions in 3 clusters)", what the interval is over where that is not the values. */
function countValues({ n, questions, clusters }: ScoreFigures): string {
  const inside = clusters === undefined ? '' : ` in ${plural(clusters, 'cluster')}`;
  return questions === n && clusters === undefined
    ? String(n)
    : `${n} (${plural(questions, 'question')}${inside})`;
}

/** "corrected for its judge: 81.2 % (70.3 - 90.1 %)". */
function describeCorrected(figures: Pick<GroupSummary, 'corrected'>): readonly string[] {
  const interval = hasCorrected(figures) ? ` (${formatCorrectedInterval(figures)})` : '';
  return lineIf(
    figures.corrected !== undefined,
    `corrected for its judge: ${formatCorrected(figures)}${interval}`,
  );
}
