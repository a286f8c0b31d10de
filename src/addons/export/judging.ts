import { JUDGE_PROMPT_HASH, toJudgePrompt } from '../../judge/prompt.ts';
import { toReplyForm } from '../../judge/reply-form.ts';
import type { JudgeFigures, SuiteSummary } from '../../words/figures.ts';

/**
 * Who judged a named score. Without a name, who may have decided the accuracy: all judges of the suite,
 * since `pass` may read any score, and a score that is true or false decides without one.
 */
export function listJudges(
  { judges = [] }: Pick<SuiteSummary, 'judges'>,
  score?: string,
): readonly JudgeFigures[] {
  return judges.filter((judge) => score === undefined || judge.score === score);
}

/**
 * The prompt of judges, with names instead of the texts; one for each scale. One of another version has
 * its hash.
 */
export function showJudgePrompt(
  judges: readonly Pick<JudgeFigures, 'prompt_hash' | 'scale'>[],
): string {
  const other = judges.find(({ prompt_hash }) => prompt_hash !== JUDGE_PROMPT_HASH);
  if (other !== undefined) return `viva's judge prompt ${other.prompt_hash}`;
  const texts = {
    criterion: '{{criterion}}',
    question: '{{question}}',
    reference: '{{reference}}',
    outputs: ['{{output}}'],
  };
  const scales = [...new Set(judges.map(({ scale }) => scale))];
  const prompts = scales.map((scale) => toJudgePrompt(texts, toReplyForm(scale), '{{mark}}'));
  return prompts.join('\n\n---\n\n');
}
