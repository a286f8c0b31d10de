import { expect, inject, vi } from 'vitest';
import { type createAgents, kindOf } from '../agents/kinds.ts';
import { kindsByName, registerKinds, toOwnKind } from '../agents/register-kinds.ts';
import { hideRecordText } from '../data/files/record.ts';
import { describeGrade, isShownAsDiff } from '../matchers/matcher.ts';
import { liveGroups } from '../processes/groups.ts';
import type { EvalConfig } from '../settings.ts';
import { RunWriter } from '../store/run-writer.ts';
import { endWithMain } from '../vitest-worker.ts';
import { hiddenFrom, isPrivate } from '../words/audience.ts';
import type { Json, Sample } from '../words/sample.ts';
import { quote, showPath, toText } from '../words/show.ts';
import { refuseChanged } from './ask.ts';
import { refuseInnerOptions } from './check-definition.ts';
import { type ChosenAgent, chooseAgents, mayCost } from './choose-agents.ts';
import type { SuiteDefinition } from './definition.ts';
import { refusal, refusing } from './failure.ts';
import { toBenchmark } from './find-copy.ts';
import { generateSkipped, generateTests, type Order } from './generate-tests.ts';
import { guardOutput, writeOwn } from './guard-output.ts';
import { Health } from './health.ts';
import type { GradeWithJudges } from './jury.ts';
import { asksAll } from './keep-snapshots.ts';
import { type AgentLane, checkPrompted, checkReady, checkTrials, makeLanes } from './lanes.ts';
import { whilePlanning } from './load-file.ts';
import type { Pairing } from './pairing.ts';
import { planAgents, planTrials, type SuitePlan, type Trial, variantOf } from './plan.ts';
import { hashDataset, listPromptsOf } from './prompt.ts';
import type { AskingRun, ProvidedRun, ReadyRun, SkippedRun } from './provided-run.ts';
import { recordPlan } from './record-plan.ts';
import { refuseOutside } from './record-tools.ts';
import { withPage } from './refusal-pages.ts';
import { countTrials, readReplayed } from './replayed-run.ts';
import { chooseSamples, loadSamples } from './samples.ts';
import { outsideTests, takeForScore } from './score-expect.ts';
import { deadlineOf, type Suite, toSuite } from './suite.ts';
import { refuseUnmatched } from './unmatched-ids.ts';

/** Replacements for viva's own tests. */
type Hooks = { readonly agents?: typeof createAgents };

/**
 * Generates one Vitest test for each selected sample, agent and trial: `<suite> > <group> > <id>`.
 * Everything that can be wrong (settings, records, predictions) is refused here, before any agent
 * is called.
 */
export async function generateEval(
  name: string,
  definition: SuiteDefinition,
  hooks: Hooks = {},
): Promise<void> {
  endWithMain(() => liveGroups.killAll());
  const run = readProvided();
  if (run.status === 'ready' && run.groups !== null) liveGroups.listIn(run.groups);
  const file = expect.getState().testPath ?? '';
  const prompts = run.status === 'ready' ? run.prompts : [];
  await refusing(run.secrets, async () => {
    if (hooks.agents === undefined) refuseInnerOptions(definition, file);
    const suite = {
      ...toSuite(name, definition, file, run.secrets, prompts),
      assert: toAssertion(name, definition),
    };
    checkName(name, file, run);
    if (definition.skip === true) return generateSkipped(name, [], '"skip" is set in the suite');
    const hide = (error: unknown) =>
      suite.definition.public === true ? error : hideRecordText(error, run.config);
    await whilePlanning(() => planSuite(suite, run, hooks)).catch((error) =>
      Promise.reject(hide(error)),
    );
  });
}

/** Asserts with the grade of the row. Nothing is graded twice. */
function toAssertion(name: string, { matcher }: SuiteDefinition): Suite['assert'] {
  return (grade, output, target, { accepts }) => {
    if (matcher !== undefined) {
      const expected = accepts === 'any' ? listShown(target) : toText(target);
      outsideTests(() => expect(toText(output))[matcher](expected as string, { grade } as never));
      return;
    }
    if (grade.correct) return;
    if (grade.failed !== undefined) throw new AggregateError(grade.failed);
    const error = new Error(describeGrade(name, grade, output, target));
    const isCompared = isShownAsDiff(grade, target) && accepts === undefined;
    throw isCompared ? Object.assign(error, { actual: grade.answer, expected: target }) : error;
  };
}

