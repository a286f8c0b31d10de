import { describe, expect, test } from 'vitest';
import { AgentError, type Answer } from '../../src/words/answer.ts';
import { specOf } from '../agents/apis.ts';
import { askAgent } from '../agents/ask-agent.ts';
import { makeFile } from '../make-folder.ts';
import { KINDS, toCases, type WireCase } from './cases.ts';
import { inputOf, priceOf } from './prompt-cache.ts';
import { B, INPUT, NOTE, NOTE_TEXT, RIGHT, TOOL } from './row.ts';
import { startStrictServer } from './strict-server.ts';

/** So many questions at once, since some wait between attempts. */
const AT_ONCE = 24;

function toSpec(kind: string, url: string, streamed: boolean): string {
  const base = kind === 'anthropic' ? url : `${url}/v1`;
  return `${specOf(kind)}?base_url=${base}&stream=${streamed ? 'on' : 'off'}`;
}

function describeEnd(came: Answer | AgentError): string {
  if (came instanceof AgentError) return `error: ${came.kind}`;
  if (came.output === null) return `no answer: ${came.reason}`;
  return came.cutShort === undefined
    ? `answer: ${came.output}`
    : `cut by ${came.cutShort}: ${came.output}`;
}

/** What was wrong with a case; empty if it is right. */
async function meet(row: WireCase, kind: string = row.api): Promise<readonly string[]> {
  const { api, replies, streamed, ends = RIGHT, requests: most = replies.length } = row;
  const server = await startStrictServer(api, replies);
  const came = await askAgent(toSpec(kind, server.url, streamed), {
    attachments: [{ name: NOTE, path: makeFile(NOTE, NOTE_TEXT) }],
  }).catch((error: unknown) => error);
  if (!(came instanceof AgentError) && came instanceof Error) return [`crashed: ${came.stack}`];
  const end = describeEnd(came as Answer | AgentError);
  const expected = [ends].flat();
  const last = JSON.stringify(server.requests.at(-1)?.body ?? null);
  const message = came instanceof AgentError ? came.message : '';
  const { usage = null, trace = [] } = came instanceof AgentError ? {} : (came as Answer);
  const count = usage && [usage.input_tokens, usage.output_tokens, usage.cached_tokens];
  return [
    ...server.requests.flatMap(({ problems }) => problems),
    ...(expected.includes(end)
      ? []
      : [`ended as "${end}", not as "${expected.join('" or "')}" ${message}`]),
    ...(server.requests.length === most ? [] : [`${server.requests.length} requests, not ${most}`]),
    ...(row.sent ?? []).filter((text) => !last.includes(text)).map((text) => `not sent: ${text}`),
    ...(row.unsent ?? []).filter((text) => last.includes(text)).map((text) => `sent: ${text}`),
    ...(row.unsaid ?? []).filter((text) => message.includes(text)).map((text) => `said: ${text}`),
    ...(isCounted(row.usage, count) ? [] : [`counted ${count}, not ${row.usage}`]),
    ...(row.reasoning === undefined || trace[0]?.reasoning === row.reasoning
      ? []
      : [`the thought is ${trace[0]?.reasoning}`]),
  ];
}

function isCounted(right: WireCase['usage'], count: readonly number[] | null): boolean {
  if (right === undefined) return true;
  return right === null || count === null
    ? right === count
    : right.every((tokens, index) => tokens === count[index]);
}

async function meetAll(cases: readonly WireCase[], kind?: string) {
  const met: [name: string, problems: readonly string[]][] = [];
  const waiting = [...cases];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      met.push([next.name, await meet(next, kind)]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return met.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

describe('a strict server is served right:', () => {
  test.each(KINDS)('$what', async ({ rows }) => {
    const met = await meetAll(toCases(rows));
    expect(met.filter(([, problems]) => problems.length > 0)).toEqual([]);
  });

  test.each(KINDS.filter(({ isByAi }) => isByAi))('$what, by ai:', async ({ rows }) => {
    const cases = toCases(rows).filter(({ api, byAi }) => api === 'openai-chat' && byAi !== false);
    const met = await meetAll(cases, 'ai:openai-compatible');
    expect(met.filter(([, problems]) => problems.length > 0)).toEqual([]);
  });

  test('no two cases have one name', () => {
    const names = KINDS.flatMap(({ rows }) => toCases(rows).map(({ name }) => name));
    expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
  });
});

test('ten steps of 30,000 characters cost at most 0.45 of what they cost without the cache', async () => {
  const steps = Array.from({ length: 10 }, (_, index) => {
    const input = { ...INPUT, part: index + 1 };
    return { content: [{ type: 'tool_use', id: `toolu_${index}`, name: TOOL, input }] };
  });
  const server = await startStrictServer('anthropic', [...steps, B]);
  const line = `${'0123456789'.repeat(9)}\n`;
  const path = makeFile(NOTE, line.repeat(Math.ceil(310_000 / line.length)));
  const spec = toSpec('anthropic', server.url, false);
  const { output } = await askAgent(spec, { attachments: [{ name: NOTE, path }] });
  expect(output).toBe('The answer is B.');
  const uses = server.requests.flatMap(({ cache }) => cache ?? []);
  expect(uses).toHaveLength(11);
  const full = uses.map(inputOf).reduce((sum, tokens) => sum + tokens, 0);
  expect(priceOf(uses) / full).toBeLessThanOrEqual(0.45);
});
