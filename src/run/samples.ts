import { isDeepStrictEqual } from 'node:util';
import type { AgentSpec } from '../agents/spec.ts';
import { nameGroups } from '../data/describe-dataset.ts';
import { BadRecords, RecordError } from '../data/files/record.ts';
import { isGaiaItself } from '../data/gaia.ts';
import {
  matchesAny,
  matchesGlob,
  selectSamples,
  shardSamples,
  shuffle,
  splitPatterns,
} from '../data/selection.ts';
import { drawOrders } from '../data/shuffle-choices.ts';
import type { EvalConfig } from '../settings.ts';
import { hasManifest } from '../store/manifest.ts';
import { readRun } from '../store/run-reader.ts';
import type { Dataset, Json, Note, Sample } from '../words/sample.ts';
import { redact } from '../words/secrets.ts';
import { quote, showPath } from '../words/show.ts';
import { called, told } from '../words/told.ts';
import { noteMatchedByAll } from './dataset-facts.ts';
import type { SuiteDefinition } from './definition.ts';
import { checkValue } from './grade.ts';
import { loadData } from './load-data.ts';
import type { ReadyRun } from './provided-run.ts';
import { addUsers, type UserSimulation } from './simulate-user.ts';
import { deadlineOf, NO_DATA, type Suite } from './suite.ts';
import { callOfSuite } from './user-code.ts';

type Loading = Pick<ReadyRun, 'config' | 'hub' | 'secrets'>;
type LoadedSuite = Pick<Suite, 'name' | 'file' | 'definition'>;

/** A dataset with the seed for the order of options in each trial; absent for the order of the file. */
export type LoadedDataset = Dataset & Readonly<{ choicesSeed?: number }>;

/** The samples of a suite, in the dataset's order of options. Rejects if none of them could be graded. */
export async function loadSamples(
  suite: LoadedSuite,
  agents: readonly AgentSpec[],
  run: Loading,
): Promise<LoadedDataset> {
  const [{ config }, { name, file, definition }] = [run, suite];
  checkLevels(suite, config);
  const dataset = await loadData(suite, run);
  if (dataset.samples.length === 0) throw new Error(`${showPath(file)}: ${NO_DATA}`);
  const { group, groups, schema, score, scores, matcher, user } = definition;
  const hasNoTarget = dataset.samples.every(({ target }) => target === null);
  // A matcher compares with a target. Without targets a dataset, such as GAIA's test split, is not
  // graded.
  const hasScore = (score ?? scores) !== undefined;
  // Nor is a suite that only has its answers compared with each other.
  const isGradedBlind = hasNoTarget && hasScore && matcher === undefined;
  const readsTarget = [score, ...Object.values(scores ?? {})].some(namesTarget);
  if (hasNoTarget) checkTargets(suite, dataset, readsTarget);
  const grouped = group === undefined ? dataset : regroup(dataset, group, file, run.secrets);
  const { samples: checked, leftOut } =
    schema === undefined ? grouped : await checkSamples(schema, grouped, suite, config);
  const withUsers = addSimulatedUsers(checked, user, file);
  const samples = withUsers.map((sample) => {
    if (sample.suite === name && !isGradedBlind && groups === undefined) return sample;
    return {
      ...sample,
      suite: name,
      target: isGradedBlind ? '' : sample.target,
      ...(groups !== undefined && readGroups(sample, groups, file)),
    };
  });
  const isNeeded = ({ kind, field }: Note) => {
    if (kind === 'hidden target') return !isGradedBlind;
    if (kind === 'no target') return !isGradedBlind || readsTarget;
    return field === undefined || !readsField(definition, field);
  };
  // Nobody can correct the answers of GAIA itself.
  const isGaia = isGaiaItself({ dataset: dataset.name, source: dataset.source ?? null });
  const notes = [
    ...dataset.notes.filter(isNeeded),
    ...(matcher === 'toMatchGaiaAnswer' && !isGaia ? noteMatchedByAll(samples, 3) : []),
  ];
  const choicesSeed = findChoicesSeed(samples, agents, config, name) ?? undefined;
  return { ...dataset, samples, leftOut, notes, choicesSeed };
}

