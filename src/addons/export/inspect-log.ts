import { hash } from 'node:crypto';
import { join } from 'node:path';
import { ensureFolder } from '../../data/files/read-file.ts';
import { sumUsage } from '../../data/files/usage.ts';
import { groupBy, tallyQuestions, toSuiteKey } from '../../figures/groups.ts';
import { computeStandardError } from '../../figures/intervals.ts';
import { slug } from '../../store/run-folder.ts';
import { omitNullish } from '../../words/fields.ts';
import { hasRun, STATES } from '../../words/row.ts';
import { escapeJson } from '../../words/show.ts';
import { listTools, toModelPath, toParameters } from './asked-model.ts';
import type { ExportedRun, ExportedVariant } from './exported-run.ts';
import { nameModel, toEvalSample, toInspectId, toScorerName, toUsage } from './inspect-sample.ts';
import { listJudges, showJudgePrompt } from './judging.ts';
import { writeZip, type ZipMember } from './zip.ts';

/**
 * Writes a log for each suite, agent and prompt of a run, and returns the files. `inspect view`
 * lists only files whose names begin with a time. The fields are those of EvalLog in inspect_ai's
 * log/_log.py, version 2; the members of the archive those of its log/_recorders/eval.py.
 */
export function writeInspectLogs(run: ExportedRun, folder: string): readonly string[] {
  ensureFolder(folder);
  return run.variants.map((variant) => {
    const time = new Date(run.manifest.created_at)
      .toISOString()
      .replace(/\.\d+Z/, '+00-00')
      .replaceAll(':', '-');
    const file = join(folder, `${time}_${slug(variant.figures.suite)}_${toId(run, variant)}.eval`);
    writeZip(file, listMembers(run, variant));
    return file;
  });
}

function* listMembers(run: ExportedRun, variant: ExportedVariant): Generator<ZipMember, void> {
  const start = { version: 2, eval: toSpec(run, variant), plan: toPlan(variant) };
  yield ['_journal/start.json', escapeJson(start)];
  const summaries: object[] = [];
  for (const trial of variant.listTrials()) {
    const id = toId(run, variant, trial.row.id, trial.row.trial);
    const { sample, summary } = toEvalSample(trial, variant, id);
    summaries.push(summary);
    yield [`samples/${sample.id}_epoch_${sample.epoch}.json`, escapeJson(sample)];
  }
  yield ['_journal/summaries/1.json', escapeJson(summaries)];
  yield ['summaries.json', escapeJson(summaries)];
  const status = variant.results.every(hasRun) ? 'success' : 'cancelled';
  const figures = { results: toResults(variant), stats: toStats(run, variant) };
  yield ['header.json', escapeJson({ ...start, status, ...figures })];
}

/**
 * What was done with a question, by the names of Inspect's solvers: converters read the template and
 * the tools of steps with these names.
 */
function toPlan({ agent, prompt }: ExportedVariant) {
  const template = prompt.text === null ? {} : { template: prompt.text };
  const tools = listTools(agent);
  return {
    name: 'plan',
    steps: [
      { solver: 'prompt_template', params: { name: prompt.name, ...template } },
      ...(tools === null ? [] : [{ solver: 'use_tools', params: { tools: [tools] } }]),
      { solver: 'generate', params: {} },
    ],
    config: toParameters(agent).config,
  };
}

/** The same for each export of a run. */
function toId(
  { name }: ExportedRun,
  { figures }: ExportedVariant,
  ...parts: readonly unknown[]
): string {
  return hash('sha256', JSON.stringify([name, toSuiteKey(figures), ...parts])).slice(0, 22);
}

