import {
  type AgentResult,
  defineEval,
  type EvalDefinition,
  judge,
  type Question,
  type Sample,
  type ScoreInput,
  type SuiteAgent,
  scorer,
} from 'viva';
import { aiSdk } from 'viva/ai-sdk';

/*
 * What TypeScript infers of suites. No test runs it: `pnpm types` compiles it, and a test of the
 * package does so with the oldest TypeScript.
 */

type IsEqual<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles if the type of a value is `Expected`, neither a wider nor a narrower one. */
declare function has<Expected>(): <Found>(
  value: Found,
  ...wrong: IsEqual<Found, Expected> extends true ? [] : [found: Found, 'is not', Expected]
) => boolean;

type Invoice = { total: number };
type Step = { op: 'inc' | 'dec' };
type Row = { question: string; answer: string; level: number };
type Listed = { id: string; input: { text: string }; target: Invoice; topic: string };

declare const data: Listed[];
declare const rows: Row[];
// biome-ignore lint/suspicious/noExplicitAny: as JSON.parse returns them.
declare const loose: any[];
declare const open: Record<string, unknown>[];
declare const agent: (question: Question<{ text: string }>) => Promise<{ output: Invoice }>;
declare const typed: SuiteAgent<{ text: string }, Invoice>;
declare const untyped: SuiteAgent;
declare const loadSamples: () => Promise<{ name: string; samples: Sample<string, 'yes' | 'no'>[] }>;
declare const factuality: (args: {
  output: string;
  expected?: string;
}) => Promise<{ name: string; score: number | null }>;
const invoice = {
  '~standard': {
    version: 1,
    vendor: 'own',
    validate: (value: unknown) => ({ value: value as Invoice }),
  },
} as const;
const text = {
  '~standard': {
    version: 1,
    vendor: 'own',
    validate: (value: unknown) => ({ value: value as string }),
  },
} as const;

class Reader {
  readonly name = 'reader';
  async answer({ input }: Question<{ text: string }>) {
    return { output: [input.text], costUsd: 0.01 };
  }
}

export const AGENTS = [
  () =>
    defineEval('model', { data, agent: 'openai:m', score: ({ output }) => has<string>()(output) }),
  () => defineEval('path', { data, agent: './a.ts', score: ({ output }) => has<string>()(output) }),
  () =>
    defineEval('none', {
      data,
      score: ({ output, answer }) => has<string>()(output) && has<string>()(answer),
    }),
  () =>
    defineEval('text', {
      data,
      agent: ({ input }) => input.text,
      score: ({ output }) => has<string>()(output),
    }),
  () =>
    defineEval('value', {
      data,
      agent: async ({ input }, { signal }) => ({
        output: { total: input.text.length, late: signal.aborted },
      }),
      score: ({ output }) => has<{ total: number; late: boolean }>()(output),
    }),
  () =>
    defineEval('no answer', {
      data,
      agent: async ({ input }) =>
        input.text === '' ? { output: null, reason: 'empty' } : { output: { total: 1 } },
      score: ({ output }) => has<Invoice>()(output),
    }),
  () =>
    defineEval('either', {
      data,
      agent: ({ input }) => (input.text === '' ? 'none' : { output: { total: 1 } }),
      score: ({ output }) => has<Invoice | string>()(output),
    }),
  () =>
    defineEval('any', {
      data,
      agent: async () => JSON.parse('1'),
      score: ({ output }) => output.any.field === 1,
    }),
  () =>
    defineEval('class', {
      data,
      agent: new Reader(),
      score: ({ output }) => has<string[]>()(output),
    }),
  () =>
    defineEval('object', {
      data,
      agent: {
        name: 'own',
        priced: true,
        answer: async ({ input }) => ({ output: input.text, costUsd: 1 }),
      },
      score: ({ output }) => has<string>()(output),
    }),
  () => defineEval('typed', { data, agent: typed, score: ({ output }) => has<Invoice>()(output) }),
  () =>
    defineEval('untyped', { data, agent: untyped, score: ({ output }) => output.any.field === 1 }),
  () => defineEval('before', { score: ({ output }) => has<Invoice>()(output), agent, data }),
  () =>
    defineEval('one of two', {
      data,
      agent: Math.random() > 0.5 ? agent : 'openai:m',
      score: ({ output }) => has<Invoice>()(output),
    }),
  () =>
    defineEval('throws', {
      data,
      agent: async () => {
        throw new Error('down');
      },
      score: ({ output }) => has<string>()(output),
    }),
  () =>
    defineEval('several', {
      data,
      agents: {
        inline: async ({ input }) => ({ output: { total: input.text.length } }),
        other: () => ({ output: [1] }),
        model: 'openai:m',
      },
      score: ({ output }) => has<Invoice | number[] | string>()(output),
    }),
  () =>
    defineEval('named', {
      data,
      agents: { typed, agent },
      score: ({ output }) => has<Invoice>()(output),
    }),
  () =>
    defineEval('sdk', {
      data,
      agent: aiSdk(async ({ input }) => ({ text: String(input), steps: [] })),
      score: ({ output }) => has<string>()(output),
    }),
  () =>
    defineEval('sdk stream', {
      data,
      agent: aiSdk(() => ({ text: Promise.resolve('x'), output: Promise.resolve({ total: 1 }) })),
      score: ({ output }) => has<Invoice>()(output),
    }),
  () =>
    defineEval('sdk 5', {
      data,
      agent: aiSdk(async () => ({ text: 'x', experimental_output: {} as never })),
      score: ({ output }) => has<string>()(output),
    }),
  () =>
    defineEval('sdk object', {
      data,
      agent: aiSdk(async () => ({ object: { total: 1 } })),
      scores: { a: ({ output }) => has<Invoice>()(output) },
    }),
];