/** The samples of a dataset that a run asks. */
export type ChosenSamples = Readonly<{
  /** The selection of all shards together. */
  samples: readonly Sample[];
  /** Those that this process asks. */
  share: readonly Sample[];
  /** Patterns of EVAL_IDS that match nothing here. */
  unmatchedIds: readonly string[];
  /** The ids that EVAL_IDS leaves out, and of how many; absent for none. */
  excluded?: Readonly<{ ids: readonly string[]; of: number }>;
}>;

/**
 * Selects by level, ids, seed, limit and shard. Where several suites run, an id of one is not a
 * mistake in another: what matches nothing here is recorded, and the report refuses what matches
 * nothing anywhere. `known` are all samples of the dataset, where a replayed run asked some of them;
 * `before` are the ids that this run was to leave out.
 */
export function chooseSamples(
  samples: readonly Sample[],
  hasLevels: boolean,
  { config, suites, shard }: Pick<ReadyRun, 'config' | 'suites' | 'shard'>,
  known = samples,
  before: readonly string[] = [],
): ChosenSamples {
  const { levels, ids, seed, limit, maxCost } = config;
  const unmatchedIds =
    suites === 1 ? [] : (ids ?? []).filter((pattern) => !matchesAny(pattern, known));
  const matchedIds = ids?.filter((pattern) => !unmatchedIds.includes(pattern)) ?? [];
  const [asked, { wanted, unwanted }] = [splitPatterns(ids ?? []), splitPatterns(matchedIds)];
  if (asked.wanted.length > 0 && wanted.length === 0)
    return { samples: [], share: [], unmatchedIds };
  const ofLevels = { levels: hasLevels ? levels : null, known };
  const isPart = unwanted.length > 0 || before.length > 0;
  const whole = !isPart ? [] : selectSamples(samples, { ...ofLevels, ids: wanted });
  const out = whole.filter((sample) => unwanted.some((id) => matchesAny(id, [sample])));
  const isWanted = (id: string) =>
    wanted.length === 0 || wanted.some((pattern) => matchesGlob(pattern, id));
  const earlier = before.filter(isWanted);
  const leftOut = [...earlier, ...out.map(({ id }) => id)];
  const facts = {
    unmatchedIds,
    ...(leftOut.length > 0 && { excluded: { ids: leftOut, of: earlier.length + whole.length } }),
  };
  if (suites !== 1 && out.length > 0 && out.length === whole.length)
    return { samples: [], share: [], ...facts };
  const selected = selectSamples(samples, { ...ofLevels, ids: matchedIds, seed, limit });
  const share = shard === null ? selected : shardSamples(selected, shard);
  // A budget may end a run anywhere: what it leaves out must not depend on the order of the file.
  const isShuffled = maxCost !== null && seed === null;
  return { samples: selected, share: isShuffled ? shuffle(share, BUDGET_SEED) : share, ...facts };
}

const BUDGET_SEED = 1;

/** Whether a score names the target, as far as its own text tells. */
function namesTarget(score: unknown): boolean {
  return typeof score === 'function' && /\btarget\b/.test(String(score));
}

/** Whether a suite reads a field of records itself, as far as the text of its functions tells. */
function readsField({ score, scores, user }: SuiteDefinition, field: string): boolean {
  if (user !== undefined && ['persona', 'goal'].includes(field)) return true;
  const functions = [score, ...Object.values(scores ?? {}), user?.persona, user?.goal];
  const texts = functions.filter((each) => typeof each === 'function').map(String);
  const isWord = /^[\p{L}\p{N}_$]+$/u.test(field);
  return texts.some((text) => {
    const words = text.split(/[^\p{L}\p{N}_$]+/u);
    const readsRecord = words.includes('record') || words.includes('metadata');
    return readsRecord && (isWord ? words.includes(field) : text.includes(field));
  });
}

