import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { chat, messages } from '../../test/agents/replies.ts';
import { serve } from '../measure/serve.ts';

type CallCost = Readonly<{ name: string; viva: number; sdk: number }>;

/**
 * The CPU time of one call of a model through viva's agents by that of the SDK alone, whole and in
 * a stream of 200 words. The server is in another process, so its work counts for neither.
 */
export async function measureCalls() {
  using server = await serve(async (request, response) => {
    const isAnthropic = request.url?.includes('messages') === true;
    const isStream = JSON.parse(await text(request)).stream === true;
    response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
    const whole = isAnthropic ? messages.text(ANSWER) : chat.text(ANSWER);
    const events = isAnthropic ? MESSAGE_EVENTS : CHAT_EVENTS;
    response.end(isStream ? events : JSON.stringify(whole.body));
  });
  const script = join(import.meta.dirname, 'call-costs.ts');
  const child = spawn(process.execPath, [script, String(server.port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const costs: readonly CallCost[] = JSON.parse(await text(child.stdout));
  const figure = costs.map(
    ({ name, viva, sdk }) => `${name} ${(viva / sdk).toFixed(2)} (${viva.toFixed(2)} ms)`,
  );
  return { figure: figure.join(', '), holds: costs.every(({ viva, sdk }) => viva / sdk <= MOST) };
}

/** The bar: what viva may cost by the SDK alone. */
export const MOST = 1.5;

const WORDS = Array.from({ length: 200 }, () => 'word ');
const ANSWER = WORDS.join('');

const toEvent = (event: object) => `data: ${JSON.stringify(event)}\n\n`;

const toChunk = (delta: object, finish_reason: string | null, rest: object = {}) =>
  toEvent({ id: 'chat_1', model: 'm', choices: [{ index: 0, delta, finish_reason }], ...rest });

const CHAT_EVENTS = [
  ...WORDS.map((content) => toChunk({ content }, null)),
  toChunk({}, 'stop', { usage: { prompt_tokens: 9, completion_tokens: 200 } }),
  'data: [DONE]\n\n',
].join('');

const toNamed = (event: { readonly type: string } & Record<string, unknown>) =>
  `event: ${event.type}\n${toEvent(event)}`;

const MESSAGE_EVENTS = [
  toNamed({
    type: 'message_start',
    message: messages.blocks([], { stop_reason: null }).body,
  }),
  toNamed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  ...WORDS.map((word) =>
    toNamed({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: word },
    }),
  ),
  toNamed({ type: 'content_block_stop', index: 0 }),
  toNamed({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn' },
    usage: { output_tokens: 200 },
  }),
  toNamed({ type: 'message_stop' }),
].join('');
