import {
  describeRuling,
  type JudgeContext,
  type Ruling,
  toJudgeVerdicts,
  withJudges,
} from '../judge/judge.ts';
import type { Sample } from '../words/sample.ts';
import type { Graded } from './grade-by-scores.ts';
import { type Call, type Jury, toJudgeInput } from './jury.ts';

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
    const context: JudgeContext = {
      get waiting() {
        return pending.size;
      },
      ask: (output, criterion, options, score) => {
        const input = toJudgeInput(sample, output, criterion, options, call.messages);
        const asked = jury.ask(input, options.judges ?? null, { ...call, id: sample.id });
        const settled = asked
          .then((ruling) => void rulings.push({ ...ruling, score }))
          .catch(() => undefined);
        pending.add(settled);
        void settled.then(() => pending.delete(settled));
        return settled.then(() => asked);
      },
    };
    const graded = await withJudges(context, score);
    const isEarly = pending.size > 0 && graded.thrown === undefined;
    await Promise.all(pending);
    if (isEarly) {
      throw new TypeError(
        '"score" ended before its judges answered. Await toPassJudge, and return what judge gives.',
      );
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
    const isMatcher = graded.thrown !== undefined && graded.explanation.includes('toPassJudge');
    return { ...graded, judge, ...(isMatcher ? { explanation: describeRuling(ruling) } : {}) };
  }
  const stopped = open.opinions.find(({ stop }) => stop !== null);
  const explanation = stopped?.reason ?? describeRuling(open);
  return { ...graded, correct: false, judge, explanation, undecided: stopped?.stop ?? 'judge' };
}
