import { setImmediate } from 'node:timers/promises';
import type { TestContext } from 'vitest';
import { countWork, takeTurn } from '../processes/own-delay.ts';
import type { RunWriter } from '../store/run-writer.ts';
import { toNotRun } from '../store/sample-log.ts';
import { toResultMeta } from '../store/trial-meta.ts';
import type { Outcome, Progress } from '../words/answer.ts';
import { hideAgentWording } from '../words/audience.ts';
import type { Trace } from '../words/conversation.ts';
import { hasRun, type SampleResult, STATES } from '../words/row.ts';
import type { Sample } from '../words/sample.ts';
import { escapeLine, toText } from '../words/show.ts';
import { describeThrown, messageOf } from '../words/thrown.ts';
import { askWhenFree, findKnown, type NotAsked } from './ask.ts';
import { attachFiles, toFailure, toScoreFailure, toShownFailure } from './failure.ts';
import { type Benchmark, findCopy } from './find-copy.ts';
import { printUnder } from './guard-output.ts';
import type { Health } from './health.ts';
import type { GradeWithJudges } from './jury.ts';
import { nameSnapshots } from './keep-snapshots.ts';
import type { Pairing } from './pairing.ts';
import type { Trial } from './plan.ts';
import type { UserSide } from './play-conversation.ts';
import { toQuestion } from './prompt.ts';
import type { ReadyRun } from './provided-run.ts';
import { type GradedRow, toOwnTarget, toRow, toUngradable } from './result.ts';
import { ScoreExpect } from './score-expect.ts';
import type { Suite } from './suite.ts';
import { whenCancelled } from './task-runner.ts';
import { attachTrace, type Stream, streamSteps, toTrace } from './trace.ts';
import { Workdir } from './workdir.ts';

/** What the trials of a suite share. */
export type TrialSetting = Readonly<{
  suite: Pick<Suite, 'definition' | 'file' | 'read' | 'extract' | 'grade' | 'assert'>;
  run: Pick<ReadyRun, 'config' | 'folder' | 'secrets' | 'ui'>;
  writer: RunWriter;
  /** Whether questions, expected answers and answers must not be shown. */
  isHidden: boolean;
  /** The public benchmark that is asked; null for own questions. */
  benchmark: Benchmark | null;
  health: Health;
  /** Has an answer graded where its score may ask judges. */
  gradeWithJudges: GradeWithJudges;
  /** Has answers judged in pairs, where a suite wants that and there are several. */
  pairing?: Pick<Pairing, 'judge'> | null;
}>;

/** The test of one trial: get the answer, grade it, write the row, then assert with that grade. */
export async function runTrial(
  trial: Trial,
  setting: TrialSetting,
  context: TestContext,
): Promise<void> {
  const { sample, lane, meta, key } = trial;
  const known = findKnown(lane, sample.id, meta.trial, key);
  if (known === null) return askTrial(trial, setting, context);
  await yieldToEventLoop();
  await gradeAndRecord({ outcome: known, workdir: null, listener: null, trial, setting, context });
}

async function askTrial(
  trial: Trial,
  setting: TrialSetting,
  context: TestContext,
  isAskedAgain = false,
): Promise<void> {
  const { sample, lane, meta, key } = trial;
  const { config } = setting.run;
  const workdir = new Workdir(sample.attachments, trial.attachmentHashes);
  const options = { name: context.task.name, isHidden: setting.isHidden, secrets: lane.secrets };
  const listener = config.stream === true ? streamSteps(options) : null;
  try {
    const outcome = await printUnder(context.task, () => {
      const question = toQuestion(sample, lane.prompt.text, workdir);
      const { deadlineMs } = trial;
      const limits = {
        trial: meta.trial,
        deadlineMs,
        maxSteps: config.maxSteps,
        cancelled: whenCancelled(),
      };
      const user = toUserSide(trial, workdir, limits);
      const findStop = () => {
        const failing = setting.health.findStop(lane);
        return failing && ({ outcome: 'not_asked', ...failing } as const);
      };
      return askWhenFree(lane, question, key, { ...limits, workdir, listener, user, findStop });
    });
    await takeTurn();
    if (outcome.outcome === 'not_asked') {
      // Asked again after the others, in a work folder of its own.
      if (outcome.reason === 'machine' && !isAskedAgain)
        return askTrial(trial, setting, context, true);
      skip(outcome, trial, setting, context);
    } else {
      // The work folder of another run's call is that of another process.
      const own = outcome.cached ? null : workdir;
      await gradeAndRecord({ outcome, workdir: own, listener, trial, setting, context });
    }
  } finally {
    await workdir.remove();
  }
}

