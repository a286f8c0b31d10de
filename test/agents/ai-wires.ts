import type { Reply, SeenRequest } from './scripted-server.ts';

/** What a model says: a text, or a call of a tool. */
type AiSaid = {
  readonly text?: string;
  readonly call?: { readonly name: string; readonly args: object };
};

/** The wire format of one provider of the AI SDK, whole and streamed. */
export type AiWire = {
  readonly provider: string;
  base(url: string): string;
  isStreamed(request: SeenRequest): boolean;
  /** Why the provider's API would refuse a request; null if it would not. */
  findProblem(request: SeenRequest): string | null;
  say(said: AiSaid, streamed: boolean): Reply;
  /** A reply with status 200 that states an error. */
  fail(message: string, streamed: boolean): Reply;
};

export const KEY = 'sk-secret-0123456789';

function toReply(chunks: readonly object[], streamed: boolean, end = ''): Reply {
  if (!streamed) return { body: chunks[0] };
  const body = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('') + end;
  return { body, headers: { 'content-type': 'text/event-stream' } };
}

const google: AiWire = {
  provider: 'google',
  base: (url) => `${url}/v1beta`,
  isStreamed: ({ path }) => path.includes('stream'),
  findProblem: ({ path, headers, body }) => {
    if (!/^\/v1beta\/models\/m:(generateContent|streamGenerateContent\?alt=sse)$/.test(path))
      return `path ${path}`;
    if (headers['x-goog-api-key'] !== KEY) return 'key';
    const parts = body.contents.flatMap((content: { parts: object[] }) => content.parts);
    const calls = parts.filter((part: object) => 'functionCall' in part);
    // Gemini refuses calls without the signature that they came with.
    if (calls.some((part: { thoughtSignature?: string }) => part.thoughtSignature !== 'SIGNED'))
      return 'Function call is missing a thought_signature';
    const results = parts.filter((part: object) => 'functionResponse' in part);
    return calls.length === results.length ? null : 'function response parts';
  },
  say: ({ text, call }, streamed) => {
    const signed = { functionCall: call, thoughtSignature: 'SIGNED' };
    const said = call === undefined ? { text } : signed;
    const toChunk = (parts: readonly object[], rest: object) => ({
      candidates: [{ content: { role: 'model', parts }, index: 0, ...rest }],
      modelVersion: 'scripted-model-2026',
    });
    const usageMetadata = {
      promptTokenCount: 100,
      cachedContentTokenCount: 40,
      candidatesTokenCount: 6,
      thoughtsTokenCount: 4,
      totalTokenCount: 110,
    };
    const thought = { text: 'hm', thought: true };
    const last = { finishReason: 'STOP' };
    return streamed
      ? toReply([toChunk([thought], {}), { ...toChunk([said], last), usageMetadata }], true)
      : toReply([{ ...toChunk([thought, said], last), usageMetadata }], false);
  },
  fail: (message, streamed) =>
    toReply([{ error: { code: 503, message, status: 'UNAVAILABLE' } }], streamed),
};

/** Chat completions, as Mistral's API and compatible servers have them. */
function chatWire(provider: string, thinking: (text: string) => object): AiWire {
  return {
    provider,
    base: (url) => `${url}/v1`,
    isStreamed: ({ body }) => body.stream === true,
    findProblem: ({ path, headers, body }) => {
      if (path !== '/v1/chat/completions') return `path ${path}`;
      const isKeyed = headers.authorization === `Bearer ${KEY}`;
      if (isKeyed === (provider === 'openai-compatible')) return 'key';
      const calls = body.messages.flatMap(
        (message: { tool_calls?: object[] }) => message.tool_calls ?? [],
      );
      const results = body.messages.filter(({ role }: { role: string }) => role === 'tool');
      return calls.length === results.length ? null : 'Not the same number of calls and responses';
    },
    say: ({ text, call }, streamed) => {
      const called = { name: call?.name, arguments: JSON.stringify(call?.args) };
      const tool_calls = [{ id: 'abcdefghi', index: 0, type: 'function', function: called }];
      const said = call === undefined ? { content: text } : { content: '', tool_calls };
      const finish_reason = call === undefined ? 'stop' : 'tool_calls';
      const usage = {
        prompt_tokens: 100,
        prompt_tokens_details: { cached_tokens: 40 },
        completion_tokens: 10,
        total_tokens: 110,
      };
      const head = { id: 'c1', created: 1, model: 'scripted-model-2026' };
      const toChunk = (delta: object, reason: string | null) => ({
        ...{ ...head, object: 'chat.completion.chunk' },
        choices: [{ index: 0, delta, finish_reason: reason }],
      });
      if (streamed)
        return toReply(
          [
            toChunk({ role: 'assistant', ...thinking('hm') }, null),
            toChunk(said, null),
            { ...toChunk({ content: '' }, finish_reason), usage },
          ],
          true,
          'data: [DONE]\n\n',
        );
      const message = { role: 'assistant', ...said };
      const choices = [{ index: 0, message, finish_reason }];
      return toReply([{ ...head, object: 'chat.completion', choices, usage }], false);
    },
    fail: (message, streamed) =>
      toReply(
        [{ object: 'error', message, type: 'server_error', error: { code: 503, message } }],
        streamed,
      ),
  };
}

export const AI_WIRES: readonly AiWire[] = [
  google,
  // The second is of AI SDK 6.
  ...['mistral', 'mistral-v3'].map((provider) =>
    chatWire(provider, (text) => ({
      content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }],
    })),
  ),
  chatWire('openai-compatible', (text) => ({ reasoning_content: text })),
];
