import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SampleResult, Summary } from '../../../src/types.ts';
import { readRows, readSummary, runVitest } from '../../e2e/run-vitest.ts';
import { makeFolder } from '../../make-folder.ts';
import { survivors } from '../../processes.ts';
import { watchProcesses } from '../watch-processes.ts';
import { startFaultServer } from './fault-server.ts';
import { ANSWER, expectedOf, FAULTS, type Fault, MAX_STEPS, type Outcome, SOUND } from './faults.ts';
import { WIRES, type Wire } from './wire.ts';

/** A key of no known form: only its being a key of the environment can hide it. */
const KEY = 'marker.of.the.key.0123456789';

/** Of a body of 100 MB; the sockets at both ends hold some megabytes more than were read. */
const MOST_SENT = 40_000_000;

/** The samples: one for each fault, and sound ones before, between and after them. */
const MIDDLE = Math.floor(FAULTS.length / 2);
const SAMPLES: readonly Fault[] = [
  { ...SOUND, id: 'sound-first' },
  ...FAULTS.slice(0, MIDDLE),
  { ...SOUND, id: 'sound-between' },
  ...FAULTS.slice(MIDDLE),
  { ...SOUND, id: 'sound-last' },
];

function writeQuestions(): string {
  const records = SAMPLES.map(({ id }) => ({ task_id: id, Question: `What? fault:${id}`, Level: 1, file_name: '' }));
  const lines = records.map((record) => `${JSON.stringify({ ...record, 'Final answer': '42' })}\n`);
  return join(makeFolder({ 'metadata.jsonl': lines.join('') }), 'metadata.jsonl');
}

/** Two agents of one API, of which one asks for streams, meet every sample. */
function run({ kind, base }: Wire, url: string, settings: Readonly<Record<string, string>>) {
  return runVitest(['run', 'evals/gaia'], {
    EVAL_AGENT: `${kind}:m?stream=off,${kind}:m?stream=on`,
    EVAL_TIMEOUT: '8',
    EVAL_MAX_STEPS: String(MAX_STEPS),
    // Refusals halve it each second; what hangs must have begun before.
    EVAL_CONCURRENCY: '200',
    OPENAI_API_KEY: KEY,
    ANTHROPIC_API_KEY: KEY,
    OPENAI_BASE_URL: base(url),
    ANTHROPIC_BASE_URL: base(url),
    ...settings,
  });
}

function nameOf({ id, agent }: Pick<SampleResult, 'id' | 'agent'>): string {
  return agent.endsWith('stream=on') ? `${id} streamed` : id;
}

/** What is expected of each sample, whole and streamed, by its name. */
function expectAll({ kind }: Wire): ReadonlyMap<string, Outcome> {
  const both = [false, true].flatMap((streamed) =>
    SAMPLES.map((fault) => [streamed ? `${fault.id} streamed` : fault.id, expectedOf(fault, kind, streamed)] as const),
  );
  return new Map(both);
}

type Line = Omit<Outcome, 'again' | 'uncounted'> & { readonly name: string; readonly cached: boolean };

function sortLines(lines: readonly Line[]): readonly Line[] {
  return lines.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** What became of each sample; a number of calls that lies between the expected bounds is given as the bounds. */
function seenLines(
  rows: readonly SampleResult[],
  calls: ReadonlyMap<string, number>,
  expected: ReadonlyMap<string, Outcome>,
): readonly Line[] {
  const lines = rows.map((row) => {
    const name = nameOf(row);
    const counted = calls.get(name) ?? 0;
    const bounds = expected.get(name)?.calls ?? 0;
    const isWithin = typeof bounds !== 'number' && counted >= bounds[0] && counted <= bounds[1];
    const { state, reason, cached } = row;
    return { name, state: state as Outcome['state'], reason, calls: isWithin ? bounds : counted, cached };
  });
  return sortLines(lines);
}

function toLine(name: string, { state, reason, calls }: Outcome, cached: boolean): Line {
  return { name, state, reason, calls, cached };
}

function countStates(outcomes: readonly Outcome[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = { correct: 0, incorrect: 0, no_answer: 0, timed_out: 0, errored: 0 };
  for (const { state } of outcomes) counts[state] = (counts[state] ?? 0) + 1;
  return { ...counts, ungraded: 0, not_run: 0 };
}

function readAll(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('\n');
}

type Met = {
  readonly server: string;
  readonly calls: ReadonlyMap<string, number>;
  readonly expected: ReadonlyMap<string, Outcome>;
};

function expectEachRow(rows: readonly SampleResult[], { server, calls, expected }: Met): void {
  const lines = [...expected].map(([name, outcome]) => toLine(name, outcome, false));
  expect(seenLines(rows, calls, expected)).toEqual(sortLines(lines));
  for (const row of rows) {
    const isServers = row.state === 'errored' && row.reason !== 'step_limit';
    if (isServers) expect(row.error.message).toContain(`server ${server}`);
    if (row.state === 'correct') expect(row.output).toContain(ANSWER);
    if (expected.get(nameOf(row))?.uncounted) expect([nameOf(row), row.usage]).toEqual([nameOf(row), null]);
  }
}

/** One table for each agent: the one that asks for whole replies, and the one that asks for streams. */
function expectSummary({ kind }: Wire, { complete, suites }: Summary): void {
  expect(complete).toBe(true);
  const seen = suites.map(({ groups }) => groups.at(-1)).map((all) => [all?.n, all?.states, all?.accuracy]);
  const expected = [false, true].map((streamed) => {
    const states = countStates(SAMPLES.map((fault) => expectedOf(fault, kind, streamed)));
    return [SAMPLES.length, states, (states['correct'] ?? 0) / SAMPLES.length];
  });
  expect(seen).toEqual(expected);
}

/** Once the server is well: what was an error of the way is asked again, and all else is as it was. */
function expectNextRun(rows: readonly SampleResult[], { calls, expected }: Met): void {
  const lines = [...expected].map(([name, outcome]) =>
    outcome.again ? toLine(name, SOUND.expected, false) : toLine(name, { ...outcome, calls: 0 }, true),
  );
  expect(seenLines(rows, calls, new Map())).toEqual(sortLines(lines));
}

const title = 'a run with $kind meets every fault as the matrix says, and the next asks again what it says';

test.each(WIRES)(title, { timeout: 120_000 }, async (wire) => {
  const replies = new Map(SAMPLES.map(({ id, reply }) => [id, reply]));
  const server = await startFaultServer(wire, replies);
  const dir = makeFolder();
  const watch = watchProcesses(dir);
  const settings = { EVAL_DIR: dir, EVAL_GAIA: writeQuestions(), ...watch.env };
  const latest = join(dir, 'latest');
  const met = { server: new URL(server.url).host, calls: server.calls, expected: expectAll(wire) };

  const first = await run(wire, server.url, settings);
  expectEachRow(readRows(latest), met);
  expectSummary(wire, readSummary(latest));
  expect(first.code).toBe(1);
  expect(server.strayed).toEqual([]);
  for (const [name, bytes] of server.sent) expect(bytes, name).toBeLessThan(MOST_SENT);

  for (const { id } of SAMPLES) replies.set(id, SOUND.reply);
  server.calls.clear();
  const second = await run(wire, server.url, settings);
  expectNextRun(readRows(latest), met);

  const printed = `${first.output}${second.output}`;
  expect(printed).not.toMatch(/close timed out|Unhandled|prevents .{1,40} from exiting/);
  expect(`${printed}${readAll(dir)}`).not.toContain(KEY);
  expect(await survivors(watch.findLeft(), 5_000)).toEqual([]);
});
