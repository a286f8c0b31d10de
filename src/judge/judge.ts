import { AsyncLocalStorage } from 'node:async_hooks';
import { toJson } from '../data/files/json.ts';
import { DOCS } from '../package.ts';
import { isFields } from '../words/fields.ts';
import type { CriterionVerdicts, JudgeVerdicts } from '../words/row.ts';
import { ScoreFault } from '../words/score-fault.ts';
import { cut, quote, showValue, toText } from '../words/show.ts';
import { didYouMean } from '../words/similar-names.ts';
import { JUDGE_PROMPT_HASH } from './prompt.ts';
import type { ParsedVerdict } from './verdict.ts';

/**
 * A score by models, as a value: it is written into `score` or `scores` of a suite, and viva asks the
 * judges. So a run can be planned, and refused where none is named, before anything is asked.
 *
 * @example
 * const isPolite: Judge = judge('The reply is polite.');
 * await defineEval('support', {
 *   data: './tickets.jsonl',
 *   scores: { isPolite, short: ({ output }) => output.length < 600 },
 * });
 */
export type Judge<Value = boolean> = JudgeOptions & {
  readonly type: 'judge';
  readonly criterion: string;
  /** What `pass` gets of it. It is in no value. */
  readonly value?: Value;
};

/**
 * A `score` for `defineEval`, or one of its `scores`: the models of EVAL_JUDGE (or of `judges`) say
 * whether the agent's whole output meets a criterion. A sample on which they reach no verdict is
 * neither right nor wrong, and leaves bounds of the accuracy. Throws a TypeError without a criterion,
 * and inside a score, where it would decide nothing.
 *
 * @example
 * await defineEval('people', {
 *   data: './people.jsonl',
 *   score: judge('Names the same person as the reference.'),
 * });
 */
export function judge(criterion: string, options: JudgeOptions = {}): Judge {
  const problem = findJudgeProblem(criterion, options);
  if (problem !== null) throw new TypeError(problem);
  if (contexts.getStore() !== undefined) throw new ScoreFault(describeMisplaced(criterion));
  return { ...options, type: 'judge', criterion };
}

/** What is wrong with a judge, which may be written by hand; null if nothing is. */
export function findJudgeProblem(criterion: unknown, options: object): string | null {
  if (typeof criterion !== 'string' || criterion.trim() === '')
    return 'judge needs a criterion, such as judge("Names the same person as the reference.").';
  const wrong = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (wrong !== undefined)
    return `judge has no option ${quote(wrong)}.${didYouMean(wrong, OPTIONS)}`;
  const { judges = ['of EVAL_JUDGE'], reference = null }: Readonly<Record<string, unknown>> = {
    ...options,
  };
  const isNamed = Array.isArray(judges) && judges.length > 0;
  if (!isNamed || !judges.every((each) => typeof each === 'string'))
    return `"judges" of judge must be a list of models, as in judges: ['openai:gpt-5-mini'], got ${showValue(judges)}. Without it EVAL_JUDGE names them.`;
  return reference === null || typeof reference === 'string'
    ? null
    : `"reference" of judge must be a string or null, got ${showValue(reference)}.`;
}

const OPTIONS: readonly string[] = ['reference', 'judges'] satisfies (keyof JudgeOptions)[];

/** What to write where a score makes a judge, which asks nobody there. */
export function describeMisplaced(criterion: string): string {
  const shown = quote(cut(criterion, 60));
  return (
    `judge(${shown}) is a value of the suite, and a score made it. Write score: judge(${shown}) or scores: { name: judge(${shown}) }; ` +
    `in a score of your own write await expect(output).toPassJudge(${shown}).`
  );
}

/** Whether a value is what `judge` returns. */
export function isJudge(value: unknown): value is Judge {
  return isFields(value) && value['type'] === 'judge' && typeof value['criterion'] === 'string';
}

/** Has judges say whether an output, as a text or a JSON value, meets a criterion. */
export async function callJudge(
  { criterion, ...options }: Judge,
  output: unknown,
): Promise<{ state: 'correct' | 'incorrect'; rule: string; explanation: string }> {
  const ruling = await askJudges('judge', toText(toJson(output), 2), criterion, options);
  const state = ruling.verdict === 'pass' ? 'correct' : 'incorrect';
  return { state, rule: 'judge', explanation: describeRuling(ruling) };
}

/**
 * How a criterion is judged: the options of `judge` and of `toPassJudge`.
 *
 * @example
 * const panel: JudgeOptions = { judges: ['openai:gpt-5', 'anthropic:claude-sonnet-5'], reference: null };
 * await defineEval('jokes', { data: './jokes.jsonl', score: judge('It is funny.', panel) });
 */
export type JudgeOptions = {
  /**
   * What a right answer says. Default: the sample's expected answer, if it has one; with null the
   * judges get none.
   */
  readonly reference?: string | null;
  /** The judges, as EVAL_JUDGE names them, which is the default: one spec each. */
  readonly judges?: readonly string[];
};

/** What a score may ask while it judges one answer. */
export type JudgeContext = {
  /** Rejects if there are no judges. */
  ask(output: string, criterion: string, options: JudgeOptions, score?: string): Promise<Ruling>;
  /** How many judges are still being asked: that time is not the score's. */
  readonly waiting: number;
};

const contexts = new AsyncLocalStorage<JudgeContext>();

