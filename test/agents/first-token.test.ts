import { expect, test } from 'vitest';
import { apiOf } from './apis.ts';
import { askAgent } from './ask-agent.ts';
import { startScriptedServer } from './scripted-server.ts';

const response = (type: string, delta: string) => ({ type: `response.${type}.delta`, delta });
const chunk = (delta: object) => ({ choices: [{ index: 0, delta }] });
const block = (delta: object) => ({ type: 'content_block_delta', index: 0, delta });

/** A stream that ends after one event. */
function toStream(event: object) {
  const type = 'type' in event ? `event: ${event.type}\n` : '';
  return {
    headers: { 'content-type': 'text/event-stream' },
    body: `${type}data: ${JSON.stringify(event)}\n\n`,
  };
}

test.each([
  ['openai', response('output_text', 'x'), true],
  ['openai', response('refusal', 'x'), true],
  ['openai', response('reasoning_text', 'x'), true],
  ['openai', response('reasoning_summary_text', 'x'), true],
  ['openai', response('output_text', ''), false],
  ['openai', response('function_call_arguments', '{'), false],
  ['openai-chat', chunk({ content: 'x' }), true],
  ['openai-chat', chunk({ reasoning_content: 'x' }), true],
  ['openai-chat', chunk({ role: 'assistant', content: '' }), false],
  ['openai-chat', chunk({ tool_calls: [{ index: 0, function: { arguments: '{' } }] }), false],
  ['anthropic', block({ type: 'text_delta', text: 'x' }), true],
  ['anthropic', block({ type: 'thinking_delta', thinking: 'x' }), true],
  ['anthropic', block({ type: 'text_delta', text: '' }), false],
  ['anthropic', block({ type: 'input_json_delta', partial_json: '{' }), false],
])('a first event of %s, %j, has a token: %j', async (kind, event, isToken) => {
  const { url } = await startScriptedServer([toStream(event)]);
  const asked = askAgent(`${kind}:m?base_url=${apiOf(kind).base(url)}&stream=on`);
  const { kind: failure, progress } = await asked.catch((thrown) => thrown);
  expect([failure, progress.steps, 'firstTokenMs' in progress]).toEqual(['network', 0, isToken]);
});
