import { partOf, plural, quote } from '../text/show.ts';
import { didYouMean, formatMeans } from '../text/wording.ts';
import type { SampleResult, ScoreFigures } from '../types.ts';
import type { Comparison } from './compare.ts';
import { explainMargin, toPoints, toUnknown, type Verdict } from './gate-verdict.ts';
import { findCompared, type GatedGroup } from './gated-group.ts';
import { scoreOf } from './named-scores.ts';

/** A threshold on the mean of a named score, or on its drop. */
type ScoreThreshold = {
  readonly score: string;
  readonly measure: string;
  readonly threshold: number;
};

/** Judges a named score of a group. `results` are those of its suite, agent and prompt in it. */
export function judgeScore(
  { score, measure, threshold }: ScoreThreshold,
  gated: GatedGroup,
  comparison: Comparison | null,
  results: readonly SampleResult[],
): Verdict {
  const { figures: group } = gated;
  const { scores = {} } = group;
  const figures = Object.hasOwn(scores, score) ? scores[score] : undefined;
  if (figures === undefined) return toUnknown(explainUnknown(score, Object.keys(scores)));
  const { n, open = 0 } = figures;
  if (open > 0) {
    const verbs = [`of group ${group.group} has`, `of group ${group.group} have`] as const;
    const some = partOf(open, n + open, 'result', ...verbs);
    return toUnknown(`${some} no verdict for the score ${quote(score)}`);
  }
  if (figures.mean === null)
    return toUnknown(`no result of group ${group.group} has a value of ${quote(score)}`);
  return measure === 'min_score'
    ? judgeMean(score, group.group, figures, figures.mean, threshold)
    : judgeDrop(score, gated, threshold, comparison, results);
}

function explainUnknown(score: string, names: readonly string[]): string {
  const known = names.length === 0 ? 'there is none' : `there are ${names.map(quote).join(', ')}`;
  return `no result has a score ${quote(score)}; ${known}.${didYouMean(score, names)}`;
}

function judgeMean(
  score: string,
  group: string,
  { kind }: ScoreFigures,
  mean: number,
  minimum: number,
): Verdict {
  const holds = mean >= minimum;
  const [value, gate] = formatMeans(kind, mean, minimum);
  const explanation = `the score ${quote(score)} ${value} ${holds ? 'meets' : 'is below'} the gate ${gate} for group ${group}`;
  return { holds, value: mean, explanation };
}

function judgeDrop(
  score: string,
  gated: GatedGroup,
  maximum: number,
  comparison: Comparison | null,
  results: readonly SampleResult[],
): Verdict {
  if (comparison === null)
    return toUnknown('it needs a baseline: set EVAL_BASELINE to an earlier run');
  const { group } = gated.figures;
  const { scores = {} } = findCompared(gated, comparison) ?? {};
  const paired = Object.hasOwn(scores, score) ? scores[score] : undefined;
  if (!paired?.ci95)
    return toUnknown(`no question of group ${group} has a value of ${quote(score)} in both runs`);
  const scored = new Set(results.flatMap((row) => (scoreOf(row, score) === null ? [] : row.id)));
  if (paired.questions < scored.size) {
    const some = `${paired.questions} of ${plural(scored.size, 'question')} of group ${group}`;
    return toUnknown(`only ${some} can be compared with the baseline`);
  }
  const drop = -paired.ci95[0];
  const [value, gate] = formatMeans(paired.kind, Math.max(0, drop), maximum).map((shown) =>
    paired.kind === 'rate' ? toPoints(shown) : shown,
  );
  const clause = `the drop of the score ${quote(score)} is at most ${value} (95 % interval); the gate allows ${gate} for group ${group}`;
  const margin = paired.kind === 'rate' ? explainMargin(paired.questions, maximum) : '';
  return { holds: drop <= maximum, value: drop, explanation: clause + margin };
}
