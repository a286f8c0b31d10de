import { describe, expect, test } from 'vitest';
import { askAgent } from '../../test/agents/ask-agent.ts';
import { responses, toMessage } from '../../test/agents/replies.ts';
import { type Reply, startScriptedServer } from '../../test/agents/scripted-server.ts';
import type { Progress } from '../words/answer.ts';

/** No tool has this name, so that no process calculates. */
const CALL = { name: 'sum', args: '{"a":"6*7"}' };
const RESULT = expect.stringContaining('there is no tool "sum"');

async function ask(
  script: readonly Reply[],
  parameters = '',
  options: Parameters<typeof askAgent>[1] = {},
  model = 'openai:m',
) {
  const server = await startScriptedServer(script);
  const answering = askAgent(`${model}?base_url=${server.url}/v1${parameters}`, options);
  return { answer: await answering, requests: server.requests };
}

describe('openai', () => {
  test("sends its parameters under the API's own names, and has the provider keep nothing", async () => {
    const parameters =
      '&temperature=0&top_p=0.5&max_output_tokens=99&reasoning_effort=high&verbosity=low&tools=off';
    const { requests } = await ask([responses.text('42')], parameters);
    expect(requests.map(({ path }) => path)).toEqual(['/v1/responses']);
    expect(requests[0]?.body).toEqual({
      model: 'm',
      store: false,
      include: ['reasoning.encrypted_content'],
      input: [{ role: 'user', content: 'What is 6 times 7?' }],
      temperature: 0,
      top_p: 0.5,
      max_output_tokens: 99,
      reasoning: { effort: 'high' },
      text: { verbosity: 'low' },
    });
  });

  test('leaves out what some compatible servers refuse', async () => {
    const { requests } = await ask([responses.text('42')], '&encrypted_reasoning=off&tools=off');
    expect(Object.keys(requests[0]?.body)).toEqual(['model', 'input']);
  });

  test('sends the tools, and feeds results back with the reasoning before them', async () => {
    const { answer, requests } = await ask([
      responses.calls([CALL]),
      responses.text('FINAL ANSWER: 42'),
    ]);
    expect(requests[0]?.body.tools).toMatchObject([
      { type: 'function', name: 'calculate', strict: false },
      { type: 'function', name: 'fetch_page', strict: false },
    ]);
    expect(requests[1]?.body.input).toEqual([
      { role: 'user', content: 'What is 6 times 7?' },
      {
        type: 'reasoning',
        id: expect.stringMatching(/^rs_/),
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: 'e',
      },
      {
        type: 'function_call',
        id: expect.stringMatching(/^fc1/),
        call_id: 'c1',
        name: CALL.name,
        arguments: CALL.args,
      },
      { type: 'function_call_output', call_id: 'c1', output: RESULT },
    ]);
    expect(answer).toMatchObject({
      output: 'FINAL ANSWER: 42',
      model: 'scripted-model-2026',
      steps: 2,
      usage: { input_tokens: 200, output_tokens: 20, cached_tokens: 80, reasoning_tokens: 8 },
      trace: [
        {
          text: null,
          reasoning: 'hm',
          tool_calls: [{ result: RESULT, failed: true }],
        },
        { text: 'FINAL ANSWER: 42', tool_calls: [] },
      ],
    });
  });

  test('says that a text ended for no stated reason', async () => {
    const { answer } = await ask([responses.text('so', { status: 'incomplete' })]);
    expect(answer).toMatchObject({ output: 'so', cutShort: 'incomplete' });
  });
});

const endedBy = (reason: string) => ({ status: 'incomplete', incomplete_details: { reason } });
const CUT = endedBy('max_output_tokens');
const TEXT = { type: 'output_text', text: 'so', annotations: [] };
const REFUSAL = { type: 'refusal', refusal: 'no' };

describe.each(['openai:m', 'ai:openai/m'])('%s', (model) => {
  test.each([
    ['a refusal', [REFUSAL], {}, { output: null, reason: 'refusal' }],
    ['a filtered text', [TEXT], endedBy('content_filter'), { output: null, reason: 'refusal' }],
    ['no content', [], {}, { output: null, reason: 'empty' }],
    ['a limit reached before any text', [], CUT, { output: null, reason: 'max_tokens' }],
    ['a limit reached within the text', [TEXT], CUT, { output: 'so', cutShort: 'max_tokens' }],
  ])('takes %s as an answer', async (_, content, rest, expected) => {
    const reply = responses.text('', { output: [toMessage(content)], ...rest });
    const { answer } = await ask([reply], '', {}, model);
    expect(answer).toMatchObject(expected);
  });

  test('does not run a call that was cut short', async () => {
    const { answer, requests } = await ask([responses.calls([CALL], CUT)], '', {}, model);
    expect(requests).toHaveLength(1);
    expect(answer).toMatchObject({ output: null, reason: 'max_tokens' });
  });

  test('reports what it sends, and its progress after each reply and its calls', async () => {
    const heard: Progress[] = [];
    const context = { onProgress: (progress: Progress) => void heard.push(progress) };
    await ask([responses.calls([CALL]), responses.text('x')], '', { context }, model);
    expect(heard[0]).toMatchObject({
      sent: { messages: [{ text: 'What is 6 times 7?' }] },
      trace: [],
    });
    expect(heard.map(({ steps }) => steps)).toEqual([undefined, 1, 1, 2]);
  });
});
