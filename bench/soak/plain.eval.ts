import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import answer from './agent.ts';

const DEADLINE_MS = 12_000;

const HAS_META = process.env['SOAK_META'] === 'on';

type Line = {
  readonly task_id: string;
  readonly Question: string;
  readonly Level: number;
  readonly 'Final answer': string;
};

const file = join(import.meta.dirname, 'data/2023/validation/metadata.jsonl');
const records = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): Line => JSON.parse(line));

describe.concurrent('gaia', () => {
  for (const [level, members] of Map.groupBy(records, ({ Level }) => `level ${Level}`)) {
    describe.concurrent(level, () => {
      for (const record of members) {
        const names = toNames(record, level);
        test(record.task_id, { meta: HAS_META ? toMeta(names) : {} }, async ({ task }) => {
          const failure = await ask(record).catch((error: unknown) => error);
          if (HAS_META) Object.assign(task.meta, toMeta({ ...toFacts(record), ...names }));
          if (failure instanceof Error) throw failure;
        });
      }
    });
  }
});

/** Fails where and as long as viva fails: an error without a stack for a wrong answer, with its message for all else. */
async function ask({ task_id, Question, 'Final answer': truth }: Line): Promise<void> {
  const deadline = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error('No answer within 12 s. Raise EVAL_TIMEOUT if the agent may take longer.'));
    deadline.abort();
  }, DEADLINE_MS);
  const asked = answer({ id: task_id, input: Question }, { signal: deadline.signal });
  const said = await Promise.race([asked, late])
    .catch(withoutFrames)
    .finally(() => clearTimeout(timer));
  const text: string = typeof said === 'string' ? said : (said.text ?? '');
  const received = text.split('FINAL ANSWER: ')[1] ?? '';
  if (received === truth) return;
  const rule = `official, compared as text: ${JSON.stringify(received)} becomes another text than ${JSON.stringify(truth)}`;
  const error = new Error(
    `expect(output).toMatchGaiaAnswer(target)\n\nExpected: "${truth}"\nReceived: "${received}"\n\n` +
      `Answer:   "${received}" (final answer marker)\nRule:     ${rule}\nOutput:   "${text.slice(0, 400)}"`,
  );
  error.stack = '';
  throw error;
}

function withoutFrames(error: unknown): never {
  if (error instanceof Error) error.stack = `${error.name}: ${error.message}`;
  throw error;
}

/** As large as what a generated test of viva says of its sample, and of its result, for the run with meta. */
function toNames({ task_id }: Line, group: string): object {
  const hashes = { prompt_hash: 'd2b022c4491dc4ce', question_hash: task_id.slice(0, 16) };
  const run = '20261122T063116Z-module-agent-ts';
  return {
    suite: 'gaia',
    dataset: 'data/validation',
    agent: 'module:./agent.ts',
    id: task_id,
    trial: 1,
    group,
    ...hashes,
    run,
  };
}

/** In a project of its own Vitest knows nothing of viva's meta. */
function toMeta(facts: object): object {
  return { eval: facts };
}

function toFacts({ Question, 'Final answer': truth }: Line): object {
  const usage = { input_tokens: 900, output_tokens: 150, cached_tokens: 0, reasoning_tokens: 0 };
  const facts = { state: 'correct', reason: null, how: 'final answer marker', latency_ms: 200, usage, cost_usd: 0.001 };
  return {
    question: Question,
    target: truth,
    answer: truth,
    explanation: null,
    ...facts,
    cached: false,
    steps: null,
    model: null,
  };
}