/** Accepted answers for a message: one text, or a list. Labels of options are one text. */
function listShown(target: Json): string | readonly string[] {
  const shown = Array.isArray(target)
    ? target.map((each: Json) => toText(each))
    : toText(target).split(',');
  return shown.length > 1 ? shown : (shown[0] ?? '');
}

/** The suites of this run by name. */
const named = new Map<string, Readonly<{ run: string; file: string }>>();

/** Throws if two suites have one name: rows, gates and the cache use it as a key. */
function checkName(name: string, file: string, { watchRun, config }: ReadyRun | SkippedRun): void {
  const run = JSON.stringify([watchRun, config.dir]);
  const other = named.get(name);
  named.set(name, { run, file });
  if (other?.run !== run) return;
  const where = other.file === file ? '' : ` of ${showPath(other.file)}`;
  throw new Error(
    `${showPath(file)}: another suite${where} has the name ${quote(name)} too. Give each its own name.`,
  );
}

/** What the main process provides, for all suites of this process. */
let kept: ProvidedRun | undefined;

function readProvided(): ReadyRun | SkippedRun {
  const injected: Partial<ProvidedRun> | undefined = inject('viva');
  if (injected?.status !== undefined) kept = { ...inject('viva') };
  // An agent that prints all that it is given must not print the settings, which have a token.
  for (const name of Object.keys(injected ?? {})) Reflect.deleteProperty(injected ?? {}, name);
  if (kept?.status === 'refused') throw refusal(withPage(kept.problems.join('\n')));
  if (kept !== undefined) {
    for (const { name, isFree, file } of kept.kinds)
      if (!kindsByName.has(name)) registerKinds({ [name]: toOwnKind(name, isFree, { file }) });
    return kept;
  }
  throw new Error(
    'The viva plugin did not run for this file. Add viva() to "plugins" in the root Vitest configuration, and exclude eval ' +
      'files from other projects.',
  );
}

/** Generates the tests of a suite: skipped ones if nothing is asked. */
async function planSuite(
  suite: Suite,
  provided: ReadyRun | SkippedRun,
  hooks: Hooks,
): Promise<void> {
  const { name } = suite;
  // Before "data" is called.
  refuseOutside(provided.config.tools === 'replay');
  const agents = chooseAgents(suite, provided.config, hooks.agents !== undefined);
  const judging = await loadJudging(suite);
  // The report has the full reason once. Nothing is downloaded, and no function of a suite is
  // called.
  if (provided.status === 'skipped' || isBlocked(suite, provided, agents, judging))
    return generateSkipped(name, [], 'not asked: it may cost money');
  const run = { ...provided, load: vi.importActual };
  const { isHidden, ...plan } = await resolveSuite(suite, agents, run, hooks);
  const specs = agents.map(({ spec }) => spec);
  const { public: isPublic } = suite.definition;
  const isOwn = isPrivate({ dataset: plan.dataset.name, public: isPublic });
  const jury = await judging?.openJury(suite, specs, run, isHidden, isOwn);
  const trials = planTrials(plan, run);
  const writer = new RunWriter(run.folder);
  const pairing = await planPairs(plan, trials, jury, run, { isHidden, isPrivate: isOwn });
  const judges = { jury, pairing: pairing.pairing };
  await checkAndRecord({ ...plan, ...pairing.plan }, trials, judges, run, writer);
  const nothing = reasonNotToRun(plan, run.config);
  if (nothing !== null)
    return generateSkipped(name, plan.share.length > 0 ? plan.samples : [], nothing);
  writer.open();
  const setting = {
    suite,
    run,
    writer,
    isHidden,
    benchmark: toBenchmark(plan.dataset),
    health: new Health(),
    gradeWithJudges: jury && judging ? judging.gradeWithJudges(jury) : withoutJudges,
    pairing: pairing.pairing,
  };
  generateTests(name, trials, chooseOrder(plan, run.config), setting, asksAll(plan, run.config));
}

