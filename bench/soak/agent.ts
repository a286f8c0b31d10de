import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, AnswerContext, Question, TraceStep } from '../../src/types.ts';

/** By question id: what to do, the answer to give, and after how many ms. */
export type Script = Readonly<Record<string, Part>>;

type Part = { readonly kind: string; readonly answer: string; readonly ms: number };

/** An agent that answers, errs, hangs and talks at length, as script.json beside it says; it counts its calls in calls.txt. */
export default async function answer(
  question: Pick<Question, 'id' | 'input'>,
  { signal }: Pick<AnswerContext, 'signal'>,
): Promise<Answer | string> {
  const part = partOf(question.id);
  appendFileSync(`${import.meta.dirname}/calls.txt`, `${question.id}\n`);
  await sleep(part.ms);
  switch (part.kind) {
    case 'silent':
      return '';
    case 'throws':
      throw new Error(`I lost my way in ${question.input.slice(0, 200)}`);
    case 'busy server':
      throw Object.assign(new Error('Overloaded'), { status: 503 });
    case 'ends at the signal':
      return sleep(600_000, '', { signal });
    case 'never ends':
      return new Promise<never>(() => {});
    case 'ends too late':
      return sleep(40_000, say(part));
    case 'large':
      return `${'I turn to the next page and read it from the top. '.repeat(4000)}\n${say(part)}`;
    case 'traced':
      return { text: say(part), usage, cost: 0.001, trace: Array.from({ length: 50 }, step), steps: 50 };
    default:
      return { text: say(part), usage, cost: 0.001 };
  }
}

const usage = { input_tokens: 900, output_tokens: 150, cached_tokens: 0, reasoning_tokens: 0 };

let script: Script | null = null;

function partOf(id: string): Part {
  script ??= JSON.parse(readFileSync(`${import.meta.dirname}/script.json`, 'utf8'));
  const part = script?.[id];
  if (part === undefined) throw new Error(`The script has no "${id}".`);
  return part;
}

function say({ answer }: Part): string {
  return `I read the notes in the order of their colours.\nFINAL ANSWER: ${answer}`;
}

function step(_: unknown, index: number): TraceStep {
  const text = `${index}. ${'The note is legible, and I copy it. '.repeat(28)}`;
  return { text, reasoning: null, tool_calls: [], stop: null, usage };
}
