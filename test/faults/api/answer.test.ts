import { once } from 'node:events';
import { expect, test } from 'vitest';
import { type Agent, AgentError, type Answer, type Progress } from '../../../src/words/answer.ts';
import { toTextOrNull } from '../../../src/words/show.ts';
import { toAsked, UNLIMITED } from '../../../src/words/types.fixture.ts';
import { specOf } from '../../agents/apis.ts';
import { makeAgent, SECRET } from '../../agents/ask-agent.ts';
import { startFaultServer } from './fault-server.ts';
import { ANSWER, expectedOf, FAULTS, type Fault, MAX_STEPS, type Outcome } from './faults.ts';
import { WIRES, type Wire } from './wire.ts';

const REPLIES = new Map(FAULTS.map(({ id, reply }) => [id, reply]));

/** Long enough for five attempts with their pauses; what never ends is ended before. */
const PATIENT_MS = 60_000;
const HASTY_MS = 6_000;

/** Enough for every good reply; the run of the whole suite has the real limits. */
const LIMITS = { bytes: 1_000_000, streamBytes: 2_000_000 };

/**
 * What is asserted of one call: how it ended, how often the server was asked, and what the message
 * says.
 */
type Seen = {
  readonly api: string;
  readonly id: string;
  readonly came: string;
  readonly calls: Outcome['calls'];
  readonly says: readonly string[];
};

/** Ended by the deadline alone: a server that is never heard of again, or not in time. */
function isEndless({ id }: Fault, { state }: Outcome): boolean {
  return state === 'timed_out' || id === '429-hours';
}

function toExpected(api: string, fault: Fault, expected: Outcome, host: string): Seen {
  const { id, status } = fault;
  const { state, reason, calls, uncounted } = expected;
  const isAnswer = state === 'correct' || state === 'no_answer';
  const came = isAnswer
    ? `${state}${uncounted ? ', uncounted' : ''}`
    : `${reason} ${status ?? null}`;
  const names = status === undefined ? [`server ${host}`] : [`status ${status}`, `server ${host}`];
  const isOurs = isAnswer || isEndless(fault, expected) || reason === 'step_limit';
  return {
    api,
    id,
    came: isEndless(fault, expected) ? `late, ${reason}` : came,
    calls,
    says: isOurs ? [] : names,
  };
}

/** The deadline begins with the first request, which a busy machine sends late. */
async function ask(agent: Agent, fault: Fault, deadlineMs: number, asked: Promise<unknown>) {
  const question = toAsked(`fault:${fault.id}`);
  const controller = new AbortController();
  const end = () => controller.abort(new AgentError('timed_out', 'late'));
  let timer: NodeJS.Timeout | undefined;
  void asked.then(() => {
    timer = setTimeout(end, deadlineMs);
  });
  const heard: Progress[] = [];
  const onProgress = (progress: Progress) => void heard.push(progress);
  const context = { ...UNLIMITED, signal: controller.signal, maxSteps: MAX_STEPS, onProgress };
  const came = await agent.answer(question, context).catch((error: unknown) => error);
  clearTimeout(timer);
  return { came, backOff: heard.at(-1)?.backOff?.kind ?? 'timed_out' };
}

async function meet(
  agent: Agent,
  fault: Fault,
  expected: Outcome,
  asked: Promise<unknown>,
): Promise<Pick<Seen, 'came' | 'says'>> {
  const deadlineMs = isEndless(fault, expected) ? HASTY_MS : PATIENT_MS;
  const { came, backOff } = await ask(agent, fault, deadlineMs, asked);
  if (!(came instanceof Error)) return { came: describeAnswer(came as Answer), says: [] };
  if (!(came instanceof AgentError)) return { came: `no AgentError: ${came.stack}`, says: [] };
  const { kind, status, message } = came;
  if (kind === 'timed_out') return { came: `${message}, ${backOff}`, says: [] };
  const says = message.match(/status \d+|server [\d.]+:\d+/g) ?? [];
  const leak = JSON.stringify([came, came.stack, message]).includes(SECRET)
    ? [`the key: ${message}`]
    : [];
  return { came: `${kind} ${status}`, says: [...says, ...leak] };
}

function describeAnswer({ output, usage }: Answer): string {
  const text = toTextOrNull(output);
  const state = text === null ? 'no_answer' : text.includes(ANSWER) ? 'correct' : text;
  return `${state}${usage === undefined ? ', uncounted' : ''}`;
}

async function meetAll(wire: Wire, streamed: boolean) {
  const server = await startFaultServer(wire, REPLIES);
  const { host } = new URL(server.url);
  const agent = await makeAgent(
    `${specOf(wire.kind)}?base_url=${wire.base(server.url)}&stream=${streamed ? 'on' : 'off'}`,
    {
      replyLimits: LIMITS,
    },
  );
  const api = `${wire.kind}, ${streamed ? 'streams' : 'replies'}`;
  const met = FAULTS.map(async (fault) => {
    const expected = expectedOf(fault, wire.kind, streamed);
    const name = streamed ? `${fault.id} streamed` : fault.id;
    const seen = await meet(agent, fault, expected, once(server.requests, name));
    const counted = server.calls.get(name) ?? 0;
    const calls = typeof expected.calls === 'number' ? counted : expected.calls;
    return [{ api, id: fault.id, calls, ...seen }, toExpected(api, fault, expected, host)] as const;
  });
  const rows = await Promise.all(met);
  return { server, seen: rows.map(([row]) => row), expected: rows.map(([, row]) => row) };
}

test('every API meets every fault as the matrix says, in replies and in streams', async () => {
  const cases = WIRES.flatMap((wire) => [false, true].map((streamed) => ({ wire, streamed })));
  // All at once: there are seconds between attempts.
  const met = await Promise.all(cases.map(({ wire, streamed }) => meetAll(wire, streamed)));
  for (const { server, seen, expected } of met) {
    expect.soft(seen).toEqual(expected);
    expect(server.strayed).toEqual([]);
    expect(server.problems).toEqual([]);
    // The sockets at both ends buffer some megabytes more than were read.
    for (const [name, bytes] of server.sent) expect(bytes, name).toBeLessThan(15_000_000);
    await expect.poll(() => server.open.size).toBe(0);
  }
});
