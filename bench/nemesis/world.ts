import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../src/figures/result.fixture.ts';
import type { State } from '../../src/words/row.ts';
import { serve } from '../measure/serve.ts';

export const QUESTIONS = 200;
export const CONCURRENCY = 8;

/** What the agent does with a question, and the verdict that this must get. */
export type Question = Readonly<{
  id: string;
  group: string;
  ms: number;
  /** Whether the agent waits for a server, which nobody stops, and not for a timer of its own. */
  remote: boolean;
  /** A crash has a message in place of an output. */
  output: string;
  state: Extract<State, 'correct' | 'incorrect' | 'errored'>;
}>;

/**
 * A folder with made-up questions in GAIA's layout, an agent, its log of calls, and a clock that
 * can be set.
 */
export type World = Readonly<{
  folder: string;
  /** EVAL_DIR. */
  dir: string;
  questions: readonly Question[];
  /** Ends its server, and removes its folder unless it is to be looked at. */
  close(options: { readonly keep: boolean }): void;
}>;

/** Makes a world in which the seed alone decides what the agent answers, and after how long. */
export async function makeWorld(seed: number): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'nemesis-'));
  const questions = makeQuestions(seed);
  const split = join(folder, 'questions/2023/validation');
  for (const path of [split, join(folder, 'tmp')]) mkdirSync(path, { recursive: true });
  writeFileSync(join(split, 'metadata.jsonl'), questions.map(toRecord).join(''));
  writeFileSync(
    join(folder, 'plan.json'),
    JSON.stringify(Object.fromEntries(questions.map((own) => [own.id, own]))),
  );
  writeFileSync(join(folder, 'agent.mjs'), AGENT);
  writeFileSync(join(folder, 'clock.mjs'), CLOCK);
  setClock({ folder }, 0);
  const server = await serve(async ({ url = '' }, response) => {
    await sleep(Number(url.slice(1)));
    response.end();
  });
  writeFileSync(join(folder, 'port'), String(server.port));
  const close: World['close'] = ({ keep }) => {
    server[Symbol.dispose]();
    if (!keep) rmSync(folder, { recursive: true, force: true });
  };
  return { folder, dir: join(folder, 'evals'), questions, close };
}

/** Shifts the time that viva and the agent see, by so many ms. */
export function setClock({ folder }: Pick<World, 'folder'>, shiftMs: number): void {
  writeFileSync(join(folder, 'clock'), String(shiftMs));
}

/** The settings of every run in a world. */
export function settingsOf({ folder, dir }: World): Readonly<Record<string, string>> {
  return {
    EVAL_GAIA: join(folder, 'questions'),
    EVAL_DIR: dir,
    EVAL_AGENT: `module:${folder}/agent.mjs`,
    EVAL_CONCURRENCY: String(CONCURRENCY),
    EVAL_TIMEOUT: '3',
    NODE_OPTIONS: `--import=file://${folder}/clock.mjs`,
    // A clock that is set forward must not make other people's work folders look abandoned.
    TMPDIR: join(folder, 'tmp'),
  };
}

/**
 * A call as the agent wrote it down; `run` is the process that was started, `worker` the one that
 * asked.
 */
export type Call = Readonly<{
  id: string;
  run: number;
  worker: number;
}>;

export function readCalls({ folder }: World): readonly Call[] {
  const file = join(folder, 'calls');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => {
    const [id = '', run, worker] = line.split(' ');
    return { id, run: Number(run), worker: Number(worker) };
  });
}

function makeQuestions(seed: number): readonly Question[] {
  const random = createRandom(seed);
  return Array.from({ length: QUESTIONS }, (_, index) => {
    const [id, lot, noise] = [`q${index}`, random(), 'noise '.repeat(50 + random() * 400)];
    const facts = {
      id,
      group: String(1 + Math.floor(random() * 3)),
      ms: Math.round(5 + random() * 145),
      remote: random() < 0.5,
    };
    if (lot < 0.1) return { ...facts, state: 'errored', output: `${id} broke ${noise}` };
    const isRight = lot < 0.6;
    const output = `${id} says ${noise}\nFINAL ANSWER: ${isRight ? 17 : 18}`;
    return { ...facts, state: isRight ? 'correct' : 'incorrect', output };
  });
}

function toRecord({ id, group }: Question): string {
  const record = {
    task_id: id,
    Question: `What is ${id}?`,
    Level: Number(group),
    'Final answer': '17',
    file_name: '',
  };
  return `${JSON.stringify(record)}\n`;
}

/** Writes each call down, and fails where its work folder is taken away while it works. */
const AGENT = `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
const plan = JSON.parse(readFileSync(new URL('plan.json', import.meta.url), 'utf8'));
const port = readFileSync(new URL('port', import.meta.url), 'utf8');
const calls = new URL('calls', import.meta.url);
const run = process.ppid;
export default { name: 'nemesis', answer };
async function answer({ id }, { workdir }) {
  appendFileSync(calls, [id, run, process.pid].join(' ') + '\\n');
  writeFileSync(join(workdir, 'mark'), id);
  const { ms, remote, state, output } = plan[id];
  await (remote ? fetch('http://127.0.0.1:' + port + '/' + ms) : sleep(ms));
  if (readFileSync(join(workdir, 'mark'), 'utf8') !== id) throw new Error(id + ' lost its work folder');
  if (state === 'errored') throw new Error(output);
  return output;
}
`;

/** Reads the shift of the clock at most every 20 ms. */
const CLOCK = `import { readFileSync } from 'node:fs';
const RealDate = Date;
const file = new URL('clock', import.meta.url);
let [shift, readAt] = [0, -1e9];
function now() {
  if (performance.now() - readAt > 20) {
    readAt = performance.now();
    shift = Number(readFileSync(file, 'utf8'));
  }
  return RealDate.now() + shift;
}
globalThis.Date = new Proxy(RealDate, {
  construct: (target, words, made) => Reflect.construct(target, words.length > 0 ? words : [now()], made),
  get: (target, name, self) => (name === 'now' ? now : Reflect.get(target, name, self)),
});
`;
