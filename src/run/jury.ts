import type { AgentSpec } from '../agents/spec.ts';
import {
  type AnyJudge,
  type AskedOptions,
  describeRuling,
  isJudge,
  type JudgeContext,
  type Ruling,
  toJudgeVerdicts,
  withJudges,
} from '../judge/judge.ts';
import { JUDGE_PROMPT_HASH } from '../judge/prompt.ts';
import { type Stated, toReplyForm } from '../judge/reply-form.ts';
import { quoteDialogue } from '../words/conversation.ts';
import { joinVerdicts } from '../words/panel.ts';
import type { Message, Sample } from '../words/sample.ts';
import { ScoreFault } from '../words/score-fault.ts';
import { showPath, toTextOrNull } from '../words/show.ts';
import { withoutThoughts } from '../words/thoughts/thoughts.ts';
import type { EvalDefinition } from './definition.ts';
import type { Graded } from './named-scores.ts';
import { type Call, type Judged, NAME_ONE, Panel, type PanelOptions, toJudged } from './panel.ts';
import { DEFAULT_PROMPT, fillPrompt, hashQuestion, shortHash } from './prompt.ts';
import type { AskingRun } from './provided-run.ts';
import type { Suite } from './suite.ts';

/** The judges of the answers of a suite. */
export class Jury extends Panel<Stated> {
  constructor(suite: string, run: AskingRun, isHidden: boolean, options?: PanelOptions) {
    super(suite, run, isHidden, JUDGE_PROMPT_HASH, options);
  }

  /** What they say of an answer, with the highest grade that they may give. */
  async rule(input: Judged, { scale, judges }: AskedOptions, call: Call) {
    const { criterion, reference, asked } = input;
    const opinions = await this.ask(input, toReplyForm(scale), judges ?? null, call);
    return {
      verdict: joinVerdicts(opinions.map(({ verdict }) => verdict)),
      opinions,
      criterion,
      scale,
      reference,
      asked,
    } satisfies Ruling;
  }
}

/**
 * What judges are shown of an answer, which is not what the agent thought, and the hash of its
 * question.
 */
export function toJudgeInput(
  sample: Sample,
  whole: string,
  criterion: string,
  { reference = toTextOrNull(sample.target, 2) || null }: AskedOptions,
  messages?: readonly Message[],
): Judged {
  const sampleHash = hashQuestion(sample);
  const question =
    messages === undefined ? fillPrompt(sample, DEFAULT_PROMPT) : quoteDialogue(messages);
  const questionHash =
    messages === undefined ? sampleHash : shortHash(JSON.stringify([sampleHash, question]));
  const outputs = [withoutThoughts(whole)];
  return toJudged({ criterion, question, reference, outputs }, questionHash, sample.attachments);
}

/** The judges among the scores of a suite. Its functions may ask others when they run. */
export function findJudges({ score, scores }: EvalDefinition): readonly AnyJudge[] {
  return Object.values({ ...scores, score }).filter((each) => isJudge(each));
}

/**
 * The jury of a suite with a score of its own. Rejects if a judge among its scores has no model, or
 * one cannot be made.
 */
export async function openJury(
  { name, file, definition }: Pick<Suite, 'name' | 'file' | 'definition'>,
  agents: readonly AgentSpec[],
  run: AskingRun,
  isHidden: boolean,
  isPrivate = false,
): Promise<Jury> {
  const { score, scores = { score } } = definition;
  const isLate = Object.values(scores).some((each) => !isJudge(each));
  const jury = new Jury(name, run, isHidden, { agents, isLate, isPrivate });
  for (const { judges = null, scale } of findJudges(definition)) {
    if (judges === null && run.config.judges === null)
      throw new Error(`${showPath(file)}: its score asks a judge, but none is named. ${NAME_ONE}`);
    await jury.open(judges, toReplyForm(scale));
  }
  return jury;
}

/** Has an answer graded by a score that may ask judges, and adds what they said. */
export type GradeWithJudges = (
  sample: Sample,
  call: Omit<Call, 'id'>,
  score: () => Promise<Graded>,
) => Promise<Graded>;

/** Grades answers before these judges. */
export function gradeWithJudges(jury: Jury): GradeWithJudges {
  return async (sample, call, score) => {
    const rulings: Ruling[] = [];
    const pending = new Set<Promise<unknown>>();
    // What no score may swallow: it would decide without its judges.
    const refused: unknown[] = [];
    const context: JudgeContext = {
      get waiting() {
        return pending.size;
      },
      ask: (output, criterion, options, score) => {
        const input = toJudgeInput(sample, output, criterion, options, call.messages);
        const ruled = jury.rule(input, options, { ...call, id: sample.id });
        const settled = ruled
          .then((ruling) => void rulings.push({ ...ruling, score }))
          .catch((error: unknown) => void refused.push(error));
        pending.add(settled);
        void settled.then(() => pending.delete(settled));
        return settled.then(() => ruled);
      },
    };
    const graded = await withJudges(context, score).catch((error: unknown) => {
      refused.push(error);
      return null;
    });
    const isEarly = pending.size > 0 && graded?.failed === undefined;
    await Promise.all(pending);
    const [first] = refused;
    if (graded === null || first !== undefined) throw first;
    if (isEarly) {
      throw new ScoreFault('"score" ended before its judges answered. Await toPassJudge.');
    }
    return withRulings(graded, rulings);
  };
}

/**
 * Among several rulings the one without a verdict decides, else the last: a score ends at the first
 * that fails.
 */
function withRulings(graded: Graded, rulings: readonly Ruling[]): Graded {
  const open = rulings.find(({ verdict }) => verdict === null);
  const ruling = open ?? rulings.at(-1);
  if (ruling === undefined) return graded;
  const judge = toJudgeVerdicts(ruling, rulings);
  // Among several scores a false one decides, even if another has no verdict.
  const isKnown = open?.score !== undefined && graded.scores?.[open.score] === null;
  if (open === undefined || (isKnown && graded.undecided === undefined)) {
    const isOnly = graded.failed !== undefined && graded.scores === undefined;
    const isMatcher = isOnly && graded.explanation.includes('toPassJudge');
    return {
      ...graded,
      judge,
      explanation: isMatcher ? describeRuling(ruling) : graded.explanation,
    };
  }
  const stopped = open.opinions.find(({ stop }) => stop !== null);
  const explanation = stopped?.reason ?? describeRuling(open);
  return { ...graded, correct: false, judge, explanation, undecided: stopped?.stop ?? 'judge' };
}
