import { findGrader, findRuleOf } from '../src/compare/regrade.ts';
import { toSuiteKey } from '../src/figures/groups.ts';
import {
  listVariants,
  type Manifest,
  nameStoredPrompt,
  type SuiteManifest,
} from '../src/store/manifest.ts';
import type { ToolUse } from '../src/words/answer.ts';
import type { CorrectedAccuracy, GroupSummary, ScoreFigures } from '../src/words/figures.ts';
import type { SampleResult } from '../src/words/row.ts';
import { lineIf, plural } from '../src/words/show.ts';
import type { RunOutcome } from './evaluate-run.ts';
import { formatInterval, formatRate, formatScore, formatScoreInterval } from './format-figures.ts';
import { describeJudge, listFaults } from './remarks.ts';
import type { Unchecked } from './verify-run.ts';

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

/** One line on a suite, agent and prompt. */
type Quote = Readonly<{
  text: string;
  /** Whether it has a figure. */
  isQuotable: boolean;
}>;

/** For each suite, agent and prompt one line that may be quoted, or why there is none. */
export function quoteRun(outcome: RunOutcome, { verdicts, targets }: Unchecked): readonly Quote[] {
  return outcome.manifest.suites.flatMap((entry) =>
    listVariants(entry).map((variant) => {
      const key = toSuiteKey({ ...entry, ...variant });
      const summary = outcome.summary.suites.find((other) => toSuiteKey(other) === key);
      const all = summary?.groups.at(-1);
      const rows = outcome.results.filter((row) => toSuiteKey(row) === key);
      const subject = `${entry.suite} · ${nameDataset(entry)} · ${nameAgent(entry, variant.agent, rows)}`;
      const why = whyNoFigure(entry, variant.agent, all);
      if (all === undefined || why !== null) {
        return { text: `${subject}: nothing to quote, because ${why}`, isQuotable: false };
      }
      const prompt = `prompt ${nameStoredPrompt(entry, variant.prompt_hash)}`;
      const figures = describeFigures(all, entry, outcome.manifest);
      const conditions = describeConditions(entry, variant.agent, rows);
      const unchecked = verdicts.filter((row) => toSuiteKey(row) === key).length;
      const bad = entry.left_out?.length ?? 0;
      const judged = [
        ...lineIf(bad > 0, `${plural(bad, 'bad record')} of the dataset left out (EVAL_SKIP_BAD)`),
        ...describeTimes(rows, entry, variant, outcome.manifest),
        ...lineIf(unchecked > 0, describeStored(unchecked)),
        ...lineIf(targets.includes(entry.suite), 'expected answers are not checked'),
      ];
      return {
        text: [
          subject,
          prompt,
          ...figures,
          ...new Set(summary?.judges?.map(describeJudge)),
          ...conditions,
          ...describeUser(rows),
          ...judged,
        ].join(' · '),
        isQuotable: true,
      };
    }),
  );
}

/** Of a replay too, whose rows say who played. */
function describeUser(rows: readonly SampleResult[]): readonly string[] {
  const names = new Set(rows.flatMap(({ conversation }) => conversation?.user?.name ?? []));
  return lineIf(names.size > 0, `users played by ${[...names].join(' and ')}`);
}

function whyNoFigure(
  { dataset }: SuiteManifest,
  agent: string,
  all: GroupSummary | undefined,
): string | null {
  if (dataset === 'sample' && agent === 'replay') return 'its predictions are made up';
  return all === undefined || all.accuracy === null ? 'no expected answer is known' : null;
}

/** With the commit of a dataset of the Hub, or the hash of a local one. */
function nameDataset({ dataset, dataset_hash, source }: SuiteManifest): string {
  const revision = source?.revision ?? null;
  return revision === null
    ? `${dataset} (hash ${dataset_hash})`
    : `${dataset} (revision ${revision})`;
}

/** With the model as the provider names it, and the agent whose run is replayed. */
function nameAgent(
  { conditions }: SuiteManifest,
  agent: string,
  rows: readonly SampleResult[],
): string {
  const models = [...new Set(rows.flatMap(({ model }) => model ?? []))].sort();
  const asked = conditions.find((each) => each.agent === agent)?.recorded_agent;
  const name = asked === undefined ? agent : `${agent} of ${asked}`;
  return models.length === 0 ? name : `${name} (model ${models.join(' and ')})`;
}

