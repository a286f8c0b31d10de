import { readFile } from 'node:fs/promises';
import type { AgentAnswer, Question } from 'viva';

/**
 * An agent for `module:./examples/agents/bookkeeper.ts`: it keeps account of stacks, queues, prices
 * and loans, by rules. What no rule fits it leaves open.
 */
export default {
  name: 'bookkeeper',
  answer: async (question: Question): Promise<AgentAnswer<string>> => {
    for (const skill of [followStack, followQueue, priceRise, lateFees]) {
      const value = await skill(question);
      if (value !== null) return { output: state(value, question) };
    }
    return { output: null, reason: 'no rule fits' };
  },
};

/**
 * The value in the form that the suite's prompt asks for: the label of an option, or the answer
 * itself.
 */
function state(value: string, { choices }: Question): string {
  if (choices === undefined) return `FINAL ANSWER: ${value}`;
  const [label] = Object.entries(choices).find(([, text]) => text.split(' ')[0] === value) ?? [];
  return label === undefined ? `It is ${value}.` : JSON.stringify({ answer: label });
}

/** "push 4, push 7, pop": what lies on top in the end. */
function followStack({ input }: Question): string | null {
  if (!/\bempty stack\b/.test(input)) return null;
  const stack: string[] = [];
  for (const [, value] of input.matchAll(/\bpush (\w+)|\bpop\b/g)) {
    if (value === undefined) stack.pop();
    else stack.push(value);
  }
  return stack.at(-1) ?? null;
}

/** "add red, remove one": what stands in front in the end. */
function followQueue({ input }: Question): string | null {
  if (!/\bempty queue\b/.test(input)) return null;
  const queue: string[] = [];
  for (const [, value] of input.matchAll(/\badd (\w+)|\bremove one\b/g)) {
    if (value === undefined) queue.shift();
    else queue.push(value);
  }
  return queue[0] ?? null;
}

/** "cost 8.00 ... costs 9.20": the rise in percent. */
function priceRise({ input }: Question): string | null {
  if (!/how many percent\b.*\brise\b/.test(input)) return null;
  const [before, after] = [...input.matchAll(/\bcosts? (\d+\.\d\d)/g)].map(([, amount]) =>
    Number(amount),
  );
  if (before === undefined || after === undefined) return null;
  return String(Math.round((after / before - 1) * 100));
}

/**
 * "a loan of category X is due N days after ...": what all loans in the table that is attached cost
 * together.
 */
async function lateFees({ input, attachments }: Question): Promise<string | null> {
  const days = new Map(
    [...input.matchAll(/category "(\w+)" (?:is due|after) (\d+) days/g)].map(([, a, b]) => [a, b]),
  );
  const fee = Number(/\bcosts (\d+\.\d\d)/.exec(input)?.[1]);
  const most = Number(/never costs more than (\d+\.\d\d)/.exec(input)?.[1]);
  const file = attachments.find(({ name }) => name.endsWith('.csv'));
  if (days.size === 0 || Number.isNaN(fee + most) || file === undefined) return null;
  const [head = [], ...loans] = (await readFile(file.path, 'utf8'))
    .trim()
    .split(/\r?\n/)
    .map((row) => row.split(','));
  const [category, loaned, returned] = ['category', 'loaned', 'returned'].map((name) =>
    head.indexOf(name),
  );
  const cell = (loan: readonly string[], column = -1) => loan[column] ?? '';
  const costs = loans.map((loan) => {
    const kept = (Date.parse(cell(loan, returned)) - Date.parse(cell(loan, loaned))) / 86_400_000;
    const late = kept - Number(days.get(cell(loan, category)));
    return late > 0 ? Math.min(late * fee, most) : 0;
  });
  return costs.reduce((sum, cost) => sum + cost, 0).toFixed(2);
}
