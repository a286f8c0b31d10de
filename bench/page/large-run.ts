import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { GRADER_VERSION, type SuiteManifest } from '../../src/store/manifest.ts';
import { BEGUN } from '../../src/store/run-end.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import type { TraceStep } from '../../src/words/answer.ts';
import type { SampleResult } from '../../src/words/row.ts';
import type { Sample } from '../../src/words/sample.ts';

const AGENTS = [
  { agent: 'openai:small', model: 'small-1', share: 0.72, price: 0.0005 },
  { agent: 'openai:large', model: 'large-1', share: 0.79, price: 0.004 },
  { agent: 'anthropic:thinking', model: 'thinking-1', share: 0.83, price: 0.02 },
] as const;

const LABELS = ['sales', 'support', 'legal'] as const;
const TRIALS = 2;
const STARTED = Date.UTC(2026, 10, 28, 17, 5, 31);

/** Numbers from 0 to 1, the same ones each time. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Words that look like words, all different. */
function makeWords(count: number, random: () => number): readonly string[] {
  const [onsets, vowels] = ['b c d f g h k l m n p r s t v w br st pl'.split(' '), 'aeiou'];
  const words = new Set<string>();
  while (words.size < count) {
    const syllables = Array.from({ length: 2 + Math.floor(random() * 2) }, () => {
      const onset = onsets[Math.floor(random() * onsets.length)];
      return `${onset}${vowels[Math.floor(random() * vowels.length)]}`;
    });
    words.add(syllables.join(''));
  }
  return [...words];
}

/**
 * Writes a run of so many questions of 40 words out of 5,000 different ones, which three agents answer
 * twice each in conversations of four steps. Returns its folder.
 */
export function writeLargeRun(dir: string, questions: number): string {
  const random = makeRandom(52);
  const words = makeWords(5000, random);
  const say = (count: number) =>
    Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(' ');
  const folder = join(dir, 'runs', `20261128T170531Z-tickets-${questions}`);
  mkdirSync(folder, { recursive: true });
  const writer = new RunWriter(folder);
  const samples = Array.from({ length: questions }, (_, at) => toSample(at, say(40)));
  writer.manifest({
    version: 1,
    run: `20261128T170531Z-tickets-${questions}`,
    created_at: new Date(STARTED).toISOString(),
    versions: { viva: '0.1.0', vitest: '5.1.0', node: '24.21.0' },
    git_commit: null,
    config: {},
    suites: [toSuite(samples)],
  });
  writer.questions('tickets', samples);
  for (const [at, sample] of samples.entries()) {
    const difficulty = random();
    for (const [place, { agent, model, share, price }] of AGENTS.entries())
      for (let trial = 1; trial <= TRIALS; trial++) {
        const chance = 0.6 * difficulty + 0.4 * random();
        const row = toRow(sample, { agent, model, trial, chance, share, price, at }, random);
        writer.row(row);
        const texts = [say(6), say(12)];
        writer.trace(row, { ...toTalk(sample, row, texts), steps: toSteps(row, texts, place) });
      }
  }
  writer.close();
  writer.end({ ...BEGUN, ended_at: new Date(STARTED + 3_600_000).toISOString() });
  return folder;
}

function toSample(at: number, input: string): Sample {
  return {
    id: `t-${String(at).padStart(4, '0')}`,
    suite: 'tickets',
    input: `${input[0]?.toUpperCase()}${input.slice(1)}?`,
    target: LABELS[at % 3] ?? 'sales',
    group: at % 4 === 0 ? 'hard' : 'easy',
    attachments: [],
    metadata: {},
  };
}

type Asked = Readonly<{
  agent: string;
  model: string;
  trial: number;
  chance: number;
  share: number;
  price: number;
  at: number;
}>;

