import { expect, it } from 'vitest';
import type { Tool } from '../tools/tool.ts';
import { converse, type ToolCall, type Turn } from './converse.ts';
import { Transcript } from './transcript.ts';

const DONE: Turn = {
  text: 'done',
  flaw: null,
  reasoning: null,
  calls: [],
  stop: 'stop',
  usage: null,
  model: null,
};

/** A reply that calls for a tool so many times, then one that is done; gives what the model was told in between. */
async function callMany(count: number, tool: Tool, signal = new AbortController().signal) {
  const calls = Array.from({ length: count }, (_, id): ToolCall => ({ id: String(id), name: 'wait', arguments: '{}' }));
  const turns: Turn[] = [{ ...DONE, text: null, calls }, DONE];
  const told: string[] = [];
  const conversation = {
    ask: async () => turns.shift() ?? DONE,
    tell: (results: readonly { readonly result: { readonly output: string } }[]) => {
      told.push(...results.map(({ result }) => result.output));
    },
  };
  const transcript = new Transcript('m', null);
  const context = { signal, attachments: [] };
  await converse(conversation, { transcript, tools: [tool], context, maxSteps: 5, onStep: () => {} });
  return told;
}

function makeTool(run: () => Promise<string>): Tool {
  return { name: 'wait', description: 'Waits.', schema: { type: 'object' }, run };
}

it('runs a few calls of a reply side by side, and tells the model of those that are too many', async () => {
  let [running, most, ran] = [0, 0, 0];
  const tool = makeTool(async () => {
    running += 1;
    ran += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return 'ok';
  });
  const told = await callMany(200, tool);
  expect({ most, ran, told: told.length }).toEqual({ most: 8, ran: 128, told: 200 });
  expect(told.at(127)).toBe('ok');
  expect(told.at(-1)).toBe('Error: not run, since one reply called for more than 128 tools. Call for fewer at a time.');
});

it('runs no call that waits once the sample is over', async () => {
  const over = new AbortController();
  let ran = 0;
  const tool = makeTool(async () => {
    ran += 1;
    over.abort(new Error('the deadline'));
    return 'late';
  });
  await expect(callMany(50, tool, over.signal)).rejects.toThrow('the deadline');
  await new Promise((resolve) => setImmediate(resolve));
  expect(ran).toBeLessThanOrEqual(8);
});
