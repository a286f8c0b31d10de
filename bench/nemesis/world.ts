import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../src/figures/result.fixture.ts';
import type { State } from '../../src/words/row.ts';
import { ROOT } from '../../test/e2e/run-vitest.ts';
import { serve } from '../measure/serve.ts';
import { type SuiteName, toOutput, writeSuite } from './suites.ts';

export const QUESTIONS = 200;
export const CONCURRENCY = 8;

/** What the agent does with a question, and the verdict that this must get. */
export type Question = Readonly<{
  id: string;
  group: string;
  ms: number;
  /** Whether the agent waits for a server, which nobody stops, and not for a timer of its own. */
  remote: boolean;
  /** How many messages the user sends. */
  turns: number;
  /** A crash has a message in place of an output. VERSION stands for that of the agent. */
  output: unknown;
  state: Extract<State, 'correct' | 'incorrect' | 'errored'>;
}>;

/**
 * A project with an eval file, made-up questions, an agent, its log of calls, and a clock that can
 * be set.
 */
export type World = Readonly<{
  folder: string;
  suite: SuiteName;
  /** EVAL_DIR. */
  dir: string;
  questions: readonly Question[];
  /** Ends its server, and removes its folder unless it is to be looked at. */
  close(options: { readonly keep: boolean }): void;
}>;

/** How a world is made. */
export type WorldOptions = Readonly<{
  seed: number;
  suite: SuiteName;
  /** A folder with other packages than the clone's. */
  modules: string | null;
}>;

/** Makes a world in which the seed alone decides what the agent answers, and after how long. */
export async function makeWorld({ seed, suite, modules }: WorldOptions): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'nemesis-'));
  const questions = makeQuestions(seed, suite);
  const server = await serve(async ({ url = '' }, response) => {
    await sleep(Number(url.slice(1)));
    response.end();
  });
  const files: Readonly<Record<string, string>> = {
    'package.json': '{ "type": "module" }',
    'vitest.config.js': CONFIG,
    [`evals/${suite}.eval.js`]: writeSuite(suite, questions),
    'questions/2023/validation/metadata.jsonl': questions.map(toRecord).join(''),
    'plan.json': JSON.stringify(Object.fromEntries(questions.map((own) => [own.id, own]))),
    'agent.mjs': AGENT,
    'clock.mjs': CLOCK,
    port: String(server.port),
    clock: '0',
    'tmp/keep': '',
    ...writeEdition('code', 0),
    ...writeEdition('prompt', 0),
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  linkPackages(folder, modules);
  const close: World['close'] = ({ keep }) => {
    server[Symbol.dispose]();
    if (!keep) rmSync(folder, { recursive: true, force: true });
  };
  return { folder, suite, dir: join(folder, 'results'), questions, close };
}

/** Vitest is linked too: with another copy of it viva would not find the run that it is part of. */
function linkPackages(folder: string, modules: string | null): void {
  const own = join(folder, 'node_modules');
  if (modules !== null) symlinkSync(modules, own);
  else {
    mkdirSync(own);
    symlinkSync(ROOT, join(own, 'viva'));
    symlinkSync(join(ROOT, 'node_modules/vitest'), join(own, 'vitest'));
  }
}

/** A module that the agent imports, a text that it reads at each call, or a comment in its code. */
export type Edited = 'code' | 'prompt' | 'comment';

/** Edits the agent as editors do, by a new file in place of the old one. */
export function editAgent({ folder }: World, edited: Edited, edition: number): void {
  if (edited === 'comment') appendFileSync(join(folder, 'agent.mjs'), `// ${edition}\n`);
  else
    for (const [name, text] of Object.entries(writeEdition(edited, edition))) {
      writeFileSync(join(folder, `${name}.new`), text);
      renameSync(join(folder, `${name}.new`), join(folder, name));
    }
}

