import { AsyncLocalStorage } from 'node:async_hooks';
import { toJson } from '../data/files/json.ts';
import { DOCS } from '../package.ts';
import { isFields } from '../words/fields.ts';
import type { JoinedVerdict } from '../words/panel.ts';
import type { CriterionVerdicts, JudgeVerdicts, JudgeWord } from '../words/row.ts';
import { ScoreFault } from '../words/score-fault.ts';
import { cut, quote, showValue, toText } from '../words/show.ts';
import { didYouMean } from '../words/similar-names.ts';
import { JUDGE_PROMPT_HASH } from './prompt.ts';
import type { Stated } from './reply-form.ts';
import { findScaleProblem, type Scale, toRubric, toShare } from './scale.ts';

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
export type Judge<Value = boolean> = JudgeOptions &
  Partial<Scale> & {
    readonly type: 'judge';
    readonly criterion: string;
    /** What `pass` gets of it. It is in no value. */
    readonly value?: Value;
  };

/**
 * A `score` for `defineEval`, or one of its `scores`: the models of EVAL_JUDGE (or of `judges`) say
 * whether the agent's whole output meets a criterion. A sample on which they reach no verdict is
 * neither right nor wrong, and leaves bounds of the accuracy. With `scale` they grade how far it does:
 * the score is a number, 0 for grade 1 and 1 for the highest grade. Throws a TypeError without a
 * criterion, and inside a score, where it would decide nothing.
 *
 * @example
 * await defineEval('people', {
 *   data: './people.jsonl',
 *   scores: {
 *     person: judge('Names the same person as the reference.'),
 *     sources: judge('Names its sources.', { scale: 5, levels: { 1: 'none', 5: 'one for each claim' } }),
 *   },
 * });
 */
export function judge<Highest extends number | undefined = undefined>(
  criterion: string,
  options: JudgeOptions & Partial<Scale<Highest>> = {},
): Judge<Highest extends number ? number : boolean> {
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
    ? findScaleProblem(options)
    : `"reference" of judge must be a string or null, got ${showValue(reference)}.`;
}

const OPTIONS: readonly string[] = [
  'reference',
  'judges',
  'scale',
  'levels',
] satisfies (keyof GradedJudgeOptions)[];

/** What to write where a score makes a judge, which asks nobody there. */
export function describeMisplaced(criterion: string): string {
  const shown = quote(cut(criterion, 60));
  return (
    `judge(${shown}) is a value of the suite, and a score made it. Write score: judge(${shown}) or scores: { name: judge(${shown}) }; ` +
    `in a score of your own write await expect(output).toPassJudge(${shown}).`
  );
}

/** A judge of verdicts or of grades. */
export type AnyJudge = Judge<boolean | number>;

/** Whether a value is what `judge` returns. */
export function isJudge(value: unknown): value is AnyJudge {
  return isFields(value) && value['type'] === 'judge' && typeof value['criterion'] === 'string';
}

/** Whether a score is a judge that gives grades. */
export function isGraded(score: unknown): boolean {
  return isJudge(score) && score.scale !== undefined;
}

/** Has judges say whether an output, as a text or a JSON value, meets a criterion, or how far. */
export async function callJudge(
  { criterion, scale, levels, ...options }: AnyJudge,
  output: unknown,
): Promise<JudgeScore> {
  const asked = scale === undefined ? criterion : toRubric(criterion, { scale, levels });
  const ruling = await askJudges('judge', toText(toJson(output), 2), asked, { ...options, scale });
  const { verdict } = ruling;
  const explanation = describeRuling(ruling);
  if (typeof verdict === 'number' && scale !== undefined)
    return { score: toShare(verdict, scale), metadata: { rationale: explanation } };
  const state = verdict === 'pass' ? 'correct' : 'incorrect';
  return { state, rule: 'judge', explanation };
}

/** What a score returns: a verdict, or a number with what is said of it. */
type JudgeScore =
  | Readonly<{ state: 'correct' | 'incorrect'; rule: string; explanation: string }>
  | Readonly<{ score: number; metadata: Readonly<{ rationale: string }> }>;

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

/**
 * The options of a `judge` that gives grades.
 *
 * @example
 * const rubric: GradedJudgeOptions = { scale: 5, levels: { 1: 'rude', 3: 'neutral', 5: 'warm' } };
 * await defineEval('mails', { data: './mails.jsonl', score: judge('Is polite.', rubric), pass: ({ score }) => score >= 0.5 });
 */
export type GradedJudgeOptions = JudgeOptions & Scale;

/** What is asked of judges besides the criterion. */
export type AskedOptions = JudgeOptions & { readonly scale?: number | undefined };

/** What a score may ask while it judges one answer. */
export type JudgeContext = {
  /** Rejects if there are no judges. */
  ask(output: string, criterion: string, options: AskedOptions, score?: string): Promise<Ruling>;
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
 * No judge, or no majority of judges, says pass or fail, or gives a grade. It ends a score; the answer
 * is then neither right nor wrong.
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
  options: AskedOptions,
): Promise<Ruling & { readonly verdict: JoinedVerdict }> {
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
export type Opinion<Word = Stated> = {
  readonly judge: string;
  readonly verdict: Word | 'error';
  /** Its own words, or its error. */
  readonly reason: string;
  /** In US dollars; null if it is not known. */
  readonly cost: number | null;
  /** Whether this run paid for it. */
  readonly isNew: boolean;
  /** Why it was not asked, such as "budget"; null if it was. */
  readonly stop: string | null;
};

/** What a panel says of an answer; `verdict` is null if `joinVerdicts` finds none. */
export type Ruling = {
  readonly verdict: JoinedVerdict | null;
  readonly opinions: readonly Opinion[];
  readonly criterion: string;
  /** The highest grade, where they give grades. */
  readonly scale?: number | undefined;
  readonly reference: string | null;
  /** Hash of all that the judges were shown. */
  readonly asked: string;
  /** The score that asked, where a suite has several. */
  readonly score?: string | undefined;
};

/** A ruling in one line: each judge with its verdict, and the words of one that decided. */
export function describeRuling({ verdict, opinions, scale }: Ruling): string {
  const decisive = opinions.find((opinion) => opinion.verdict === verdict) ?? opinions[0];
  const verdicts = opinions
    .map(({ judge, verdict }) => `${judge}: ${describeVerdict(verdict, scale)}`)
    .join(', ');
  const none = scale === undefined ? 'verdict' : 'grade';
  const open = opinions.length === 1 ? `no ${none}: ` : 'no majority: ';
  const middle = opinions.length > 1 ? `${describeVerdict(verdict ?? 0, scale)} by ` : '';
  const head = verdict === null ? open : typeof verdict === 'number' ? middle : '';
  return `${head}${verdicts} (${cut(decisive?.reason ?? '', 600)})`;
}

function describeVerdict(verdict: JudgeWord, scale: number | undefined): string {
  return typeof verdict === 'number' ? `${verdict} of ${scale ?? '?'}` : VERDICTS[verdict];
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

function toCriterion({
  opinions,
  criterion,
  scale,
  reference,
  asked,
  score,
}: Ruling): CriterionVerdicts {
  return {
    score,
    ...(scale === undefined ? {} : { scale }),
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