/** What a suite asks in this run: whom, which questions, how often. */
async function resolveSuite(
  suite: Suite,
  agents: readonly ChosenAgent[],
  run: ReadyRun & AskingRun,
  hooks: Hooks,
): Promise<SuitePlan & Readonly<{ suite: Suite; isHidden: boolean }>> {
  const { name, definition } = suite;
  const { config, secrets, prompts } = run;
  const specs = agents.map(({ spec }) => spec);
  const dataset = await loadSamples(suite, specs, run);
  const replayed = readReplayed(specs, name, dataset.samples);
  const chosen = chooseSamples(
    replayed?.samples ?? dataset.samples,
    definition.levels === true,
    run,
    dataset.samples,
    replayed?.leftOut,
  );
  refuseUnmatched(chosen.unmatchedIds, run);
  // A dry run needs the attachments too: the cache key depends on their content.
  await dataset.fetch?.(chosen.share);
  const { public: isPublic } = definition;
  const isHidden = hiddenFrom(config, [{ suite: name, dataset: dataset.name, public: isPublic }])(
    name,
  );
  guardOutput(isHidden, secrets, takeForScore);
  const agentLanes = await makeLanes(suite, agents, dataset, run, isHidden, hooks.agents);
  const lanes = await addUser(agentLanes, suite, run);
  const trials = countTrials(config, definition.trials, replayed, lanes, chosen.samples);
  checkTrials(lanes, chosen.samples, trials);
  refuseChanged(lanes, name);
  checkPrompted(lanes, listPromptsOf(prompts, name).length > 0);
  const groups = new Set(chosen.samples.map(({ group }) => group));
  const deadlines = new Map([...groups].map((group) => [group, deadlineOf(suite, config, group)]));
  const deadlineMs = ({ group }: Sample) =>
    deadlines.get(group) ?? deadlineOf(suite, config, group);
  return { suite, dataset, ...chosen, lanes, trials, deadlineMs, isHidden };
}

/** The lanes with the model that plays the users of a suite, if an agent talks to one. */
async function addUser(
  lanes: readonly AgentLane[],
  suite: Suite,
  run: AskingRun,
): Promise<readonly AgentLane[]> {
  const { user: simulation } = suite.definition;
  const isAsked = lanes.some(({ agent }) => agent.replayAnswer === undefined);
  if (simulation === undefined || !isAsked) return lanes;
  const { openUserModel } = await import('./user-model.ts');
  const user = await openUserModel(simulation, suite, run);
  return lanes.map((lane) => ({ ...lane, user }));
}

/** Whether a suite waits for a setting, because its agent or its judge may cost money. Says so. */
function isBlocked(
  { name, definition }: Suite,
  { blockedBecause, config }: ReadyRun,
  agents: readonly ChosenAgent[],
  judging: Judging | null,
): boolean {
  const paying = config.agents === null ? agents.filter(mayCost) : [];
  const paid = paying.find(({ spec }) => kindOf(spec).isModel) ?? paying[0];
  const isPlayed =
    definition.user !== undefined && agents.some(({ spec }) => spec.kind !== 'replay');
  const isJudged = judging?.asks === true || definition.prefer !== undefined;
  const others = isJudged ? 'judge' : isPlayed ? 'simulated user' : null;
  if (blockedBecause === null || (paid === undefined && others === null)) return false;
  const who = paid === undefined ? others : ['agent', paid.name].filter(Boolean).join(' ');
  const isOpen = paid !== undefined && !kindOf(paid.spec).isModel;
  const remedy = isOpen ? ' If it costs nothing, write free: true into the suite.' : '';
  writeOwn(`${name} is skipped: its ${who} ${blockedBecause}${remedy}\n`);
  return true;
}