function toSpec(run: ExportedRun, variant: ExportedVariant) {
  const { agent, dataset, figures, trials, settings, deadlineSeconds: seconds } = variant;
  const { created_at, git_commit, versions } = run.manifest;
  const ids = [...new Set(variant.results.map(({ id }) => toInspectId(id)))];
  const { config, others } = toParameters(agent);
  const { hub, revision, hash: content } = dataset;
  return {
    eval_id: toId(run, variant),
    run_id: run.name,
    task_id: toId(run, variant),
    task: figures.suite,
    task_version: 0,
    created: created_at,
    task_attribs: {},
    task_args: omitNullish({ prompt: figures.prompt }),
    model: toModelPath(agent),
    model_args: others,
    model_generate_config: config,
    packages: versions,
    dataset: {
      name: dataset.name,
      ...omitNullish({ location: hub?.name }),
      samples: ids.length,
      sample_ids: ids,
      shuffled: settings.some(([name]) => name === 'EVAL_SEED'),
    },
    config: {
      epochs: trials,
      ...(seconds !== null && Number.isInteger(seconds) ? { time_limit: seconds } : {}),
    },
    scorers: [{ name: variant.scorer }, ...listNamed(variant).map(({ name }) => ({ name }))],
    metadata: omitNullish({
      git_commit,
      agent: agent.name,
      replayed_by: agent.replay,
      server: agent.server,
      dataset_revision: revision,
      dataset_hash: content,
      settings: Object.fromEntries(settings),
    }),
  };
}

/** Completed are samples without an error, also those that reached the deadline. */
function toResults(variant: ExportedVariant) {
  const { scorer, results } = variant;
  const completed = results.filter((row) => hasRun(row) && !STATES[row.state].isError);
  return {
    total_samples: results.length,
    completed_samples: completed.length,
    scores: [
      { name: scorer, scorer, params: toGrader(variant), metrics: toMetrics(variant) },
      ...listNamed(variant),
    ],
  };
}

/** The judge of a score, by the names of Inspect's model_graded_qa. */
function toGrader({ figures }: Pick<ExportedVariant, 'figures'>, score?: string) {
  const own = listJudges(figures, score);
  const models = [...new Set(own.flatMap((judge) => judge.models))];
  const [model] = models;
  if (model === undefined) return {};
  const others = models.length > 1 ? { grader_models: models } : {};
  return { grader_model: { model }, ...others, grader_template: showJudgePrompt(own) };
}

/** The figures of the named scores. Of true and false, the mean is the share that is true. */
function listNamed({ figures, scorer }: ExportedVariant) {
  return Object.entries(figures.groups.at(-1)?.scores ?? {}).map(([score, { mean }]) => {
    const name = toScorerName(score, scorer);
    const metrics = mean === null ? {} : { mean: { name: 'mean', value: mean, params: {} } };
    return { name, scorer: name, params: toGrader({ figures }, score), metrics };
  });
}

function toStats({ manifest }: ExportedRun, { results }: ExportedVariant) {
  const { created_at } = manifest;
  const times = [created_at, ...results.flatMap(({ answered_at }) => answered_at ?? [])].sort();
  const used = results.flatMap(({ usage, ...row }) =>
    usage === null ? [] : [{ ...usage, model: nameModel(row) }],
  );
  const models = [...groupBy(used, ({ model }) => model)];
  return {
    started_at: created_at,
    completed_at: times.at(-1) ?? created_at,
    model_usage: Object.fromEntries(
      models.map(([model, rows]) => [model, toUsage(sumUsage(rows))]),
    ),
  };
}

/**
 * viva's accuracy, or its bounds while the run is incomplete, and the standard error over
 * questions or clusters, if there are two.
 */
function toMetrics({ figures, results }: ExportedVariant) {
  const { accuracy = null, bounds = null } = figures.groups.at(-1) ?? {};
  const [least, most] = bounds ?? [];
  const stderr = computeStandardError([...tallyQuestions(results).values()]);
  const values =
    accuracy === null ? { accuracy_at_least: least, accuracy_at_most: most } : { accuracy, stderr };
  const metrics = Object.entries(omitNullish(values)).map(([name, value]) => [
    name,
    { name, value, params: {} },
  ]);
  return Object.fromEntries(metrics);
}
