import {
  ARGS,
  before,
  chatCall,
  chatCalls,
  item,
  NOTE_TEXT,
  REFUSED,
  type Row,
  rows,
  START,
  use,
} from './row.ts';

const HALF = '{"name":"no';
const CUT = [
  'length',
  'max_tokens',
  'MAX_TOKENS',
  'model_length',
  'model_context_window_exceeded',
  'max_output_tokens',
  'context_length_exceeded',
];
const REASONS = ['max_tokens', 'context_window', 'incomplete'];
const NOTHING = { ends: REASONS.map((reason) => `no answer: ${reason}`), requests: 1 };
const half = (text: string) => ({
  ends: REASONS.map((reason) => `cut by ${reason}: ${text}`),
  requests: 1,
});
const each = (
  finishes: readonly string[],
  what: string,
  toReply: (finish: string) => Row['replies'][number],
) => Object.fromEntries(finishes.map((finish) => [`${what} ${finish}`, toReply(finish)]));

/** Why replies ended: at a limit, where half a call is never run, or well. */
export const FINISHES: readonly Row[] = [
  ...rows(
    'openai-chat',
    each(CUT, 'half a call at', (finish) => ({ ...chatCalls([chatCall(HALF)]), finish })),
    NOTHING,
  ),
  ...rows(
    'openai-chat',
    each(CUT.slice(0, 4), 'a call that looks whole at', (finish) => ({
      ...chatCalls([chatCall()]),
      finish,
    })),
    NOTHING,
  ),
  ...rows(
    'openai-chat',
    each(CUT, 'half an answer at', (finish) => ({ message: { content: 'The answer is' }, finish })),
    half('The answer is'),
  ),
  ...rows(
    'openai-chat',
    {
      'no text at length': { message: { content: '' }, finish: 'length' },
      'a thought alone at length': {
        message: { content: null, reasoning_content: 'hm' },
        finish: 'length',
      },
    },
    NOTHING,
  ),
  ...rows(
    'openai-chat',
    before({
      'half a call that says tool_calls': chatCalls([chatCall(HALF)]),
      'half a call that says stop': { ...chatCalls([chatCall(HALF)]), finish: 'stop' },
    }),
    { sent: ['Error'] },
  ),
  ...rows(
    'openai-chat',
    each(
      ['stop', 'STOP', 'eos', 'eos_token', 'stop_sequence', 'end_turn', 'COMPLETE', 'a_new_word'],
      'an answer that ends with',
      (finish) => ({ message: { content: 'The answer is B.' }, finish }),
    ),
  ),
  ...rows(
    'openai-chat',
    { 'an answer that ends with null': { message: { content: 'The answer is B.' }, finish: null } },
    { form: 'whole' },
  ),
  ...rows(
    'openai-chat',
    before(
      each(
        ['tool_calls', 'STOP', 'tool_use', 'tool_call', 'TOOL_CALL', 'eos_token'],
        'a call that ends with',
        (finish) => ({ ...chatCalls([chatCall(ARGS)]), finish }),
      ),
    ),
    { sent: [NOTE_TEXT] },
  ),
  ...rows(
    'openai',
    {
      'half an item at max_output_tokens': {
        output: [item(HALF, { status: 'incomplete' })],
        status: 'incomplete',
        rest: { incomplete_details: { reason: 'max_output_tokens' } },
      },
      'an item that looks whole at max_output_tokens': {
        output: [item()],
        status: 'incomplete',
        rest: { incomplete_details: { reason: 'max_output_tokens' } },
      },
      'nothing at max_output_tokens': {
        output: [],
        status: 'incomplete',
        rest: { incomplete_details: { reason: 'max_output_tokens' } },
      },
      'a response that is incomplete without a reason': { output: [], status: 'incomplete' },
      'half an item in a response that says completed': {
        output: [item(HALF, { status: 'incomplete' })],
        status: 'incomplete',
        rest: { incomplete_details: { reason: 'max_tokens' } },
      },
    },
    NOTHING,
  ),
  ...rows(
    'openai',
    {
      'half a message at max_output_tokens': {
        output: [
          {
            type: 'message',
            id: 'm',
            role: 'assistant',
            status: 'incomplete',
            content: [{ type: 'output_text', text: 'The answer is', annotations: [] }],
          },
        ],
        status: 'incomplete',
        rest: { incomplete_details: { reason: 'max_output_tokens' } },
      },
    },
    half('The answer is'),
  ),
  ...rows(
    'anthropic',
    each(
      ['max_tokens', 'model_context_window_exceeded', 'MAX_TOKENS', 'length'],
      'half a block at',
      (stop) => ({ content: [use({}, {})], stop }),
    ),
    NOTHING,
  ),
  ...rows(
    'anthropic',
    each(
      ['max_tokens', 'model_context_window_exceeded', 'length'],
      'half a text of a block at',
      (stop) => ({ content: [{ type: 'text', text: 'The answer is' }], stop }),
    ),
    half('The answer is'),
  ),
  ...rows(
    'anthropic',
    {
      'half an input in a stream': {
        events: [
          START,
          { type: 'content_block_start', index: 0, content_block: { ...use(), input: {} } },
          {
            type: 'content_block_delta',
            index: 0,
            delta: { type: 'input_json_delta', partial_json: HALF },
          },
          {
            type: 'message_delta',
            delta: { stop_reason: 'max_tokens' },
            usage: { output_tokens: 7 },
          },
          { type: 'message_stop' },
        ],
      },
    },
    NOTHING,
  ),
  ...rows(
    'openai-chat',
    each(
      [
        'FinishReason.MAX_TOKENS',
        'max_new_tokens',
        'token_limit_reached',
        'ERROR_LIMIT',
        'repetition',
      ],
      'half an answer at',
      (finish) => ({ message: { content: 'The answer is' }, finish }),
    ),
    half('The answer is'),
  ),
  ...rows(
    'openai-chat',
    each(
      [
        'FinishReason.SAFETY',
        'LANGUAGE',
        'IMAGE_RECITATION',
        'content_filter_error',
        'blocked',
        'guardrails',
      ],
      'half an answer at',
      (finish) => ({ message: { content: 'The answer is' }, finish }),
    ),
    { ends: REFUSED, requests: 1 },
  ),
  ...rows(
    'openai-chat',
    before(
      each(
        [
          'OTHER',
          'TOO_MANY_TOOL_CALLS',
          'NO_IMAGE',
          'USER_CANCEL',
          'load',
          'engine_overloaded',
          'server_error',
          'rate_limit',
          'time_limit',
        ],
        'half an answer at',
        (finish) => ({ message: { content: 'The answer is' }, finish }),
      ),
    ),
  ),
];