/** The user's side of a conversation; null for a single question. */
function toUserSide(
  { sample, lane }: Trial,
  workdir: Workdir,
  limits: Readonly<{ deadlineMs: number; cancelled: AbortSignal }>,
): UserSide | null {
  const { turns, user } = sample;
  if (turns === undefined) return null;
  const speaker = user && lane.user?.speakFor(sample, user, limits);
  return {
    script: turns,
    simulated: speaker ?? null,
    toQuestion: (messages) => toQuestion(sample, lane.prompt.text, workdir, messages),
  };
}

const PAUSED =
  'It failed after this process was stopped or the machine suspended. The next run asks it again.';

/**
 * A trial that was not asked is skipped, with the reason; a cancelled run leaves no row, as a crash
 * does.
 */
function skip(
  { reason, why: told, ended = null }: NotAsked,
  trial: Trial,
  { writer, health }: TrialSetting,
  context: TestContext,
): void {
  const { sample, meta, lane } = trial;
  const stopped = lane.queue.whyStopped(lane.agent.name) ?? `The agent was not asked: ${reason}.`;
  const why = told ?? (reason === 'machine' ? PAUSED : stopped);
  if (reason === 'user') health.noteFailed(trial, { reason, why });
  if (reason !== 'interrupted')
    writer.row(
      ended === null
        ? toNotRun(meta, toOwnTarget(sample), reason, why)
        : toUngradable(sample, meta, ended, { reason, why }),
    );
  context.skip(`not run: ${reason}`);
}

/** The pause that trials wait for now. */
let pause: Promise<void> | null = null;

/**
 * The trials that have an answer pause together, and then are graded one after the other, which is
 * faster than by turns with asking. Without this pause no result would be reported before the last
 * of those that come at once, and Ctrl-C would not work.
 */
async function yieldToEventLoop(): Promise<void> {
  pause ??= setImmediate().then(() => {
    pause = null;
  });
  await pause;
}

/** An answer or a failure of a trial, which becomes its row. */
type Ended = Readonly<{
  outcome: Outcome;
  /** Null for an outcome that was known. */
  workdir: Workdir | null;
  listener: Stream | null;
  trial: Trial;
  setting: TrialSetting;
  context: TestContext;
}>;

/** Writes the row of a paid answer before anything can fail the test. */
async function gradeAndRecord(ended: Ended): Promise<void> {
  const { context, setting, trial } = ended;
  const alone = await gradeOrRecordWhyNot(ended);
  countWork();
  noteUnread(ended);
  const isGraded = alone.grade !== null && alone.row.state !== 'no_answer';
  if (isGraded && !setting.health.noteGraded(trial)) context.skip('not run: score');
  // As after a crash there is no row: the next run goes on here.
  if (!hasRun(alone.row) && alone.row.reason === 'interrupted')
    context.skip('not run: interrupted');
  const graded = await judgeInPairs(alone, ended);
  const { row } = graded;
  const shown = ended.setting.isHidden ? hideAgentWording(row) : row;
  const trace = await record(graded, shown, ended);
  if (!hasRun(row)) context.skip(`no verdict: ${row.reason}`);
  await assertOrShow(graded, shown, trace, ended);
}

/** An answer that cannot be read, as one whose cost has another name, is a mistake of the agent's code. */
function noteUnread({ outcome, trial, setting }: Ended): void {
  if (outcome.outcome === 'answered' || outcome.error.kind !== 'bad_response') return;
  const told = setting.isHidden ? 'its answers cannot be read.' : outcome.error.message;
  const why = `${trial.lane.agent.name}: ${told}`;
  setting.health.noteFailed(trial, { reason: 'bad_response', why });
}