export const RECORDS = [
  () =>
    defineEval('list', {
      data,
      agent,
      score: ({ input, target, record, sample }) =>
        has<{ text: string }>()(input) &&
        has<Invoice>()(target) &&
        has<string>()(record.topic) &&
        has<string>()(sample.metadata.topic),
    }),
  () =>
    defineEval('mixed', {
      data: [
        { input: 'a', target: 1 },
        { input: 'b', target: null, tags: ['x'] },
        { turns: ['c'], target: 3 },
      ],
      agent: ({ input }) => input,
      score: ({ input, target, record, sample }) =>
        has<string>()(input) &&
        has<number>()(target) &&
        has<string[] | undefined>()(record.tags) &&
        has<string[] | undefined>()(sample.metadata.tags),
    }),
  () =>
    defineEval('other names', {
      data: rows,
      agent: ({ prompt }) => prompt,
      score: ({ target, sample }) => target.any === 1 && has<number>()(sample.metadata.level),
    }),
  () =>
    defineEval('mapped', {
      data: rows,
      map: ({ question, answer, level }, index) => ({
        id: index,
        input: question,
        target: answer,
        metadata: { hard: level > 2 },
      }),
      agent: ({ input }) => input,
      score: ({ target, record, sample }) =>
        has<string>()(target) &&
        has<number>()(record.level) &&
        has<boolean>()(sample.metadata.hard),
    }),
  () =>
    defineEval('file', {
      data: './a.jsonl',
      map: ({ Problem, Answer }) => ({ input: `Solve ${Problem}`, target: Number(Answer) }),
      agent: ({ input }) => input,
      score: ({ target, record }) => has<number>()(target) && has<unknown>()(record['Problem']),
    }),
  () =>
    defineEval('function', {
      data: async () => data,
      agent,
      score: ({ record, output }) => has<string>()(record.topic) && has<Invoice>()(output),
    }),
  () =>
    defineEval('dataset', {
      data: loadSamples,
      agent: ({ input }) => input,
      score: ({ target, input }) => has<'yes' | 'no'>()(target) && has<string>()(input),
    }),
  () =>
    defineEval('any', {
      data: loose,
      map: (row) => ({ input: row.a as string }),
      agent: ({ input }) => input,
      score: ({ output }) => has<string>()(output),
    }),
  () =>
    defineEval('open', {
      data: open,
      agent: ({ input }) => input.any,
      score: ({ output }) => output.any === 1,
    }),
  () =>
    defineEval('literals', {
      data: [{ input: { op: 'inc' }, target: 1 }] satisfies { input: Step; target: number }[],
      agent: ({ input }: Question<Step>) => ({ output: input.op === 'inc' ? 1 : -1 }),
      score: ({ output, target }) => output === target,
    }),
  () => defineEval('empty', { data: [], agent: () => 'x' }),
  () =>
    defineEval('schema', {
      data: './a.jsonl',
      schema: { input: text, target: invoice, output: invoice },
      agent: ({ input }) => ({ output: { total: input.length } }),
      score: ({ input, target, output }) =>
        has<string>()(input) && has<Invoice>()(target) && has<Invoice>()(output),
    }),
  () =>
    defineEval('coerced', {
      data: [{ input: 1, target: '2' }],
      schema: { input: text },
      agent: ({ input }) => input,
      score: ({ input, target }) => has<string>()(input) && has<string>()(target),
    }),
  () =>
    defineEval('json', {
      data,
      agent: () => '{}',
      output: 'json',
      score: ({ output }) => output.any.field === 1,
    }),
  () =>
    defineEval('json of a schema', {
      data,
      agent: 'openai:m',
      output: 'json',
      schema: { output: invoice },
      score: ({ output }) => has<Invoice>()(output),
    }),
  () =>
    defineEval('fields', {
      data,
      agent,
      group: ({ metadata }) => metadata.topic,
      cluster: ({ topic }) => topic,
    }),
];

