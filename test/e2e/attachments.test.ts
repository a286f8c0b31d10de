import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { askAgent } from '../agents/ask-agent.ts';
import { responses } from '../agents/replies.ts';
import { type Reply, type SeenRequest, startScriptedServer } from '../agents/scripted-server.ts';

/** What tools have told the model so far, call by call. */
function readResults(body: { readonly input: readonly { readonly type?: string; readonly output?: unknown }[] }) {
  return body.input.filter(({ type }) => type === 'function_call_output').map(({ output }) => String(output));
}

function call(name: string, args: object = {}): Reply {
  const request = { name: 'read_attachment', args: JSON.stringify({ name, ...args }) };
  return responses.calls([request]);
}

/** A model that knows what it reads in attachments and nothing else: without the file it has no answer. */
function answer(extension: string, { body }: SeenRequest): Reply {
  const [first = '', second = ''] = readResults(body);
  const say = (text: string | undefined) => responses.text(`FINAL ANSWER: ${text}`);
  if (extension === 'xlsx') return first === '' ? call('attachment.xlsx') : say(rankByColour(first));
  if (extension === 'pdf') {
    return first === '' ? call('attachment.pdf', { first_line: 1 }) : say(countVessels(first));
  }
  const notice = /"(\S+notice\S+)", \d+ bytes/.exec(first)?.[1] ?? '';
  if (first === '') return call('attachment.zip');
  return second === '' ? call(notice) : say(/closed.*linden square/i.test(second) ? '30' : '24');
}

/** The third of the table differs by whether the red match counts. */
function rankByColour(sheet: string): string {
  const annulled = sheet.split('\n').filter((line) => line.includes('{fill #FF5050}\tBadgers'));
  return annulled.length === 1 && sheet.includes('annulled, does not count {fill #FF5050}') ? 'Otters' : 'Foxes';
}

function countVessels(table: string): string | undefined {
  const counts = new Map<string, number>();
  for (const line of table.split('\n')) {
    const [, , vessel = '', , passengers] = line.split(/ {2,}/);
    if (Number(passengers) > 150) counts.set(vessel, (counts.get(vessel) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

test.each([
  ['b67e8f1d', 'xlsx', 'a colour of a sheet', 'Otters'],
  ['753be007', 'pdf', 'a table in a PDF', 'Otterby'],
  ['362120f4', 'zip', 'a file in a ZIP', '30'],
])('a question of the sample (%s) is solved by its attachment: %s, %s', async (id, extension, _, expected) => {
  const server = await startScriptedServer((request) => answer(extension, request));
  const [path = ''] = globSync(`evals/gaia/sample/2023/validation/${id}*.${extension}`);
  const attachments = [{ name: `attachment.${extension}`, path }];
  const said = await askAgent(`openai:m?transcribe=off&base_url=${server.url}/v1`, { attachments });
  expect(said.text).toBe(`FINAL ANSWER: ${expected}`);
});