/** Grades the answer. If the suite's own score fails, the row says so, and its error is thrown. */
function gradeOrRecordWhyNot(ended: Ended): Promise<GradedRow> {
  const { outcome, workdir, trial, setting, context } = ended;
  const { suite, writer, isHidden, benchmark, gradeWithJudges, health } = setting;
  const { sample, meta, lane, deadlineMs } = trial;
  const spent = toSpent(outcome);
  const { messages } = outcome.outcome === 'answered' ? outcome.answer : {};
  const seen_copy = benchmark === null ? undefined : findCopy(spent.trace ?? [], sample, benchmark);
  const call = { deadlineMs, cancelled: whenCancelled(), messages };
  const view = { file: suite.file, secrets: lane.secrets };
  // The answer is cached: the next run grades it again.
  const tellFailure = (error: unknown) => {
    const whole = toScoreFailure(error, { ...view, isHidden: false });
    const why = escapeLine(describeThrown(whole), 1000);
    const failing = { reason: 'score', why } as const;
    if (health.noteFailed(trial, failing)) writer.row(toUngradable(sample, meta, outcome, failing));
  };
  // viva's own suites assert nothing while they grade.
  const openExpect =
    suite.definition.matcher === undefined
      ? (name: string | null) => {
          const snapshots = nameSnapshots(trial, suite.definition);
          return new ScoreExpect(context.task, name, tellFailure, snapshots);
        }
      : undefined;
  const grade: Suite['grade'] = (output, target, of, answer, limitMs) =>
    gradeWithJudges(sample, call, () =>
      suite.grade(output, target, of, { ...answer, workdir, openExpect }, limitMs),
    );
  const toSeen = (graded: GradedRow) =>
    seen_copy === undefined ? graded : { ...graded, row: { ...graded.row, seen_copy } };
  return toRow(sample, meta, outcome, { ...suite, grade }, deadlineMs)
    .then(toSeen)
    .catch((error: unknown) => {
      tellFailure(error);
      throw toScoreFailure(error, { ...view, isHidden });
    });
}

async function judgeInPairs(
  graded: GradedRow,
  { outcome, trial, setting }: Ended,
): Promise<GradedRow> {
  const { pairing } = setting;
  if (!pairing || outcome.outcome === 'failed') return graded;
  const { messages } = outcome.answer;
  const call = { deadlineMs: trial.deadlineMs, cancelled: whenCancelled(), messages };
  return { ...graded, row: await pairing.judge(trial, graded.row, call) };
}

function toSpent(outcome: Outcome): Progress {
  return outcome.outcome === 'answered' ? outcome.answer : outcome.error.progress;
}

/** Writes row and trace, tells reporters, and keeps the work folder if that is wanted. */
async function record(
  { row }: GradedRow,
  shown: SampleResult,
  { outcome, workdir, listener, trial, setting, context }: Ended,
): Promise<Trace | null> {
  const { sample, meta, lane } = trial;
  const { run, writer, isHidden } = setting;
  listener?.onResult(shown);
  // A known answer costs nothing to get again.
  writeRow(() => (workdir === null ? writer.rowSoon(row) : writer.row(row)), trial, writer);
  const question = isHidden ? null : toText(sample.input);
  context.task.meta.eval = toResultMeta(meta, shown, question);
  const trace = toTrace(outcome, row, sample, lane);
  if (trace !== null) writer.trace(row, trace);
  const { keepWorkdir: kept } = run.config;
  const isKept = kept === 'failed' ? STATES[row.state].fails : kept === 'all';
  // A folder that could not be made has nothing to copy. Its row has the reason.
  if (isKept && workdir !== null && workdir.fault === null)
    await writer.workdir(row, workdir.path, run.secrets);
  return trace;
}

async function assertOrShow(
  graded: GradedRow,
  shown: SampleResult,
  trace: Trace | null,
  { outcome, trial: { sample }, setting, context }: Ended,
): Promise<void> {
  const { suite, run, isHidden } = setting;
  try {
    assertGraded(graded, outcome, sample, suite);
  } catch (error) {
    const { row } = graded;
    // Nobody opens the Vitest UI on a CI machine, and its reporter would print each file's name.
    const { ci } = run.config;
    if (!ci && trace !== null) await attachTrace(context, trace, row, run.ui);
    // After a fault of the machine they may not be the files of the dataset.
    if (!ci && row.reason !== 'machine') await attachFiles(context, sample.attachments);
    const isOwnSuite = suite.definition.matcher === undefined;
    const { messages } = toSpent(outcome);
    const view = { isHidden, isOwnSuite, isWhole: run.ui, messages };
    throw toShownFailure(error, sample, shown, view);
  }
}

/** Where a row cannot be written, further calls would be paid for in vain. */
function writeRow(write: () => void, { lane: { queue } }: Trial, { folder }: RunWriter): void {
  try {
    write();
  } catch (error) {
    const why = `A result cannot be written to ${folder} (${messageOf(error)}).`;
    queue.stop('disk', `${why} Free space there and run again.`);
    throw error;
  }
}

function assertGraded(
  { row, grade }: GradedRow,
  outcome: Outcome,
  sample: Sample,
  { assert }: TrialSetting['suite'],
): void {
  const hasNone = grade === null && STATES[row.state].verdict === 'none';
  if (outcome.outcome === 'failed' || hasNone) throw toFailure(outcome, row);
  if (grade !== null && sample.target !== null) assert(grade, row.output, sample.target, sample);
}
