import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Quotable } from '../../../reporters/quotation.ts';
import { describeAccuracy, nameGrader } from '../../../reporters/quotation-lines.ts';
import { ensureFolder } from '../../data/files/read-file.ts';
import { toSuiteKey } from '../../figures/groups.ts';
import { readVersion } from '../../package.ts';
import { writeJson } from '../../store/line-file.ts';
import { readPrompt, slug } from '../../store/run-folder.ts';
import type { StoredRun } from '../../store/run-reader.ts';
import { nonEmpty, omitNullish, pick } from '../../words/fields.ts';
import type { GroupSummary, JudgeFigures, ScoreFigures } from '../../words/figures.ts';
import { listTools, splitAsked, toModelId, toParameters } from './asked-model.ts';
import { listJudges, showJudgePrompt } from './judging.ts';

/** Who publishes figures, and what they are to the developer of the model. */
export type Publisher = Readonly<{
  organization: string;
  relationship: 'first_party' | 'third_party' | 'collaborative' | 'other';
}>;

type Run = Pick<StoredRun, 'folder' | 'manifest'>;

/**
 * Writes a file for each figure, where every_eval_ever's datastore has it, and returns the files:
 * data/<dataset>/<developer>/<model>/<uuid>.json. A second export has the same names.
 */
export function writeEveryEvalEver(
  figures: readonly Quotable[],
  run: Run,
  publisher: Publisher,
  folder: string,
): readonly string[] {
  return figures.map((quoted) => {
    const { developer, model } = toModelId(quoted.agent);
    const parts = [quoted.dataset.name, developer, model].map(toFolderName);
    const place = join(folder, 'data', ...parts);
    ensureFolder(place);
    const file = join(place, `${toUuid(quoted, run)}.json`);
    writeJson(file, toEveryEvalEver(quoted, run, publisher));
    return file;
  });
}

/** The datastore takes no folder of the name "data". */
function toFolderName(name: string): string {
  return slug(name).replace(/^data$/i, '$&-');
}

/**
 * A figure with the fields of every_eval_ever's eval.schema.json 0.3, without a text of a record. A
 * prompt of a private dataset stays here, since it may show records.
 */
function toEveryEvalEver(quoted: Quotable, run: Run, publisher: Publisher): object {
  const { suite, agent, grading } = quoted;
  const { developer, model } = toModelId(agent);
  const began = toUnixTime(run.manifest.created_at);
  const shared = {
    source_data: toSource(quoted),
    evaluation_timestamp: began,
    generation_config: toGenerationConfig(quoted, run),
  };
  return {
    schema_version: '0.3.0',
    evaluation_id: [suite, `${developer}_${model}`, began, toKey(quoted, run).slice(0, 8)].join(
      '/',
    ),
    evaluation_timestamp: began,
    retrieved_timestamp: toUnixTime(new Date().toISOString()),
    source_metadata: {
      source_name: 'viva',
      source_type: 'evaluation_run',
      source_organization_name: publisher.organization,
      evaluator_relationship: publisher.relationship,
    },
    eval_library: {
      name: 'viva',
      version: grading.viva,
      additional_details: { grading: nameGrader(grading), exported_by: readVersion() },
    },
    model_info: toModelInfo(quoted),
    evaluation_results: [
      { evaluation_name: suite, ...shared, ...toAccuracy(quoted, run) },
      ...Object.entries(quoted.all.scores ?? {}).flatMap(([name, score]) =>
        toScore(name, score, quoted).map((one) => ({
          evaluation_name: `${suite}.${name}`,
          ...shared,
          ...one,
        })),
      ),
    ],
  };
}

function toKey({ figures }: Quotable, { manifest }: Run): string {
  return hash('sha256', JSON.stringify([manifest.run, manifest.created_at, toSuiteKey(figures)]));
}

/** In the form of version 4, which the datastore asks for. */
function toUuid(quoted: Quotable, run: Run): string {
  const digits = toKey(quoted, run);
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`];
  return [...parts, `8${digits.slice(17, 20)}`, digits.slice(20, 32)].join('-');
}

function toUnixTime(time: string): string {
  return String(Date.parse(time) / 1000);
}

function toSource({ dataset: { name, hash: content, revision, hub, questions } }: Quotable) {
  const facts = omitNullish({ hash: content, revision, files: hub?.file });
  const shared = { dataset_name: name, additional_details: facts };
  if (hub === null) return { ...shared, source_type: 'other' };
  const samples = questions > 0 ? { samples_number: questions } : {};
  return { ...shared, source_type: 'hf_dataset', hf_repo: hub.name, ...samples };
}

function toModelInfo({ agent }: Quotable) {
  const { asked, server, replay, models, name } = agent;
  const { developer, model } = toModelId(agent);
  const isHosted = asked !== null && server === null;
  return {
    name: models.length === 1 ? (models[0] ?? name) : (asked?.model ?? name),
    id: `${developer}/${model}`,
    ...(developer === 'unknown' ? {} : { developer }),
    ...(isHosted ? { inference_platform: splitAsked(asked).developer } : {}),
    additional_details: {
      ...UNKNOWN_MODEL,
      ...(isHosted ? { deployment_type: 'externally_managed' } : {}),
      ...omitNullish({ agent: name, server, replayed_by: replay }),
    },
  };
}

const UNKNOWN_MODEL = { deployment_type: 'unknown', model_availability: 'unknown' };

function toAccuracy(quoted: Quotable, run: Run) {
  const { all, accuracy, ci95, standardError, figures } = quoted;
  const error =
    standardError === null ? {} : { standard_error: { value: standardError, method: 'analytic' } };
  return {
    evaluation_result_id: `${toKey(quoted, run).slice(0, 16)}/accuracy`,
    metric_config: {
      evaluation_description: 'share of right answers; errors and timeouts count as wrong',
      metric_id: 'accuracy',
      metric_name: 'Accuracy',
      metric_kind: 'accuracy',
      ...PROPORTION,
      ...toJudging(listJudges(figures)),
    },
    score_details: {
      score: accuracy,
      uncertainty: {
        ...error,
        confidence_interval: toInterval(
          ci95,
          all,
          all.graded_questions === all.graded ? 'plain rate' : 'rate',
        ),
        num_samples: all.graded,
      },
      details: toDetails(quoted),
    },
  };
}

const PROPORTION = {
  metric_unit: 'proportion',
  lower_is_better: false,
  score_type: 'continuous',
  min_score: 0,
  max_score: 1,
};

/** Intervals as src/figures/intervals.ts computes them. */
function toInterval(
  [lower, upper]: readonly [number, number],
  { clusters }: Pick<GroupSummary, 'clusters'>,
  kind: 'plain rate' | 'rate' | 'mean',
) {
  const units = clusters === undefined ? 'questions' : 'clusters of questions';
  const method = {
    'plain rate': 'Wilson score interval',
    rate: `Wilson score interval for the effective number of independent results over ${units}`,
    mean: `Student's t over ${units}, after adding one with 0 and one with 1`,
  }[kind === 'plain rate' && clusters !== undefined ? 'rate' : kind];
  return { lower, upper, confidence_level: 0.95, method };
}