export const SCORES = [
  () =>
    defineEval('values', {
      data,
      agent,
      scores: {
        asserts: () => {},
        later: async () => {},
        number: async ({ output }) => output.total / 2,
        constant: () => 0.5,
        maybe: ({ output }) => (output.total > 0 ? 1 : null),
        none: () => null,
        judged: judge('It is polite.'),
        graded: judge('It is polite.', { scale: 5, levels: { 1: 'rude', 5: 'warm' } }),
        verdict: () => ({ state: 'correct', explanation: 'as wanted' }) as const,
        scored: ({ output }) => ({ score: output.total }),
      },
      pass: (values) =>
        has<{
          readonly asserts: boolean;
          readonly later: boolean;
          readonly number: number;
          readonly constant: number;
          readonly maybe: number | null;
          readonly none: null;
          readonly judged: boolean;
          readonly graded: number;
          readonly verdict: boolean;
          readonly scored: number;
        }>()(values),
    }),
  () =>
    defineEval('grade', {
      data,
      agent,
      score: judge('It is polite.', { scale: 5 }),
      pass: (values) => has<{ readonly score: number }>()(values),
    }),
  () =>
    defineEval('scorer', {
      data: [{ input: 'a', target: 'b' }],
      agent: () => 'x',
      scores: { a: scorer(factuality) },
      pass: ({ a }) => a > 0.6,
    }),
  () =>
    defineEval('only', {
      data,
      agent,
      score: ({ output }) => output.total,
      pass: ({ score }) => has<number>()(score),
    }),
  () =>
    defineEval('extract', {
      data,
      agent: 'openai:m',
      extract: (output) => ({ answer: /x/.exec(output)?.[0] ?? null, how: 'x' }),
      score: ({ answer }) => has<string>()(answer),
    }),
  () =>
    defineEval('extract a number', {
      data,
      agent: 'openai:m',
      extract: (output) => Number(output),
      scores: { a: ({ answer }) => has<number>()(answer) },
    }),
  () =>
    defineEval('annotated', {
      data: './a.jsonl',
      agent: './a.ts',
      score: ({ output }: ScoreInput<string, string, Invoice>) => output.total > 1,
    }),
  () =>
    defineEval('facts', {
      data,
      agent,
      score: ({ costUsd, latencyMs, firstTokenMs }) =>
        has<number | null>()(costUsd) &&
        has<number | null>()(latencyMs) &&
        has<number | null>()(firstTokenMs),
    }),
  () =>
    defineEval('made', {
      data,
      agent,
      scores: Object.fromEntries(['a', 'b'].map((name) => [name, () => true])),
      pass: (values) => values['a'] === true,
    }),
  () =>
    defineEval<{ text: string }, Invoice, Invoice>('explicit', {
      data,
      map: ({ text: said }) => ({ input: { text: said }, target: { total: 1 } }),
      agents: { a: async ({ input }) => ({ output: { total: input.text.length } }) },
      scores: {
        total: ({ output, target }) => has<Invoice>()(output) && has<Invoice>()(target),
        part: () => 0.5,
      },
      pass: ({ total, part }) => total && part > 0.4,
    }),
];

/** A text agent that stands behind its score is right. */
export const LATE = [
  () =>
    defineEval('text', {
      data,
      score: ({ output }) => has<string>()(output),
      agent: ({ input }) => input.text,
    }),
  () =>
    defineEval('output', {
      data,
      score: ({ output }) => has<string>()(output),
      agent: async ({ input }) => ({ output: input.text, costUsd: 0.01 }),
    }),
  () =>
    defineEval('named', {
      data,
      score: ({ output }) => has<string>()(output),
      agents: { a: ({ input }) => ({ output: input.text }), b: 'openai:m' },
    }),
];

export function measure<O>(asked: SuiteAgent<string, O>, isRight: (output: O) => boolean) {
  const definition: EvalDefinition<string, string, O> = {
    data: [{ input: 'a', target: 'b' }],
    agent: asked,
    score: ({ output }) => isRight(output),
  };
  return defineEval('generic', definition);
}

const helped = {
  data,
  agent: async ({ input }) => ({ output: { total: input.text.length } }),
  scores: { total: ({ output }) => output.total > 1 },
  pass: ({ total }) => total,
} satisfies EvalDefinition;
const declared: EvalDefinition = {
  data: './a.jsonl',
  agents: { model: 'openai:m', own: ({ input }) => ({ output: input }) },
  output: 'json',
  map: (record) => ({ input: record.q }),
  score: ({ output }) => output.any === 1,
};
function make<Target>(
  targets: readonly Target[],
  model: string,
): EvalDefinition<string, Target, Invoice> {
  return {
    data: targets.map((target) => ({ input: model, target })),
    agent: async ({ input }) => ({ output: { total: input.length } }),
    score: ({ output, target }) => output.total > 1 && target === targets[0],
  };
}
function generic<Given extends { input: string; target: string }>(
  records: Given[],
  asked: SuiteAgent<string, string>,
) {
  return defineEval('generic', {
    data: records,
    agent: asked,
    score: ({ output, target }) => output.trim() === target,
  });
}

export const HELPERS = [
  () => defineEval('helped', helped),
  () => defineEval('declared', declared),
  () => defineEval('spread', { ...declared, agent: (): AgentResult => 'x' }),
  () => defineEval('made', make([1, 2], 'openai:m')),
  () => generic([{ input: 'a', target: 'b' }], () => 'x'),
];