/** That of the agent as it is on disk. */
export function readVersion({ folder }: World): string {
  const [code, prompt] = ['code.mjs', 'prompt.txt'].map((name) =>
    /\d+/.exec(readFileSync(join(folder, name), 'utf8')),
  );
  return `${code}.${prompt}`;
}

function writeEdition(
  edited: 'code' | 'prompt',
  edition: number,
): Readonly<Record<string, string>> {
  return edited === 'code'
    ? { 'code.mjs': `export const code = ${edition};\n` }
    : { 'prompt.txt': String(edition) };
}

/** Shifts the time that viva and the agent see, by so many ms. */
export function setClock({ folder }: Pick<World, 'folder'>, shiftMs: number): void {
  writeFileSync(join(folder, 'clock'), String(shiftMs));
}

/** The settings of every run in a world. */
export function settingsOf({ folder, suite, dir }: World): Readonly<Record<string, string>> {
  const gaia = { EVAL_GAIA: join(folder, 'questions'), EVAL_AGENT: 'module:./agent.mjs' };
  return {
    ...(suite === 'gaia' ? gaia : {}),
    EVAL_DIR: dir,
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
  /** From 0. */
  turn: number;
  /** The editions of its code and its prompt, such as 0.2. */
  version: string;
}>;

export function readCalls({ folder }: World): readonly Call[] {
  const file = join(folder, 'calls');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => {
    const [id = '', run, worker, turn, version = ''] = line.split(' ');
    return { id, run: Number(run), worker: Number(worker), turn: Number(turn), version };
  });
}

function makeQuestions(seed: number, suite: SuiteName): readonly Question[] {
  const random = createRandom(seed);
  return Array.from({ length: QUESTIONS }, (_, index) => {
    const [id, lot, noise] = [`q${index}`, random(), 'noise '.repeat(50 + random() * 400)];
    const facts = {
      id,
      group: String(1 + Math.floor(random() * 3)),
      ms: Math.round(5 + random() * 145),
      remote: random() < 0.5,
      turns: suite === 'conversations' ? 1 + (index % 3) : 1,
    };
    if (lot < 0.1) return { ...facts, state: 'errored', output: `${id} VERSION broke ${noise}` };
    const isRight = lot < 0.6;
    const output = toOutput(suite, `${id} VERSION says ${noise}`, isRight ? 17 : 18);
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

const CONFIG = `import { viva } from 'viva/vitest';
export default { plugins: [viva()] };
`;

/** Writes each call down, and fails where its work folder is taken away while it works. */
const AGENT = `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { code } from './code.mjs';
const plan = JSON.parse(readFileSync(new URL('plan.json', import.meta.url), 'utf8'));
const port = readFileSync(new URL('port', import.meta.url), 'utf8');
const calls = new URL('calls', import.meta.url);
const run = process.ppid;
export default { name: 'nemesis', answer };
export async function answer({ id, messages }, { workdir }) {
  const version = code + '.' + readFileSync(new URL('prompt.txt', import.meta.url), 'utf8');
  const replies = messages.filter(({ role }) => role === 'assistant').map(({ content }) => content);
  appendFileSync(calls, [id, run, process.pid, replies.length, version].join(' ') + '\\n');
  writeFileSync(join(workdir, 'mark'), id);
  const { ms, remote, state, output, turns } = plan[id];
  const part = Math.round(ms / turns);
  await (remote ? fetch('http://127.0.0.1:' + port + '/' + part) : sleep(part));
  if (readFileSync(join(workdir, 'mark'), 'utf8') !== id) throw new Error(id + ' lost its work folder');
  const versions = [...new Set([...replies.map((reply) => reply.split(' ')[1]), version])].join('+');
  if (replies.length + 1 < turns) return id + ' ' + versions + ' listens';
  const said = JSON.parse(JSON.stringify(output).replace('VERSION', versions));
  if (state === 'errored') throw new Error(said);
  return typeof said === 'string' ? said : { output: said };
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
