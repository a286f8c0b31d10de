import type { AnswerContext, Question } from '../../types.ts';
import { copyQuestion } from '../copy-question.ts';

/** What a command reads on stdin: one line of JSON, with the attachments' absolute paths. */
export function toQuestionJson(question: Question, { deadlineMs, maxSteps, trial }: AnswerContext): string {
  const fields = { ...copyQuestion(question), deadline_ms: deadlineMs ?? null, max_steps: maxSteps, trial };
  return `${JSON.stringify(fields)}\n`;
}
