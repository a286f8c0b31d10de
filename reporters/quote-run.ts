import { kindOf, parseAgentSpecs } from '../src/agents/kinds.ts';
import { parseHubSource } from '../src/data/hub/hub-source.ts';
import type { RunOutcome } from '../src/figures/evaluate-run.ts';
import { findGrader, findRuleOf } from '../src/figures/find-grader.ts';
import { tallyQuestions, toSuiteKey } from '../src/figures/groups.ts';
import { computeStandardError } from '../src/figures/intervals.ts';
import {
  type AgentConditions,
  listVariants,
  type Manifest,
  nameStoredPrompt,
  type SuiteManifest,
} from '../src/store/manifest.ts';
import { isPrivate } from '../src/words/audience.ts';
import type { SuiteSummary } from '../src/words/figures.ts';
import type { SampleResult } from '../src/words/row.ts';
import { lineIf } from '../src/words/show.ts';
import { findGaps, type Quotable, type Quotation, type Subject } from './quotation.ts';
import { listFaults } from './run-remarks.ts';

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

/** For each suite, agent and prompt of a run what may be quoted. It has no text of a record. */
export function quoteRun(outcome: RunOutcome): readonly Quotation[] {
  const { manifest, summary, results } = outcome;
  return manifest.suites.flatMap((entry) =>
    listVariants(entry).map(({ agent, ...variant }): Quotation => {
      const key = toSuiteKey({ ...entry, agent, ...variant });
      const figures = summary.suites.find((other) => toSuiteKey(other) === key);
      const rows = results.filter((row) => toSuiteKey(row) === key);
      const subject = toSubject(entry, agent, rows);
      if (entry.dataset === 'sample' && agent === 'replay')
        return { ...subject, why: 'its predictions are made up' };
      const measured = figures && toMeasured(figures);
      if (measured === null || measured === undefined)
        return { ...subject, why: 'no expected answer is known' };
      const hash = variant.prompt_hash;
      const quoted = {
        ...subject,
        ...measured,
        isPrivate: isPrivate(entry),
        standardError: computeStandardError([...tallyQuestions(rows).values()]),
        trials: entry.trials,
        prompt: { hash, name: nameStoredPrompt(entry, hash) },
        ...toConditions(entry, agent, rows, manifest),
      };
      return { ...quoted, missing: findGaps(quoted) };
    }),
  );
}

/** Who answered, as a run has it. It has no text of a record, but what an agent calls its model. */
export function toSubject(
  entry: SuiteManifest,
  agent: string,
  rows: readonly SampleResult[],
): Subject {
  const { suite, dataset, dataset_hash, source, group_sizes, left_out = [] } = entry;
  const asked = entry.conditions.find((each) => each.agent === agent);
  const isReplay = asked?.recorded_prompt !== undefined || agent === 'replay';
  const name = asked?.recorded_agent ?? agent;
  return {
    suite,
    dataset: {
      name: dataset,
      hash: dataset_hash,
      revision: source?.revision ?? null,
      hub: source === null ? null : parseHubSource(source.uri),
      questions: group_sizes.reduce((sum, [, size]) => sum + size, 0),
      leftOut: left_out.length,
    },
    agent: {
      name,
      replay: name === agent ? null : agent,
      isFile: isReplay && asked?.recorded_agent === undefined,
      asked: findAsked(name),
      models: [...new Set(rows.flatMap(({ model }) => model ?? []))].sort(),
      server: asked?.server ?? null,
      tools: entry.tools.find((use) => use.agent === agent) ?? null,
    },
  };
}

/** The model that viva asks for an agent of this name; null for an agent of code or a replay. */
export function findAsked(name: string): Subject['agent']['asked'] {
  const [spec, ...others] = parseAgentSpecs(name) ?? [];
  if (spec === undefined || others.length > 0 || !kindOf(spec).isModel) return null;
  return { kind: spec.kind, model: spec.target, params: spec.params ?? [] };
}

function toMeasured(
  figures: SuiteSummary,
): Pick<Quotable, 'figures' | 'all' | 'accuracy' | 'ci95'> | null {
  const all = figures.groups.at(-1);
  if (all === undefined || all.accuracy === null || all.ci95 === null) return null;
  return { figures, all, accuracy: all.accuracy, ci95: all.ci95 };
}

/** Settings of a run that choose its questions, by their names in the manifest. */
const CHOOSING = { levels: 'EVAL_LEVEL', limit: 'EVAL_LIMIT', seed: 'EVAL_SEED' };

/** Under which conditions these rows were answered and graded. */
export function toConditions(
  entry: SuiteManifest,
  agent: string,
  rows: readonly SampleResult[],
  { config, versions, created_at }: Manifest,
): Pick<Quotable, 'settings' | 'deadlineSeconds' | 'users' | 'answered' | 'grading'> {
  const asked = entry.conditions.find((each) => each.agent === agent);
  const shuffled = rows.find(({ presented }) => presented !== undefined)?.presented;
  const settings = [
    ...Object.entries(CHOOSING).map(([key, name]) => [name, config[key]] as const),
    ['EVAL_TIMEOUT', asked?.timeout_seconds] as const,
    ['EVAL_MAX_STEPS', asked?.max_steps] as const,
    ['EVAL_SHUFFLE_CHOICES', shuffled?.seed] as const,
  ];
  const days = rows.map(({ answered_at }) => (answered_at ?? created_at).slice(0, 10)).sort();
  return {
    settings: settings.flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]])),
    deadlineSeconds: findDeadline(asked),
    // Of a replay too, whose rows say who played.
    users: [...new Set(rows.flatMap(({ conversation }) => conversation?.user?.name ?? []))],
    answered: { first: days[0] ?? '', last: days.at(-1) ?? '' },
    grading: {
      viva: versions['viva'] ?? '?',
      grader: entry.grader,
      builtIn: findGrader(entry),
      rule: findRuleOf(rows),
    },
  };
}

function findDeadline(
  {
    deadlines,
    timeout_seconds: set = null,
  }: Pick<AgentConditions, 'deadlines' | 'timeout_seconds'> = { deadlines: [] },
): number | null {
  const [seconds = set, ...others] = new Set(deadlines.map(([, each]) => each));
  return others.length === 0 ? seconds : null;
}
