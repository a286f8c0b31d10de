import { hash } from 'node:crypto';
import type { CutShort } from './answer.ts';
import {
  type CriterionVerdicts,
  hasRun,
  type JudgeVerdicts,
  type PairVerdicts,
  type SampleResult,
  STATES,
} from './row.ts';

/** Who reads a run: the two settings, of now or as a manifest has them. */
export type Audience = Readonly<{ ci?: unknown; showGated?: unknown }>;

/** Whether texts of records and agents are hidden: in CI, unless EVAL_SHOW_GATED is set. */
export function hidesRecords({ ci, showGated }: Audience): boolean {
  return ci === true && showGated !== true;
}

/** What is hidden of a suite: nothing if its records are the committed sample, or public. */
type SuitePrivacy = Readonly<{ suite: string; dataset: string; public?: boolean }>;

/** Whether not everybody may read the records of a suite, wherever that is asked. */
export function isPrivate({ dataset, public: isPublic }: Omit<SuitePrivacy, 'suite'>): boolean {
  return isPublic !== true && dataset !== 'sample';
}

/** Tells by the name of a suite whether this audience must not see its texts. */
export function hiddenFrom(
  audience: Audience,
  suites: readonly SuitePrivacy[],
): (suite: string) => boolean {
  if (!hidesRecords(audience)) return () => false;
  const shown = new Set(suites.flatMap((each) => (isPrivate(each) ? [] : each.suite)));
  return (suite) => !shown.has(suite);
}

/**
 * Errors of a run, "suite id: message" or "file: message", without the messages that may quote a
 * record of a hidden suite. What a run in CI has written is hidden already.
 */
export function hideMessages(
  errors: readonly string[],
  { suites, config }: Readonly<{ suites: readonly SuitePrivacy[]; config: Audience }>,
  isHidden: (suite: string) => boolean,
): readonly string[] {
  const shown = suites.filter(({ suite }) => !isHidden(suite));
  if (shown.length === suites.length || hidesRecords(config)) return errors;
  return errors.map((error) => {
    const [place] = error.split(': ', 1);
    const isOfShown = shown.some(({ suite }) => error.startsWith(`${suite} `));
    return isOfShown ? error : `${place}: its message is hidden`;
  });
}

/**
 * Removes from a result the texts that may quote the question: a reason or a model name that the
 * agent invented, and the error of a suite's own `score`. The row in samples.jsonl still has them.
 */
export function hideAgentWording(result: SampleResult): SampleResult {
  const model = findAskedModel(result);
  const named = model === result.model ? result : { ...result, model };
  const judged = named.judge === undefined ? named : hideJudge(named, named.judge);
  const shown =
    judged.pairs === undefined ? judged : { ...judged, pairs: judged.pairs.map(hidePair) };
  const isOfScore = STATES[shown.state].explanationBy === 'score' && shown.reason === 'score';
  if (isOfScore) return { ...shown, explanation: 'Its score failed.' };
  return isReasonOfAgent(shown) ? { ...shown, reason: 'in its own words' } : shown;
}

/** What is left of a row where its record must not be seen at all; judges' words are hidden already. */
export function hideTexts({
  accepted: _accepted,
  presented: _presented,
  ...row
}: SampleResult): SampleResult {
  const none = { target: null, output: null, answer: null, explanation: '', confidence: null };
  return row.error === null
    ? { ...row, ...none }
    : { ...row, ...none, error: { ...row.error, message: '' } };
}

function isReasonOfAgent(
  row: SampleResult,
): row is Extract<SampleResult, { readonly reason: string }> {
  return (
    STATES[row.state].reasonBy === 'agent' && row.output === null && !isOurReason(row.reason ?? '')
  );
}

/** What judges say quotes the answer. Why a run stopped does not. */
function hideJudge(result: SampleResult, judge: JudgeVerdicts): SampleResult {
  const { models, verdicts } = judge;
  const shown = models.map((name, index) => `${name}: ${verdicts[index]}`).join(', ');
  const isStopped = !hasRun(result) && result.reason !== 'judge';
  const explanation = isStopped ? result.explanation : shown;
  const others = judge.others === undefined ? {} : { others: judge.others.map(hideVerdicts) };
  return { ...result, explanation, judge: { ...judge, ...hideVerdicts(judge), ...others } };
}

function hideVerdicts<Verdicts extends CriterionVerdicts>(verdicts: Verdicts): Verdicts {
  return {
    ...verdicts,
    reasons: verdicts.models.map(() => ''),
    reference: null,
    criterion: hideCriterion(verdicts.criterion),
  };
}

function hidePair(pair: PairVerdicts): PairVerdicts {
  const criterion = hideCriterion(pair.criterion);
  return { ...pair, reasons: pair.reasons.map(() => ['', '']), reference: null, criterion };
}

/** Stands for a criterion, which may quote a record. That of a hidden one is the same. */
export function hideCriterion(criterion: string): string {
  return /^hidden:[0-9a-f]{16}$/.test(criterion)
    ? criterion
    : `hidden:${hash('sha256', criterion).slice(0, 16)}`;
}

/**
 * The limit at which a row's output was cut short, from its reason; null for every other reason.
 */
export function toCutShort(reason: string | null): CutShort | null {
  return LIMITS.find((limit) => limit === reason) ?? null;
}

const LIMITS: readonly CutShort[] = ['max_tokens', 'context_window', 'incomplete'];

/** The reasons that viva gives. Agents may give any other reason for an answer without a text. */
function isOurReason(reason: string): boolean {
  return ['missing', 'empty', 'refusal', ...LIMITS].includes(reason);
}

/** The model that EVAL_AGENT asked for, or a version of it; null for any other name. */
function findAskedModel({ agent, model }: SampleResult): string | null {
  if (model === null || agent.includes(model)) return model;
  const asked = findModel(agent);
  return asked !== null && model.startsWith(asked) && VERSION.test(model.slice(asked.length))
    ? model
    : null;
}

/** The model that a spec of a provider names; null for another spec. */
export function findModel(spec: string): string | null {
  return /^(?:openai|openai-chat|anthropic):([^?]+)/.exec(spec)?.[1] ?? null;
}

/** Text that a provider adds to the name of a model: "-2026-08-07", "-latest", ":free". */
const VERSION = /^[-:@.][\w.:@-]{1,40}$/;
