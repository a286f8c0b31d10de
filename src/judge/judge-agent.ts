import { addSpent } from '../data/files/usage.ts';
import {
  type Agent,
  AgentError,
  type Answer,
  type AnswerContext,
  type Progress,
} from '../words/answer.ts';
import { omitNullish } from '../words/fields.ts';
import type { Json, Question } from '../words/sample.ts';
import { toText } from '../words/show.ts';
import { describeUnfinished, isRefusal } from '../words/unfinished.ts';
import type { ReplyForm } from './reply-form.ts';
import { parseVerdict, writeVerdict } from './verdict.ts';

type AnyForm = ReplyForm<string | number>;

/**
 * An agent as a judge: its answer is the JSON that its form asks for. A reply that is none is asked
 * for once more.
 */
export function toJudge(agent: Agent, form: AnyForm): Agent {
  return { ...agent, answer: (question, context) => askForVerdict(agent, form, question, context) };
}

async function askForVerdict(
  agent: Agent,
  form: AnyForm,
  question: Question<Json>,
  context: AnswerContext,
): Promise<Answer> {
  const first = await agent.answer(question, context);
  const verdict = findVerdict(first, question, form);
  if (verdict !== null) return { ...toSpent(first), output: verdict };
  // Servers count refused prompts against the account, and refuse the same one again.
  if (isRefusal(first)) throw toFailure(first, toSpent(first), form);
  const onProgress = (progress: Progress) => context.onProgress?.(addSpent(first, progress));
  // Not a copy: reading the work folder makes it.
  const again: AnswerContext = Object.create(context, { onProgress: { value: onProgress } });
  const second = await askAgain(agent, question, again, first);
  const spent = addSpent(first, second);
  const corrected = findVerdict(second, question, form);
  if (corrected === null) throw toFailure(second, spent, form);
  return { ...spent, output: corrected };
}

/** The verdict as JSON. A reply that was cut short may have gone on to another one. */
function findVerdict(answer: Answer, { prompt }: Question<Json>, form: AnyForm): string | null {
  const { output, cutShort } = answer;
  const verdict = cutShort === undefined ? parseVerdict(toText(output ?? ''), form, prompt) : null;
  return verdict && writeVerdict(verdict, form);
}

function toFailure(answer: Answer, spent: Progress, { field, allowed }: AnyForm): AgentError {
  const unfinished = describeUnfinished(answer);
  const form = `{"reason": "...", "${field}": ${allowed}}`;
  const shown = JSON.stringify(toText(answer.output ?? '').slice(0, 200) || 'no text');
  // The form comes first, since reports cut a message.
  const problem =
    unfinished === null
      ? `The judge's reply must be ${form}; twice it had no ${field} of its own. It began: ${shown}`
      : `No ${field}: the judge's reply ${unfinished}`;
  return new AgentError('bad_response', problem, { progress: spent });
}

async function askAgain(
  agent: Agent,
  question: Question<Json>,
  context: AnswerContext,
  first: Answer,
): Promise<Answer> {
  try {
    return await agent.answer(question, context);
  } catch (error) {
    throw error instanceof AgentError
      ? error.with({ progress: addSpent(first, error.progress) })
      : error;
  }
}

/**
 * What was used, without the conversation: the cache needs no second copy of the answer that was
 * judged.
 */
function toSpent(spent: Progress): Progress {
  const { model, usage, costUsd, costEstimated, requests, steps, waitedMs } = spent;
  return omitNullish({ model, usage, costUsd, costEstimated, requests, steps, waitedMs });
}
