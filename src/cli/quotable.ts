import {
  formatCorrected,
  formatCorrectedInterval,
  formatInterval,
  formatRate,
  formatScoreWithInterval,
  hasCorrected,
} from '../../reporters/format-figures.ts';
import {
  countCopies,
  countReplacedTools,
  describeJudge,
  listFaults,
} from '../../reporters/run-remarks.ts';
import type { RunOutcome } from '../figures/evaluate-run.ts';
import { toSuiteKey } from '../figures/groups.ts';
import {
  listVariants,
  type Manifest,
  nameStoredPrompt,
  type SuiteManifest,
} from '../store/manifest.ts';
import { nameTools } from '../words/answer.ts';
import type { GroupSummary, ScoreFigures } from '../words/figures.ts';
import type { SampleResult } from '../words/row.ts';
import { lineIf, plural } from '../words/show.ts';
import { findGrader, findRuleOf } from './regrade.ts';

/** Why no figure of a run may be quoted, a phrase each; empty if its figures may. */
export function whyUnquotable(outcome: RunOutcome): readonly string[] {
  const { suites, config } = outcome.manifest;
  const { narrowed_by: by, ended_at } = outcome.end;
  const shard = suites.find((entry) => entry.shard !== null)?.shard ?? null;
  const faults = listFaults(outcome);
  return [
    ...lineIf(
      shard !== null,
      `it is shard ${shard?.index} of ${shard?.count}; merge the shards first`,
    ),
    ...lineIf(
      by.last_failed || (by.name ?? by.tags) !== null,
      'it was narrowed by -t, tags or --last-failed',
    ),
    ...lineIf((config['ids'] ?? null) !== null, 'EVAL_IDS picked its questions by hand'),
    ...lineIf(ended_at === null, 'it did not end: end.json has no time of its end'),
    ...faults.map((fault) => fault.replace(/\.$/, '')),
    ...lineIf(faults.length === 0 && !outcome.summary.complete, 'it did not complete'),
  ];
}

/** What may be quoted of a suite, agent and prompt. */
type Quote = Readonly<{
  /** At most four: who answered what, the accuracy, the conditions, scores and judges. */
  lines: readonly string[];
  /** Whether it has a figure. */
  isQuotable: boolean;
}>;

/** For each suite, agent and prompt what may be quoted, or why there is nothing. */
export function quoteRun(outcome: RunOutcome): readonly Quote[] {
  const { manifest, summary, results } = outcome;
  return manifest.suites.flatMap((entry) =>
    listVariants(entry).map(({ agent, ...variant }): Quote => {
      const key = toSuiteKey({ ...entry, agent, ...variant });
      const figures = summary.suites.find((other) => toSuiteKey(other) === key);
      const all = figures?.groups.at(-1);
      const rows = results.filter((row) => toSuiteKey(row) === key);
      const subject = `${entry.suite} · ${nameDataset(entry)} · ${nameAgent(entry, agent, rows)}`;
      const isMadeUp = entry.dataset === 'sample' && agent === 'replay';
      if (isMadeUp || figures === undefined || all === undefined || all.accuracy === null) {
        const why = isMadeUp ? 'its predictions are made up' : 'no expected answer is known';
        return { lines: [`${subject}: nothing to quote, because ${why}`], isQuotable: false };
      }
      const parts = [
        [...describeAccuracy(all, entry), ...countCopies(figures), ...countReplacedTools(figures)],
        [
          `prompt ${nameStoredPrompt(entry, variant.prompt_hash)}`,
          ...describeConditions(entry, agent, rows, manifest),
          describeGrader(entry, rows, manifest),
        ],
        [...describeScores(all), ...new Set(figures.judges?.map(describeJudge))],
      ];
      const lines = parts.filter((part) => part.length > 0).map((part) => `  ${part.join(' · ')}`);
      return { lines: [subject, ...lines], isQuotable: true };
    }),
  );
}

/** With the commit of a dataset of the Hub, or the hash of a local one. */
function nameDataset({ dataset, dataset_hash, source }: SuiteManifest): string {
  const revision = source?.revision ?? null;
  return `${dataset} (${revision === null ? `hash ${dataset_hash}` : `revision ${revision}`})`;
}

/** With the model as the provider names it, and the agent whose run is replayed. */
function nameAgent(
  { conditions }: SuiteManifest,
  agent: string,
  rows: readonly SampleResult[],
): string {
  const models = [...new Set(rows.flatMap(({ model }) => model ?? []))].sort();
  const recorded = conditions.find((each) => each.agent === agent)?.recorded_agent;
  const name = recorded === undefined ? agent : `${agent} of ${recorded}`;
  return models.length === 0 ? name : `${name} (model ${models.join(' and ')})`;
}

function describeAccuracy(
  { accuracy, ci95, clusters, graded, graded_states, ...counts }: GroupSummary,
  { trials, group_sizes, left_out = [] }: SuiteManifest,
): readonly string[] {
  const { retried = 0, graded_questions, questions } = counts;
  const whole = group_sizes.reduce((sum, [, size]) => sum + size, 0);
  const part = graded_questions < whole ? ` of ${whole}` : '';
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
    ...lineIf(left_out.length > 0, `${plural(left_out.length, 'bad record')} left out`),
  ];
}

/** Settings of a run that choose its questions, by their names in the manifest. */
const CHOOSING = { levels: 'EVAL_LEVEL', limit: 'EVAL_LIMIT', seed: 'EVAL_SEED' };

/** What differs from the defaults of a suite. */
function describeConditions(
  { conditions, tools }: SuiteManifest,
  agent: string,
  rows: readonly SampleResult[],
  { config }: Manifest,
): readonly string[] {
  const asked = conditions.find((each) => each.agent === agent);
  const settings = [
    ...Object.entries(CHOOSING).map(([key, name]) => [name, config[key]] as const),
    ['EVAL_TIMEOUT', asked?.timeout_seconds] as const,
    ['EVAL_MAX_STEPS', asked?.max_steps] as const,
    [
      'EVAL_SHUFFLE_CHOICES',
      rows.find(({ presented }) => presented !== undefined)?.presented?.seed,
    ] as const,
  ];
  // Of a replay too, whose rows say who played.
  const users = new Set(rows.flatMap(({ conversation }) => conversation?.user?.name ?? []));
  return [
    ...tools.filter((use) => use.agent === agent).map((use) => `tools: ${nameTools(use)}`),
    ...(asked?.server === undefined ? [] : [`server ${asked.server}`]),
    ...settings.flatMap(([name, value]) => (value == null ? [] : `${name}=${String(value)}`)),
    ...lineIf(users.size > 0, `users played by ${[...users].join(' and ')}`),
  ];
}

/** When the answers came, and what graded them. */
function describeGrader(
  entry: SuiteManifest,
  rows: readonly SampleResult[],
  { versions, created_at }: Manifest,
): string {
  const days = rows.map(({ answered_at }) => (answered_at ?? created_at).slice(0, 10)).sort();
  const [first, last] = [days[0], days.at(-1)];
  // A file of predictions does not say when they were made.
  const came = rows.every(({ prompt_hash }) => prompt_hash === '') ? 'replayed' : 'answered';
  const rule = findRuleOf(rows);
  const builtIn = `grader ${entry.grader}${rule === null ? '' : `, rule ${rule}`}`;
  return [
    `${came} ${first === last ? first : `${first} to ${last}`}`,
    `viva ${versions['viva'] ?? '?'}`,
    findGrader(entry) === null ? "the suite's own score" : builtIn,
  ].join(' · ');
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