/** Refuses a suite without targets that would compare with them. */
function checkTargets(
  { file, definition: { score, scores, prefer } }: LoadedSuite,
  { notes }: Dataset,
  readsTarget: boolean,
): void {
  const misspelt = notes.find(({ kind }) => kind === 'misspelt target')?.text;
  if (score === undefined && scores === undefined && prefer === undefined)
    throw new Error(
      `${showPath(file)}: no record has an expected answer, and the suite has no score. ${misspelt ?? ADD_TARGET}`,
    );
  if (readsTarget && misspelt !== undefined) throw new Error(`${showPath(file)}: ${misspelt}`);
}

const ADD_TARGET =
  'Add "target" (or "answer") to the records, set it with "map", or give the suite a "score".';

/** Refuses a setting that would leave a suite as large as it is. */
function checkLevels({ name, file, definition }: LoadedSuite, { levels }: EvalConfig): void {
  if (levels === null || definition.levels === true) return;
  const problem = `EVAL_LEVEL is ${quote(levels.join())}, but the suite ${name} has no levels`;
  throw new Error(
    `${showPath(file)}: ${problem}. Unset it, or name only eval files with levels on the command line.`,
  );
}

function addSimulatedUsers(
  samples: readonly Sample[],
  user: UserSimulation | undefined,
  file: string,
): readonly Sample[] {
  if (user !== undefined) return addUsers(samples, user, file);
  const silent = samples.find(({ turns }) => turns?.length === 0);
  if (silent === undefined) return samples;
  throw new RecordError({
    file,
    id: silent.id,
    field: 'goal',
    problem: told`of ${called(silent.id)} is for a simulated user, and the record has no input`,
    remedy: 'Add "user: simulateUser()" to the suite, or give the record an input.',
  });
}

/**
 * The samples with inputs and targets as their schemas return them. Rejects with all that do not fit,
 * unless EVAL_SKIP_BAD leaves them out.
 */
async function checkSamples(
  schema: NonNullable<SuiteDefinition['schema']>,
  { samples, leftOut }: Dataset,
  suite: LoadedSuite,
  config: EvalConfig,
): Promise<Pick<Dataset, 'samples' | 'leftOut'>> {
  const checked: Sample[] = [];
  const bad: RecordError[] = [];
  const places: string[] = [];
  for (const sample of samples) {
    const found = await checkSample(schema, sample, suite, deadlineOf(suite, config, sample.group));
    if (!(found instanceof RecordError)) checked.push(found);
    else {
      bad.push(found);
      places.push(`${showPath(suite.file)}, ${sample.id}`);
    }
  }
  if (bad.length === 0) return { samples: checked, leftOut };
  if (config.skipBad !== true || checked.length === 0) throw new BadRecords(bad, samples.length);
  return { samples: checked, leftOut: [...(leftOut ?? []), ...places] };
}

async function checkSample(
  { input, target }: NonNullable<SuiteDefinition['schema']>,
  sample: Sample,
  { name: suite, file }: LoadedSuite,
  limitMs: number,
): Promise<Sample | RecordError> {
  const values: { input?: Json; target?: Json } = {};
  for (const [name, schema] of [
    ['input', input],
    ['target', target],
  ] as const) {
    if (schema === undefined || sample[name] === null) continue;
    const of = { name: `schema.${name}`, suite, file };
    const found = await checkValue(of, schema, sample[name], limitMs);
    if ('problem' in found)
      return new RecordError({
        file,
        id: sample.id,
        field: name,
        problem: told`of ${called(sample.id)} does not fit its schema`,
        detail: found.problem,
        remedy: 'Correct the record or the schema.',
      });
    values[name] = found.value;
  }
  return { ...sample, ...values };
}

/** The groups of a sample by fields of its record. The first is its row in the usual table. */
function readGroups(
  { id, metadata }: Sample,
  names: readonly string[],
  file: string,
): Pick<Sample, 'group' | 'groups'> {
  const groups = names.map((name) => {
    const value = metadata[name];
    if (['string', 'number', 'boolean'].includes(typeof value)) return [name, String(value)];
    throw new RecordError({
      file,
      id,
      field: 'groups',
      problem: told`names ${called(name)}, which ${called(id)} does not have as a string or a number`,
      remedy: 'Name fields that each record has, or set them as "metadata" with "map".',
    });
  });
  const [[, group = 'all'] = []] = groups;
  return { group, groups: Object.fromEntries(groups) };
}

