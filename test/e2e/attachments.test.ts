import { expect, test } from 'vitest';
import { SECRET } from '../agents/ask-agent.ts';
import { responses } from '../agents/replies.ts';
import { type Reply, type SeenRequest, startScriptedServer } from '../agents/scripted-server.ts';
import { readRows, runFolderOf, runVitest } from './run-vitest.ts';

/** What tools have told the model so far, call by call. */
function readResults(body: { readonly input: readonly { readonly type?: string; readonly output?: unknown }[] }) {
  return body.input.filter(({ type }) => type === 'function_call_output').map(({ output }) => String(output));
}

function call(name: string, args: object = {}): Reply {
  const request = { name: 'read_attachment', args: JSON.stringify({ name, ...args }) };
  return responses.calls([request]);
}

/** A model that knows what it reads in attachments and nothing else: without the file it has no answer. */
function answer({ body }: SeenRequest): Reply {
  const question = String(body.input[0].content);
  const [first = '', second = ''] = readResults(body);
  const say = (text: string | undefined) => responses.text(`FINAL ANSWER: ${text}`);
  if (question.includes('attachment.xlsx')) return first === '' ? call('attachment.xlsx') : say(rankByColour(first));
  if (question.includes('attachment.pdf')) {
    return first === '' ? call('attachment.pdf', { first_line: 1 }) : say(countVessels(first));
  }
  const notice = /"(\S+notice\S+)", \d+ bytes/.exec(first)?.[1] ?? '';
  if (first === '') return call('attachment.zip');
  return second === '' ? call(notice) : say(/closed.*linden square/i.test(second) ? '30' : '24');
}

/** The third of the table differs by whether the red match counts. */
function rankByColour(sheet: string): string {
  const annulled = sheet.split('\n').filter((line) => line.includes('{fill #FF5050 red}\tBadgers'));
  return annulled.length === 1 && sheet.includes('annulled, does not count {fill #FF5050 red}') ? 'Otters' : 'Foxes';
}

function countVessels(table: string): string | undefined {
  const counts = new Map<string, number>();
  for (const line of table.split('\n')) {
    const [, , vessel = '', , passengers] = line.split(/ {2,}/);
    if (Number(passengers) > 150) counts.set(vessel, (counts.get(vessel) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

test('a run solves questions on a colour of a sheet, a table in a PDF and a file in a ZIP', async () => {
  const server = await startScriptedServer(answer);
  const { dir, report } = await runVitest(['run', 'evals/gaia'], {
    EVAL_AGENT: 'openai:m?transcribe=off',
    EVAL_IDS: 'b67e8f1d*,753be007*,362120f4*',
    OPENAI_API_KEY: SECRET,
    OPENAI_BASE_URL: `${server.url}/v1`,
  });
  const rows = readRows(runFolderOf(dir)).toSorted((a, b) => a.id.localeCompare(b.id));
  expect(rows, report).toMatchObject([
    { id: expect.stringMatching(/^3621/), state: 'correct', answer: '30', steps: 3 },
    { id: expect.stringMatching(/^753b/), state: 'correct', answer: 'Otterby', steps: 2 },
    { id: expect.stringMatching(/^b67e/), state: 'correct', answer: 'Otters', steps: 2 },
  ]);
});