/** What is judged in pairs. */
async function planPairs(
  plan: SuitePlan & { readonly suite: Suite },
  trials: readonly Trial[],
  jury: Jury | undefined,
  run: ReadyRun & AskingRun,
  options: Readonly<{ isHidden: boolean; isPrivate: boolean }>,
): Promise<Readonly<{ pairing: Pairing | null; plan: Pick<SuitePlan, 'prefer'> }>> {
  const { prefer } = plan.suite.definition;
  if (prefer === undefined) return { pairing: null, plan: {} };
  const { openPairing, readBaselineAnswers } = await import('./pairing.ts');
  const answers = run.baseline && readBaselineAnswers(run.baseline, listIdentities(plan, jury));
  const agents = [...new Set(plan.lanes.map(({ spec }) => spec))];
  const pairing = await openPairing(prefer, plan, answers, agents, run, options);
  const nothing = { judges: [], criterion_hash: '', pairs: 0 };
  return { pairing, plan: { prefer: (await pairing?.toPlan(trials)) ?? nothing } };
}

/** What is known of the agents and prompts of a suite before they answer, for comparisons. */
function listIdentities({ dataset, lanes, suite }: SuitePlan, jury: Jury | undefined) {
  const dataset_hash = hashDataset(dataset.samples);
  const identity = { suite: suite.name, dataset: dataset.name, dataset_hash };
  const judges = jury?.namedBefore ?? { judges: [] };
  return lanes.map((lane) => {
    return { ...identity, ...judges, ...variantOf(lane), prompt_hash: lane.prompt.hash };
  });
}

/** Refuses what cannot be compared or asked, and writes the plan into the manifest. */
async function checkAndRecord(
  plan: SuitePlan & { readonly suite: Suite },
  trials: readonly Trial[],
  { jury, pairing }: Readonly<{ jury: Jury | undefined; pairing: Pairing | null }>,
  run: ReadyRun,
  writer: RunWriter,
): Promise<void> {
  const { dataset, lanes } = plan;
  const dataset_hash = hashDataset(dataset.samples);
  if (run.baseline !== null) {
    const identities = listIdentities(plan, jury);
    (await import('../figures/compare-runs.ts')).checkBaseline(run.baseline, identities, run);
  }
  const plans = planAgents(lanes, trials);
  checkReady(lanes, plans, run.config);
  await jury?.checkReady(plans);
  await pairing?.checkReady(plans);
  const { cache, dryRun } = run.config;
  if (dryRun !== true && cache !== 'off' && plans.some(({ kept, to_ask }) => kept && to_ask > 0))
    for (const lane of lanes) lane.cache?.open();
  recordPlan({ ...plan, judges: jury?.facts ?? [] }, plans, dataset_hash, run, writer);
}

/** Why nothing is asked, or null. */
function reasonNotToRun({ samples, share }: SuitePlan, { dryRun }: EvalConfig): string | null {
  if (samples.length === 0) return 'EVAL_IDS matches no sample of this suite.';
  if (share.length === 0) return 'There are more shards than samples.';
  return dryRun === true ? 'EVAL_DRY_RUN is set: nothing is asked.' : null;
}

function chooseOrder({ suite, lanes }: SuitePlan, { maxCost }: EvalConfig): Order {
  if (maxCost !== null) return 'as selected';
  const isAsked = lanes.some(({ cache }) => cache !== null);
  return suite.definition.levels === true && isAsked ? 'last group first' : 'grouped';
}

/** Other suites ask none. */
const withoutJudges: GradeWithJudges = (_sample, _call, score) => score();

type Judging = NonNullable<Awaited<ReturnType<typeof loadJudging>>>;
type Jury = Awaited<ReturnType<Judging['openJury']>>;

/**
 * What has answers judged; null for a suite without a score of its own, which needs none of these
 * files.
 */
async function loadJudging(suite: Suite) {
  const { score, scores, matcher } = suite.definition;
  if ((score ?? scores) === undefined || matcher !== undefined) return null;
  const { findJudges, gradeWithJudges, openJury } = await import('./jury.ts');
  return { asks: findJudges(suite.definition).length > 0, openJury, gradeWithJudges };
}
