import {
  ARGS,
  B,
  before,
  chatCall,
  chatCalls,
  item,
  NOTE_TEXT,
  type Row,
  rows,
  TOOL,
  thought,
  use,
} from './row.ts';

const SIGNED = { extra_content: { google: { thought_signature: 'SIG-1' } } };
const DETAILS = [
  {
    type: 'reasoning.text',
    text: 'hm',
    signature: 'SIG-D',
    format: 'anthropic-claude-v1',
    index: 0,
  },
  { type: 'reasoning.encrypted', data: 'ENC-D', id: 'c1', format: 'openai-responses-v1', index: 1 },
];
const BLOCKS = [{ type: 'thinking', thinking: 'hm', signature: 'SIG-T' }];
const piece = (fields: object) => ({ tool_calls: [fields] });

/** What only the server can read must come back where it was, and thoughts are no answer. */
export const SIGNED_FIELDS: readonly Row[] = [
  ...rows(
    'openai-chat',
    before({
      'a signature in extra_content': chatCalls([chatCall(ARGS, SIGNED)]),
      'a signature on the first of two calls': chatCalls([
        chatCall(ARGS, SIGNED),
        chatCall(ARGS, { id: 'c2' }),
      ]),
      'a signature on the second of two calls': chatCalls([
        chatCall(),
        chatCall(ARGS, { id: 'c2', ...SIGNED }),
      ]),
      'signatures in two turns': [
        chatCalls([chatCall(ARGS, SIGNED)]),
        chatCalls([
          chatCall(ARGS, { id: 'c2', extra_content: { google: { thought_signature: 'SIG-2' } } }),
        ]),
      ],
      'a signature in the function': chatCalls([
        chatCall(ARGS, {}, { thought_signature: 'SIG-F' }),
      ]),
      'a signature beside the function': chatCalls([
        chatCall(ARGS, { thought_signature: 'SIG-B' }),
      ]),
      'provider_specific_fields of a call': chatCalls([
        chatCall(ARGS, { provider_specific_fields: { thought_signature: 'SIG-L' } }),
      ]),
      'provider_specific_fields of a function': chatCalls([
        chatCall(ARGS, {}, { provider_specific_fields: { thought_signature: 'SIG-L' } }),
      ]),
      'provider_specific_fields of a message': chatCalls([chatCall()], {
        provider_specific_fields: { thought_signatures: ['SIG-M'] },
      }),
      'extra_content of a message': chatCalls([chatCall()], SIGNED),
      reasoning_details: chatCalls([chatCall()], { reasoning: 'hm', reasoning_details: DETAILS }),
      'reasoning_details alone': chatCalls([chatCall()], { reasoning_details: DETAILS }),
      'reasoning_details of a call without id': chatCalls([chatCall(ARGS, { id: '' })], {
        reasoning_details: [{ ...DETAILS[1], id: null }],
      }),
      thinking_blocks: chatCalls([chatCall()], {
        reasoning_content: 'hm',
        thinking_blocks: BLOCKS,
      }),
      'thinking_blocks that are redacted': chatCalls([chatCall()], {
        thinking_blocks: [{ type: 'redacted_thinking', data: 'RED' }],
      }),
      reasoning_content: chatCalls([chatCall()], { reasoning_content: 'Let me see.' }),
      'reasoning_content that is empty': chatCalls([chatCall()], { reasoning_content: '' }),
      'reasoning_content in two turns': [
        chatCalls([chatCall()], { reasoning_content: 'First.' }),
        chatCalls([chatCall(ARGS, { id: 'c2' })], { reasoning_content: 'Second.' }),
      ],
      reasoning_opaque: chatCalls([chatCall()], {
        reasoning_text: 'hm',
        reasoning_opaque: 'OPAQUE',
      }),
      'thinking chunks beside a call': chatCalls([chatCall()], {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
          { type: 'text', text: 'I read it.' },
        ],
      }),
    }),
    { sent: [NOTE_TEXT] },
  ),
  ...rows(
    'openai-chat',
    before({
      'a signature in a later piece': {
        deltas: [
          piece({
            index: 0,
            id: 'c1',
            type: 'function',
            function: { name: TOOL, arguments: ARGS },
          }),
          piece({ index: 0, ...SIGNED, function: { arguments: '' } }),
        ],
        finish: 'tool_calls',
      },
      'reasoning_details piece by piece': {
        deltas: [
          { reasoning: 'h', reasoning_details: [{ type: 'reasoning.text', text: 'h', index: 0 }] },
          { reasoning: 'm', reasoning_details: [{ type: 'reasoning.text', text: 'm', index: 0 }] },
          { reasoning_details: [{ type: 'reasoning.text', signature: 'SIG-S', index: 0 }] },
          piece({
            index: 0,
            id: 'c1',
            type: 'function',
            function: { name: TOOL, arguments: ARGS },
          }),
        ],
        finish: 'tool_calls',
      },
      'reasoning_details behind the call': {
        deltas: [
          piece({
            index: 0,
            id: 'c1',
            type: 'function',
            function: { name: TOOL, arguments: ARGS },
          }),
          { reasoning_details: [DETAILS[1]] },
        ],
        finish: 'tool_calls',
      },
      'thinking_blocks piece by piece': {
        deltas: [
          {
            reasoning_content: 'hm',
            thinking_blocks: [{ type: 'thinking', thinking: 'hm', signature: null }],
          },
          {
            reasoning_content: '',
            thinking_blocks: [{ type: 'thinking', thinking: '', signature: 'SIG-S' }],
          },
          piece({
            index: 0,
            id: 'c1',
            type: 'function',
            function: { name: TOOL, arguments: ARGS },
          }),
        ],
        finish: 'tool_calls',
      },
      'a signature with the finish reason': {
        deltas: [
          piece({
            index: 0,
            id: 'c1',
            type: 'function',
            function: { name: TOOL, arguments: ARGS },
          }),
          {
            choices: [
              {
                index: 0,
                delta: { extra_content: { google: { thought_signature: 'SIG-E' } } },
                finish_reason: 'tool_calls',
              },
            ],
          },
        ],
        finish: null,
      },
    }),
    { sent: [NOTE_TEXT] },
  ),
  ...rows(
    'openai',
    before({
      'an encrypted item': { output: [thought(), item()] },
      'two encrypted items': { output: [thought(), thought('rs_2'), item()] },
      'encrypted items in two responses': [
        { output: [thought(), item()] },
        { output: [thought('rs_2'), item(ARGS, { id: 'fc_2', call_id: 'c2' })] },
      ],
      'an encrypted item with a summary': {
        output: [
          thought('rs_1', { summary: [{ type: 'summary_text', text: 'hm' }], status: null }),
          item(),
        ],
      },
    }),
    { sent: [NOTE_TEXT] },
  ),
  ...rows(
    'anthropic',
    before({
      'signed thinking': {
        content: [{ type: 'thinking', thinking: 'hm', signature: 'SIG-C' }, use()],
      },
      'redacted thinking': { content: [{ type: 'redacted_thinking', data: 'RED' }, use()] },
      'signed and redacted thinking': {
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'SIG-C' },
          { type: 'redacted_thinking', data: 'RED' },
          use(),
        ],
      },
      'thinking whose text is empty': {
        content: [{ type: 'thinking', thinking: '', signature: 'SIG-C' }, use()],
      },
      'thinking between calls': {
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'SIG-1' },
          use(),
          { type: 'thinking', thinking: 'so', signature: 'SIG-2' },
          use({ name: 'note.txt' }, { id: 'toolu_2' }),
        ],
      },
      'thinking and a blank text': {
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'SIG-C' },
          { type: 'text', text: '\n' },
          use(),
        ],
      },
    }),
    { sent: [NOTE_TEXT] },
  ),
  // Thoughts beside the answer.
  ...rows(
    'openai-chat',
    {
      'a thought in reasoning_content': {
        message: { content: 'The answer is B.', reasoning_content: 'Perhaps A?' },
      },
      'a thought in reasoning': {
        message: { content: 'The answer is B.', reasoning: 'Perhaps A?' },
      },
      'a thought in reasoning_text': {
        message: { content: 'The answer is B.', reasoning_text: 'Perhaps A?' },
      },
      'a thought in reasoning_details': {
        message: {
          content: 'The answer is B.',
          reasoning_details: [{ type: 'reasoning.text', text: 'Perhaps A?', index: 0 }],
        },
      },
      'a thought in thinking_blocks': {
        message: {
          content: 'The answer is B.',
          thinking_blocks: [{ type: 'thinking', thinking: 'Perhaps A?', signature: 's' }],
        },
      },
      'a thought in a thinking chunk': {
        message: {
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'Perhaps A?' }] },
            { type: 'text', text: 'The answer is B.' },
          ],
        },
      },
      'a thought in a thinking part': {
        message: {
          content: [
            { type: 'thinking', thinking: 'Perhaps A?' },
            { type: 'text', text: 'The answer is B.' },
          ],
        },
      },
      'a thought in a reasoning part': {
        message: {
          content: [
            { type: 'reasoning', text: 'Perhaps A?' },
            { type: 'text', text: 'The answer is B.' },
          ],
        },
      },
    },
    { reasoning: 'Perhaps A?' },
  ),
  ...rows(
    'openai-chat',
    {
      'a thinking chunk in deltas': {
        deltas: [
          { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Perhaps ' }] }] },
          { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'A?' }] }] },
          { content: 'The answer is B.' },
        ],
      },
      'a thought in both fields': {
        deltas: [
          { reasoning: 'Perhaps ', reasoning_content: 'Perhaps ' },
          { reasoning: 'A?', reasoning_content: 'A?' },
          { content: 'The answer is B.' },
        ],
      },
    },
    { reasoning: 'Perhaps A?' },
  ),
  ...rows(
    'anthropic',
    {
      'a thought in a block': {
        content: [
          { type: 'thinking', thinking: 'Perhaps A?', signature: 's' },
          { type: 'text', text: 'The answer is B.' },
        ],
      },
    },
    { reasoning: 'Perhaps A?' },
  ),
  ...rows(
    'openai-chat',
    {
      'a thought alone': { message: { content: null, reasoning_content: 'The answer is B.' } },
      'a thought alone beside an empty text': {
        message: { content: '', reasoning: 'The answer is B.' },
      },
      'a thought alone in parts': {
        message: {
          content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'The answer is B.' }] }],
        },
      },
    },
    { ends: 'no answer: empty', requests: 1 },
  ),
  ...rows('openai-chat', {
    'a plain answer': B,
    'a plain answer in parts': { deltas: [{ content: 'The ' }, { content: 'answer is B.' }] },
  }),
  ...rows(
    'openai-chat',
    before({
      'two encrypted thoughts without an index': {
        deltas: [
          { reasoning_details: [{ type: 'reasoning.encrypted', id: 'r1', data: 'ENC-A' }] },
          { reasoning_details: [{ type: 'reasoning.encrypted', id: 'r2', data: 'ENC-B' }] },
          piece({ index: 0, id: 'c1', function: { name: TOOL, arguments: ARGS } }),
        ],
        finish: 'tool_calls',
      },
      'two redacted blocks': {
        deltas: [
          { thinking_blocks: [{ type: 'redacted_thinking', data: 'ENC-A' }] },
          { thinking_blocks: [{ type: 'redacted_thinking', data: 'ENC-B' }] },
          piece({ index: 0, id: 'c1', function: { name: TOOL, arguments: ARGS } }),
        ],
        finish: 'tool_calls',
      },
    }),
    { sent: ['"data":"ENC-A"', '"data":"ENC-B"'] },
  ),
];
