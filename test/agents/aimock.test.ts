import { LLMock } from '@copilotkit/aimock';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFile } from '../make-folder.ts';
import { APIS, specOf } from './apis.ts';
import { askAgent } from './ask-agent.ts';

/** A mock server of three provider APIs that nobody here wrote; it ends with the test. */
async function startMock(): Promise<LLMock> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent', strict: false });
  await mock.start();
  onTestFinished(() => mock.stop());
  return mock;
}

const tokens = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
const usage = { ...tokens, input_tokens: 100, output_tokens: 10 };

describe.each(APIS)('$kind against a mock server', ({ kind, base }) => {
  test.each(['on', 'off'])('runs parallel calls and answers, streaming %s', async (stream) => {
    const mock = await startMock();
    const attachments = ['a.txt', 'b.txt'].map((name) => {
      return { name, path: makeFile(name, `text of ${name}`) };
    });
    const toolCalls = attachments.map(({ name }) => {
      return {
        name: 'read_attachment',
        arguments: JSON.stringify({ name }),
        id: `call_${name[0]}`,
      };
    });
    mock.on({ userMessage: '6 times 7', hasToolResult: false }, { toolCalls, usage });
    mock.on(
      { userMessage: '6 times 7', toolResultContains: 'text of b.txt' },
      { content: 'FINAL ANSWER: 42', usage },
    );
    const spec = `${specOf(kind, 'some-model')}?base_url=${base(mock.url)}&stream=${stream}`;
    const answer = await askAgent(spec, { attachments });
    // The first reply has calls alone.
    const [called = Number.NaN, ended = Number.NaN] = (answer.trace ?? []).map(
      ({ at_ms }) => at_ms,
    );
    const { firstTokenMs = null } = answer;
    const isBetween = firstTokenMs !== null && firstTokenMs >= called && firstTokenMs <= ended;
    expect(stream === 'on' ? isBetween : firstTokenMs).toBe(stream === 'on' ? true : null);
    const at_ms = expect.any(Number);
    expect(answer).toMatchObject({
      output: 'FINAL ANSWER: 42',
      steps: 2,
      usage: { input_tokens: 200, output_tokens: 20 },
      sent: {
        messages: [{ role: 'user', text: 'What is 6 times 7?' }],
        tools: ['calculate', 'read_attachment', 'fetch_page'],
      },
      trace: [
        {
          usage: { input_tokens: 100, output_tokens: 10 },
          at_ms,
          tool_calls: ['a.txt', 'b.txt'].map((name) => ({
            arguments: expect.stringContaining(name),
            result: `[${name} | part 1 of 1]\ntext of ${name}`,
            at_ms,
          })),
        },
        { text: 'FINAL ANSWER: 42', at_ms },
      ],
    });
  });
});
