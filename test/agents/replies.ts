/* Replies of the three APIs, as far as agents read them. */

type Call = { readonly id?: string; readonly name: string; readonly args: string };

/** A message in the output of the Responses API. */
export const toMessage = (content: readonly object[]) => {
  return { type: 'message', id: 'msg_1', role: 'assistant', content };
};

/** Servers give each item an id of its own. */
let replies = 0;

export const responses = {
  text: (text: string, rest: object = {}) => ({
    body: {
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      model: 'scripted-model-2026',
      output: [toMessage([{ type: 'output_text', text, annotations: [] }])],
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 40 },
        output_tokens: 10,
        output_tokens_details: { reasoning_tokens: 4 },
      },
      ...rest,
    },
  }),
  calls: (calls: readonly Call[], rest: object = {}) =>
    responses.text('', {
      output: [
        {
          type: 'reasoning',
          id: `rs_${++replies}`,
          summary: [{ type: 'summary_text', text: 'hm' }],
          encrypted_content: 'e',
        },
        ...calls.map(({ id = 'c1', name, args }) => ({
          type: 'function_call',
          id: `f${id}_${replies}`,
          call_id: id,
          name,
          arguments: args,
        })),
      ],
      ...rest,
    }),
};

export const chat = {
  text: (content: unknown, rest: object = {}) => ({
    body: {
      id: 'chat_1',
      object: 'chat.completion',
      model: 'scripted-model-2026',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
      usage: {
        prompt_tokens: 100,
        prompt_tokens_details: { cached_tokens: 40 },
        completion_tokens: 10,
        completion_tokens_details: { reasoning_tokens: 4 },
      },
      ...rest,
    },
  }),
  message: (message: object, finish_reason: string | null = 'stop') =>
    chat.text('', {
      choices: [{ index: 0, finish_reason, message: { role: 'assistant', ...message } }],
    }),
  calls: (calls: readonly Call[]) => {
    const tool_calls = calls.map(({ id = 'c1', name, args }) => {
      return { id, type: 'function', function: { name, arguments: args } };
    });
    return chat.message({ content: null, tool_calls }, 'tool_calls');
  },
};

export const messages = {
  text: (text: string, rest: object = {}) =>
    messages.blocks(text === '' ? [] : [{ type: 'text', text }], rest),
  blocks: (content: readonly object[], rest: object = {}) => ({
    body: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'scripted-model-2026',
      content,
      stop_reason: 'end_turn',
      usage: {
        input_tokens: 50,
        cache_read_input_tokens: 40,
        cache_creation_input_tokens: 10,
        output_tokens: 10,
        output_tokens_details: { thinking_tokens: 4 },
      },
      ...rest,
    },
  }),
  calls: (
    calls: readonly { readonly id?: string; readonly name: string; readonly args: object }[],
  ) =>
    messages.blocks(
      calls.map(({ id = 'c1', name, args }) => ({ type: 'tool_use', id, name, input: args })),
      { stop_reason: 'tool_use' },
    ),
};