/** The name of the score that runs now, where a suite has several. */
const scoreNames = new AsyncLocalStorage<string>();

/** Runs one of several scores. Verdicts that it asks for have its name. */
export function askingFor<T>(score: string, act: () => T): T {
  return scoreNames.run(score, act);
}

/** Runs the score of one answer. All that it calls, also later, asks the judges of this context. */
export function withJudges<T>(context: JudgeContext, score: () => T): T {
  return contexts.run(context, score);
}

/** Whether judges are being asked for the score that runs now. */
export function isAsking(): boolean {
  return (contexts.getStore()?.waiting ?? 0) > 0;
}

/**
 * No judge, or no majority of judges, says pass or fail. It ends a score; the answer is then
 * neither right nor wrong.
 */
export class NoVerdict extends Error {
  override readonly name = 'NoVerdict';
}

/**
 * Asks the judges of the score that runs now. `asker` is the function that a user called, for
 * messages. Rejects outside of the score of a suite, and with NoVerdict if the panel reaches none.
 */
export async function askJudges(
  asker: string,
  output: string,
  criterion: string,
  options: JudgeOptions,
): Promise<Ruling & { readonly verdict: 'pass' | 'fail' }> {
  const context = contexts.getStore();
  if (context === undefined) {
    const where = 'in the "score" of a suite, where answers, costs and verdicts are kept';
    throw new Error(
      `${asker} asks a model, which may cost money, so it works only ${where}. See ${DOCS}/judging.md.`,
    );
  }
  const ruling = await context.ask(output, criterion, options, scoreNames.getStore());
  const { verdict } = ruling;
  if (verdict === null) throw new NoVerdict(describeRuling(ruling));
  return { ...ruling, verdict };
}

/** The reply of one judge of a panel, or why there is none. */
export type Opinion<Verdict extends string = ParsedVerdict['verdict']> = {
  readonly judge: string;
  readonly verdict: Verdict | 'error';
  /** Its own words, or its error. */
  readonly reason: string;
  /** In US dollars; null if it is not known. */
  readonly cost: number | null;
  /** Whether this run paid for it. */
  readonly isNew: boolean;
  /** Why it was not asked, such as "budget"; null if it was. */
  readonly stop: string | null;
};

/**
 * What a panel says of an answer; `verdict` is null if no majority of all judges says pass or fail.
 */
export type Ruling = {
  readonly verdict: 'pass' | 'fail' | null;
  readonly opinions: readonly Opinion[];
  readonly criterion: string;
  readonly reference: string | null;
  /** Hash of all that the judges were shown. */
  readonly asked: string;
  /** The score that asked, where a suite has several. */
  readonly score?: string | undefined;
};

/** The verdict of more than half of a panel. A judge that failed or cannot tell is on no side. */
export function findMajority(opinions: readonly Pick<Opinion, 'verdict'>[]): Ruling['verdict'] {
  const wins = (side: 'pass' | 'fail') =>
    opinions.filter(({ verdict }) => verdict === side).length > opinions.length / 2;
  return wins('pass') ? 'pass' : wins('fail') ? 'fail' : null;
}

/** A ruling in one line: each judge with its verdict, and the words of one that decided. */
export function describeRuling({ verdict, opinions }: Ruling): string {
  const decisive = opinions.find((opinion) => opinion.verdict === verdict) ?? opinions[0];
  const verdicts = opinions
    .map(({ judge, verdict }) => `${judge}: ${VERDICTS[verdict]}`)
    .join(', ');
  const head = verdict !== null ? '' : opinions.length === 1 ? 'no verdict: ' : 'no majority: ';
  return `${head}${verdicts} (${cut(decisive?.reason ?? '', 600)})`;
}

const VERDICTS = {
  pass: 'pass',
  fail: 'fail',
  cannot_tell: 'cannot tell',
  error: 'failed',
} as const;

/** The deciding ruling as rows have it, with the others on the same answer and the costs of all. */
export function toJudgeVerdicts(deciding: Ruling, all: readonly Ruling[]): JudgeVerdicts {
  const opinions = all.flatMap((ruling) => ruling.opinions);
  const others = all.filter((ruling) => ruling !== deciding).map(toCriterion);
  return {
    ...toCriterion(deciding),
    ...(others.length === 0 ? {} : { others }),
    ...toCosts(opinions),
  };
}

/** The cost of all opinions, and of those that this run paid for if some were known before. */
export function toCosts(opinions: readonly Pick<Opinion, 'cost' | 'isNew'>[]) {
  const paid = opinions.filter(({ isNew }) => isNew);
  return {
    cost_usd: sumCosts(opinions),
    ...(paid.length < opinions.length ? { new_cost_usd: sumCosts(paid) } : {}),
  };
}

function toCriterion({ opinions, criterion, reference, asked, score }: Ruling): CriterionVerdicts {
  return {
    score,
    models: opinions.map(({ judge }) => judge),
    verdicts: opinions.map(({ verdict }) => verdict),
    reasons: opinions.map(({ reason }) => reason),
    prompt_hash: JUDGE_PROMPT_HASH,
    criterion,
    reference,
    asked_hash: asked,
  };
}

function sumCosts(opinions: readonly Pick<Opinion, 'cost'>[]): number | null {
  const costs = opinions.flatMap(({ cost }) => cost ?? []);
  return costs.length < opinions.length ? null : costs.reduce((sum, cost) => sum + cost, 0);
}