/** The samples in the groups that the suite's function names. */
function regroup(
  dataset: Dataset,
  group: NonNullable<SuiteDefinition['group']>,
  file: string,
  secrets: readonly string[],
): Dataset {
  const returned = dataset.samples.map((sample) => redact(nameGroup(group, sample, file), secrets));
  const named = nameGroups(returned, 'group');
  const samples = dataset.samples.map((sample, index) => {
    return { ...sample, group: named[index] ?? sample.group };
  });
  return { ...dataset, samples };
}

function nameGroup(group: (sample: Sample) => unknown, sample: Sample, file: string): string {
  const value = callOfSuite({ name: 'group', file, sample: sample.id }, group, sample);
  const name = typeof value === 'number' ? String(value) : value;
  if (typeof name === 'string' && name.trim() !== '') return name;
  const problem = told`must return a string for each sample, but did not for ${called(sample.id)}`;
  throw new RecordError({
    file,
    field: 'group',
    problem,
    value,
    remedy: 'Return the name of a group, such as "other".',
  });
}

/**
 * The seed for the order of options; null for the order of the file. Refuses another order for
 * replayed answers: they name the options as these were shown then.
 */
export function findChoicesSeed(
  samples: readonly Sample[],
  agents: readonly AgentSpec[],
  { shuffleChoices: asked }: EvalConfig,
  suite: string,
): number | null {
  const runs = agents.map((spec) => (spec.kind === 'replay' ? readRecording(spec, suite) : null));
  const seeds = runs.map((run) => (run === null ? asked : run.seed));
  const [seed = null] = seeds;
  const hasOptions = samples.some(({ choices }) => choices !== undefined);
  const place = seeds.findIndex((other) => other !== seed);
  if (place > 0)
    throw new Error(
      `${agents.some(({ setting }) => setting !== undefined) ? 'The eval file' : 'EVAL_AGENT'} names agents that see options in different orders: ${nameWithOrder(agents[0], seed)} and ${nameWithOrder(agents[place], seeds[place])}. Run them one by one.`,
    );
  if (asked !== null && asked !== seed && hasOptions)
    throw new Error(
      `EVAL_SHUFFLE_CHOICES=${asked} cannot shuffle the options of suite ${suite}: its answers are replayed, and name the options as they were shown then. Unset it, or name another agent.`,
    );
  if (seed !== null) for (const run of runs) if (run !== null) checkOrders(run, samples, seed);
  return seed;
}

/**
 * The rows of a replayed run whose options were shuffled. The labels of a replayed answer belong to
 * the order of its own run; predictions from a file use the file's order.
 */
function readRecording({ target, text }: AgentSpec, suite: string) {
  if (target === '' || !hasManifest(target)) return { text, rows: [], seed: null };
  const rows = readRun(target, {}).rows.filter(
    (row) => row.suite === suite && row.presented !== undefined,
  );
  return { text, rows, seed: rows[0]?.presented?.seed ?? null };
}

/** Refuses answers to options in another order than the seed gives: their labels mean other texts. */
function checkOrders(
  { text, rows }: ReturnType<typeof readRecording>,
  samples: readonly Sample[],
  seed: number,
): void {
  const orderIn = new Map(samples.map((sample) => [sample.id, drawOrders(sample, seed)]));
  const stray = rows.find(({ id, trial, presented }) => {
    const draw = orderIn.get(id);
    return draw !== undefined && !isDeepStrictEqual(presented?.order, draw?.(trial));
  });
  if (stray === undefined) return;
  throw new Error(
    `${text} has an answer to other options, or to another order of them, than ${seed} as a seed gives: ${quote(stray.id)}, trial ${stray.trial}. Replay it with the dataset of its run, or ask again.`,
  );
}

function nameWithOrder(spec: AgentSpec | undefined, seed: number | null | undefined): string {
  return `${spec?.text} (${seed == null ? 'as in the file' : `shuffled with ${seed}`})`;
}