/** All values are texts. */
function toDetails(quoted: Quotable): Readonly<Record<string, string>> {
  const { all, trials, figures, missing } = quoted;
  const groups = figures.groups.slice(0, -1).map(({ group, graded, accuracy, ci95 }) => {
    return { group, n: graded, accuracy, ci95 };
  });
  const { text = [], page = [], checked, without } = figures.copies ?? {};
  const leaks = checked === undefined ? null : { checked, seen: text.length + page.length };
  return {
    said: describeAccuracy(quoted).join(' · '),
    questions: String(all.graded_questions),
    trials: String(trials),
    correct: String(all.graded_states.correct),
    graded: String(all.graded),
    ...toJsonTexts({
      states: all.graded_states,
      groups: nonEmpty(groups),
      clusters: all.clusters,
      readings: figures.readings,
      corrected_for_judge: all.corrected,
      copies_seen_by_tools: leaks === null ? null : { ...leaks, without },
      replaced_tools: figures.replaced_tools,
      missing: nonEmpty(missing.map(({ what }) => what)),
    }),
  };
}

function toJsonTexts(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const known = Object.entries(omitNullish(values));
  return Object.fromEntries(known.map(([name, value]) => [name, JSON.stringify(value)]));
}

/** A score without a value of all results has no figure; `missing` names it. */
function toScore(name: string, score: ScoreFigures, { suite, figures }: Quotable) {
  const { mean, ci95, n, questions, clusters, kind, corrected } = score;
  if (mean === null || ci95 === null) return [];
  const description = kind === 'rate' ? 'share of results for which it is true' : 'mean';
  const isPlain = kind === 'rate' && n === questions;
  const interval = toInterval(ci95, score, isPlain ? 'plain rate' : kind);
  return [
    {
      metric_config: {
        evaluation_description: description,
        // A bare name means something else in every suite.
        metric_id: `viva.${suite}.${name}`,
        metric_name: name,
        metric_kind: kind === 'rate' ? 'pass_rate' : 'score',
        ...PROPORTION,
        ...toJudging(listJudges(figures, name)),
      },
      score_details: {
        score: mean,
        uncertainty: { confidence_interval: interval, num_samples: n },
        details: toJsonTexts({ questions, clusters, corrected_for_judge: corrected }),
      },
    },
  ];
}

function toJudging(judges: readonly JudgeFigures[]) {
  const models = [...new Set(judges.flatMap((judge) => judge.models))];
  if (models.length === 0) return {};
  return {
    llm_scoring: {
      judges: models.map((name) => ({
        model_info: { name, id: name, additional_details: UNKNOWN_MODEL },
      })),
      input_prompt: showJudgePrompt(judges),
      additional_details: {
        prompts: [...new Set(judges.map(({ prompt_hash }) => prompt_hash))].join(', '),
        calibrations: JSON.stringify(
          judges.map((judge) => pick(judge, 'score', 'scale', 'models', 'judged', 'calibration')),
        ),
      },
    },
  };
}

function toGenerationConfig(quoted: Quotable, run: Run) {
  const { agent, prompt, settings, users, answered, deadlineSeconds: seconds } = quoted;
  const { config, others } = toParameters(agent);
  const { seed, reasoning_effort: effort, ...typed } = config;
  const tools = listTools(agent);
  return {
    generation_args: {
      ...typed,
      ...(effort === undefined ? {} : { reasoning: effort !== 'none' }),
      ...omitNullish({ prompt_template: readPublicPrompt(quoted, run) }),
      ...(tools === null ? {} : { agentic_eval_config: { available_tools: tools } }),
      ...(seconds !== null && Number.isInteger(seconds)
        ? { eval_limits: { time_limit: seconds } }
        : {}),
    },
    additional_details: {
      prompt: prompt.name,
      answered: `${answered.first}/${answered.last}`,
      ...others,
      ...Object.fromEntries(settings),
      ...toJsonTexts({ seed, users: nonEmpty(users) }),
      ...omitNullish({ reasoning_effort: effort, leak_guard: agent.tools?.leak_guard }),
    },
  };
}

/** Null where the prompt may show records that not everybody may read. */
function readPublicPrompt({ suite, prompt, isPrivate }: Quotable, { folder }: Run): string | null {
  return isPrivate || prompt.hash === '' ? null : readPrompt(folder, suite, prompt.hash);
}