function toRow(sample: Sample, asked: Asked, random: () => number): SampleResult {
  const { agent, model, trial, chance, share, price, at } = asked;
  const isRight = chance < share;
  const kind = isRight ? 'correct' : random() < 0.85 ? 'incorrect' : 'no_answer';
  const target = String(sample.target);
  const answer = isRight ? target : (LABELS[(at + 1 + ((at + trial) % 2)) % 3] ?? '');
  const time = STARTED + at * 400 + trial;
  const head = {
    version: 1 as const,
    suite: 'tickets',
    dataset: 'tickets',
    agent,
    model,
    id: sample.id,
    trial,
    group: sample.group,
    target,
    rules: null,
    latency_ms: Math.round(400 + 3000 * random()),
    waited_ms: 0,
    usage: {
      input_tokens: 318,
      output_tokens: 26 + Math.floor(random() * 40),
      cached_tokens: 0,
      reasoning_tokens: 0,
    },
    cost_usd: Number((price * (0.8 + 0.4 * random())).toPrecision(4)),
    cached: false,
    attempts: 1,
    steps: 4,
    confidence: null,
    started_at: new Date(time).toISOString(),
    answered_at: new Date(time + 900).toISOString(),
    prompt_hash: 'feedc0de00000000',
    question_hash: '',
    scores: { department: isRight, brevity: Number((0.4 + 0.6 * random()).toFixed(3)) },
    error: null,
  };
  if (kind === 'no_answer')
    return {
      ...head,
      state: kind,
      reason: 'empty',
      output: '',
      answer: null,
      how: 'whole output',
      explanation: 'the output is empty',
    };
  return {
    ...head,
    state: kind,
    reason: null,
    output: answer,
    answer,
    how: 'whole output',
    explanation: `department is ${isRight}: expected "${target}"`,
  };
}

function toTalk(sample: Sample, { output }: SampleResult, [first = '']: readonly string[]) {
  const sent = {
    messages: [
      { role: 'system' as const, text: 'You are a clerk who sorts tickets.' },
      { role: 'user' as const, text: `Name the department.\n\n${sample.input}` },
    ],
    tools: ['find_ticket'],
  };
  return {
    sent,
    messages: [
      { role: 'user' as const, content: first },
      { role: 'assistant' as const, content: String(output) },
    ],
  };
}

/** Thinks, calls a tool, reads its result, answers. */
function toSteps(
  { id, output }: SampleResult,
  [thought = '', said = '']: readonly string[],
  place: number,
): readonly TraceStep[] {
  const usage = { input_tokens: 300, output_tokens: 12, cached_tokens: 0, reasoning_tokens: 0 };
  const step = { reasoning: null, tool_calls: [], stop: 'end', usage };
  const call = {
    name: 'find_ticket',
    arguments: JSON.stringify({ id }),
    result: JSON.stringify({ id, history: ['opened', 'answered'] }),
    failed: false,
    at_ms: 130,
  };
  return [
    {
      ...step,
      text: 'I look the ticket up first.',
      reasoning: thought,
      tool_calls: [call],
      at_ms: 100,
    },
    { ...step, text: said, at_ms: 240 + place },
    { ...step, text: 'It is clear now.', at_ms: 330 },
    { ...step, text: String(output), at_ms: 420 },
  ];
}

function toSuite(samples: readonly Sample[]): SuiteManifest {
  const agents = AGENTS.map(({ agent }) => agent);
  return {
    suite: 'tickets',
    eval_file: 'evals/tickets.eval.ts',
    files: [],
    exports: [],
    dataset: 'tickets',
    source: null,
    placeholders: [],
    dataset_hash: 'made-up',
    prompt_hash: 'feedc0de00000000',
    prompts: [],
    grader: GRADER_VERSION,
    matcher: null,
    agents,
    conditions: agents.map((agent) => ({
      agent,
      fingerprint: agent,
      cache_key: null,
      deadlines: [],
      max_steps: null,
    })),
    trials: TRIALS,
    notes: [],
    agent_notes: [],
    questions: samples.map(({ id, group }) => ({ id, group, hash: '' })),
    group_sizes: [],
    shard: null,
    unmatched_ids: [],
    plans: [],
    tools: [],
  };
}