function describeFigures(
  all: GroupSummary,
  { trials, group_sizes }: SuiteManifest,
  { config }: Manifest,
) {
  const {
    accuracy,
    ci95,
    graded,
    questions,
    states,
    n,
    graded_errored,
    retried = 0,
    corrected,
    scores = {},
  } = all;
  const whole = group_sizes.reduce((sum, [, size]) => sum + size, 0);
  const settings = Object.entries({
    levels: 'EVAL_LEVEL',
    limit: 'EVAL_LIMIT',
    seed: 'EVAL_SEED',
  }).flatMap(([key, name]) => (config[key] == null ? [] : [`${name}=${String(config[key])}`]));
  const part = `${questions < whole ? ` of ${whole}` : ''}${settings.length > 0 ? ` by ${settings.join(', ')}` : ''}`;
  return [
    `n = ${plural(questions, 'question')}${part}${trials > 1 ? `, ${trials} trials each` : ''}`,
    `accuracy ${formatRate(accuracy)} (${states.correct} of ${graded}, 95 % interval ${formatInterval(ci95)})`,
    ...lineIf(
      corrected !== undefined,
      `corrected for its judge: ${corrected?.why ?? describeCorrected(corrected)}`,
    ),
    ...Object.entries(scores).map(describeScore),
    ...lineIf(graded < n, `${n - graded} without an expected answer`),
    ...lineIf(
      graded_errored > 0,
      `${plural(graded_errored, 'error counts', 'errors count')} as wrong`,
    ),
    ...lineIf(retried > 0, `${plural(retried, 'second attempt')}`),
  ];
}

/** "score total 80.0 % (95 % interval 58.4 - 91.9 %, n = 20)". */
function describeScore([name, figures]: readonly [string, ScoreFigures]): string {
  const interval = `95 % interval ${formatScoreInterval(figures)}, n = ${figures.n}`;
  const { corrected } = figures;
  const score = `score ${name} ${formatScore(figures)} (${interval})`;
  if (corrected === undefined) return score;
  return `${score}, corrected for its judge: ${corrected.why ?? describeCorrected(corrected)}`;
}

/** "81.2 % (95 % interval 70.3 - 90.1 %)". */
function describeCorrected({ accuracy, ci95 }: Partial<CorrectedAccuracy> = {}): string {
  return `${formatRate(accuracy ?? null)} (95 % interval ${formatInterval(ci95 ?? null)})`;
}

/**
 * The tools and the server of an agent, and the settings that differ from the defaults of the
 * suite.
 */
function describeConditions(
  { conditions, tools }: SuiteManifest,
  agent: string,
  rows: readonly SampleResult[],
): readonly string[] {
  const {
    timeout_seconds = null,
    max_steps = null,
    server,
  } = conditions.find((each) => each.agent === agent) ?? {};
  const seed = rows.find(({ presented }) => presented !== undefined)?.presented?.seed;
  return [
    ...tools.filter((use) => use.agent === agent).map(describeTools),
    ...lineIf(server !== undefined, `server ${server}`),
    ...lineIf(timeout_seconds !== null, `EVAL_TIMEOUT=${timeout_seconds}`),
    ...lineIf(max_steps !== null, `EVAL_MAX_STEPS=${max_steps}`),
    ...lineIf(seed !== undefined, `options shuffled (EVAL_SHUFFLE_CHOICES=${seed})`),
  ];
}

function describeTools({ own, hosted, mcp }: ToolUse): string {
  const servers = mcp.map(({ server, version, at = '?', tools }) => {
    return `MCP server ${server} ${version} at ${at} (${plural(tools.length, 'tool')}: ${tools.join(', ')})`;
  });
  const used = [...own, ...hosted.map((type) => `the provider's ${type}`), ...servers];
  return `tools: ${used.length === 0 ? 'none' : used.join(', ')}`;
}

function describeStored(verdicts: number): string {
  return `${plural(verdicts, 'verdict is', 'verdicts are')} not checked`;
}

function describeTimes(
  rows: readonly SampleResult[],
  entry: SuiteManifest,
  { prompt_hash }: Pick<SampleResult, 'prompt_hash'>,
  { versions, created_at }: Manifest,
) {
  const days = rows.map(({ answered_at }) => (answered_at ?? created_at).slice(0, 10)).sort();
  const [first, last] = [days[0], days.at(-1)];
  const rule = findRuleOf(rows);
  const builtIn = `grader ${entry.grader}${rule === null ? '' : `, rule ${rule}`}`;
  return [
    `viva ${versions['viva'] ?? '?'}, ${findGrader(entry) === null ? "the suite's own score" : builtIn}`,
    // A file of predictions does not say when they were made.
    `${prompt_hash === '' ? 'replayed' : 'answered'} ${first === last ? `${first}` : `${first} to ${last}`}`,
  ];
}
