import { LLMock } from '@copilotkit/aimock';
import { describe, expect, onTestFinished, test } from 'vitest';
import { APIS, specOf } from './apis.ts';
import { askAgent } from './ask-agent.ts';

/** A mock server of three provider APIs that nobody here wrote; it ends with the test. */
async function startMock(): Promise<LLMock> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent', strict: false });
  await mock.start();
  onTestFinished(() => mock.stop());
  return mock;
}

const usage = {
  prompt_tokens: 100,
  completion_tokens: 10,
  total_tokens: 110,
  input_tokens: 100,
  output_tokens: 10,
};

describe.each(APIS)('$kind against a mock server', ({ kind, base }) => {
  test.each(['on', 'off'])('runs parallel calls and answers, streaming %s', async (stream) => {
    const mock = await startMock();
    const toolCalls = [
      { name: 'calculate', arguments: '{"code":"6*7"}', id: 'call_a' },
      { name: 'calculate', arguments: '{"code":"2**10"}', id: 'call_b' },
    ];
    mock.on({ userMessage: '6 times 7', hasToolResult: false }, { toolCalls, usage });
    mock.on(
      { userMessage: '6 times 7', toolResultContains: '= 1024' },
      { content: 'FINAL ANSWER: 42', usage },
    );
    const answer = await askAgent(
      `${specOf(kind, 'some-model')}?base_url=${base(mock.url)}&stream=${stream}`,
    );
    // The first reply has calls alone.
    const [called = Number.NaN, ended = Number.NaN] = (answer.trace ?? []).map(
      ({ at_ms }) => at_ms,
    );
    const { firstTokenMs = null } = answer;
    const isBetween = firstTokenMs !== null && firstTokenMs >= called && firstTokenMs <= ended;
    expect(stream === 'on' ? isBetween : firstTokenMs).toBe(stream === 'on' ? true : null);
    expect(answer).toMatchObject({
      output: 'FINAL ANSWER: 42',
      steps: 2,
      usage: { input_tokens: 200, output_tokens: 20 },
      sent: {
        messages: [{ role: 'user', text: 'What is 6 times 7?' }],
        tools: ['calculate', 'fetch_page'],
      },
      trace: [
        {
          usage: { input_tokens: 100, output_tokens: 10 },
          at_ms: expect.any(Number),
          tool_calls: [
            { arguments: expect.stringMatching(/6\*7/), result: '= 42', at_ms: expect.any(Number) },
            {
              arguments: expect.stringMatching(/2\*\*10/),
              result: '= 1024',
              at_ms: expect.any(Number),
            },
          ],
        },
        { text: 'FINAL ANSWER: 42', at_ms: expect.any(Number) },
      ],
    });
  });
});
