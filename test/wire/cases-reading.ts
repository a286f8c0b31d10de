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
  START,
  STOP,
  TOOL,
  thought,
  use,
} from './row.ts';

const piece = (fields: object) => ({ tool_calls: [fields] });
const named = (args: unknown) => ({ name: TOOL, arguments: args });
const PART_2 = JSON.stringify({ name: 'note.txt', part: 2 });
const chunk = (choice: object, more: object = {}) => ({
  id: 'x',
  model: 'm',
  choices: [{ index: 0, delta: {}, finish_reason: null, ...choice }],
  ...more,
});
const SAID = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' };
const text = (text: string) => ({ type: 'output_text', text, annotations: [] });

/** Texts, calls and counts in the forms that servers give them. */
export const READING: readonly Row[] = [
  ...rows('openai-chat', {
    'content is a list of parts': {
      message: { content: [{ type: 'text', text: 'The answer is B.' }] },
    },
    'content is a list of texts': { message: { content: ['The answer is B.'] } },
    'content is a part': { message: { content: { type: 'text', text: 'The answer is B.' } } },
    'a part of the content has no type': { message: { content: [{ text: 'The answer is B.' }] } },
    'a part is output_text': {
      message: { content: [{ type: 'output_text', text: 'The answer is B.' }] },
    },
    'an unknown part is left out': {
      message: {
        content: [
          { type: 'reference', reference_ids: [1] },
          { type: 'text', text: 'The answer is B.' },
        ],
      },
    },
    'deltas with lists of parts': {
      deltas: [
        { content: [{ type: 'text', text: 'The answer ' }] },
        { content: [{ type: 'text', text: 'is B.' }] },
      ],
    },
    'deltas, first a text and then a list': {
      deltas: [{ content: 'The answer ' }, { content: [{ type: 'text', text: 'is B.' }] }],
    },
    'deltas with a null and a missing content': {
      deltas: [
        { role: 'assistant', content: null },
        {},
        { content: 'The answer is B.' },
        { content: null },
      ],
    },
    'unknown fields in every place': {
      message: {
        content: 'The answer is B.',
        audio: null,
        function_call: null,
        annotations: [],
        service: { x: [1] },
      },
      choice: {
        matched_stop: 1,
        stop_reason: null,
        token_ids: null,
        logprobs: null,
        content_filter_results: {},
      },
      rest: {
        x_groq: { id: 'q' },
        prompt_filter_results: [],
        timings: { prompt_n: 1 },
        kv_transfer_params: null,
      },
    },
    'two choices: the first counts': {
      message: { content: 'The answer is B.' },
      rest: {
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: 'The answer is B.' },
            finish_reason: 'stop',
          },
          {
            index: 1,
            message: { role: 'assistant', content: 'The answer is A.' },
            finish_reason: 'stop',
          },
        ],
      },
    },
    'chunks of another choice': {
      deltas: [
        { content: 'The answer ' },
        chunk({ index: 1, delta: { content: 'The answer is A.' } }),
        { content: 'is B.' },
      ],
    },
  }),
  ...rows('openai-chat', {
    'two parts are one text': {
      message: {
        content: [
          { type: 'text', text: 'The answer' },
          { type: 'text', text: ' is B.' },
        ],
      },
    },
  }),
  ...rows(
    'openai-chat',
    before({
      'arguments as an object': chatCalls([chatCall({ name: 'note.txt' })]),
      'a call without id': chatCalls([chatCall(ARGS, { id: undefined })]),
      'a call whose id is null': chatCalls([chatCall(ARGS, { id: null })]),
      'a call whose id is empty': chatCalls([chatCall(ARGS, { id: '' })]),
      'a call whose id is a number': chatCalls([chatCall(ARGS, { id: 7 })]),
      'a call without type': chatCalls([chatCall(ARGS, { type: undefined })]),
      'a call with unknown fields': chatCalls([
        chatCall(ARGS, { index: 0, note: { a: 1 } }, { parsed: null }),
      ]),
      'a call that ends with stop': { ...chatCalls([chatCall()]), finish: 'stop' },
      'a call that ends with function_call': {
        ...chatCalls([chatCall()]),
        finish: 'function_call',
      },
      'a call beside a text': chatCalls([chatCall()], { content: 'I read it.' }),
      'a call beside an empty list of parts': chatCalls([chatCall()], { content: [] }),
      'a call beside parts': chatCalls([chatCall()], {
        content: [{ type: 'text', text: 'I read it.' }],
      }),
    }),
    { sent: [NOTE_TEXT] },
  ),
  ...rows(
    'openai-chat',
    before({
      'arguments as an object in a delta': {
        deltas: [
          piece({ index: 0, id: 'c1', type: 'function', function: named({ name: 'note.txt' }) }),
        ],
        finish: 'tool_calls',
      },
      'a call without index': {
        deltas: [piece({ id: 'c1', type: 'function', function: named(ARGS) })],
        finish: 'tool_calls',
      },
      'a call without index in pieces': {
        deltas: [
          piece({ id: 'c1', type: 'function', function: named('{"name":') }),
          piece({ function: { arguments: '"note.txt"}' } }),
        ],
        finish: 'tool_calls',
      },
      'a call without id and index': {
        deltas: [piece({ function: named(ARGS) })],
        finish: 'tool_calls',
      },
      'each piece repeats id and name': {
        deltas: [
          piece({ index: 0, id: 'c1', type: 'function', function: named('{"name":') }),
          piece({ index: 0, id: 'c1', type: 'function', function: named('"note.txt"}') }),
        ],
        finish: 'tool_calls',
      },
      'later pieces have an empty id and name': {
        deltas: [
          piece({ index: 0, id: 'c1', type: 'function', function: named('{"name":') }),
          piece({ index: 0, id: '', function: { name: '', arguments: '"note.txt"}' } }),
        ],
        finish: 'tool_calls',
      },
      'the id comes with the second piece': {
        deltas: [
          piece({ index: 0, type: 'function', function: { name: TOOL } }),
          piece({ index: 0, id: 'c1', function: { arguments: ARGS } }),
        ],
        finish: 'tool_calls',
      },
      'the index is a text': {
        deltas: [
          piece({ index: '0', id: 'c1', function: named('{"name":') }),
          piece({ index: '0', function: { arguments: '"note.txt"}' } }),
        ],
        finish: 'tool_calls',
      },
      'indexes begin with 1': {
        deltas: [piece({ index: 1, id: 'c1', type: 'function', function: named(ARGS) })],
        finish: 'tool_calls',
      },
      'the arguments are null, then a text': {
        deltas: [
          piece({ index: 0, id: 'c1', type: 'function', function: named(null) }),
          piece({ index: 0, function: { arguments: ARGS } }),
        ],
        finish: 'tool_calls',
      },
      'the call comes with the finish reason': {
        deltas: [
          chunk({
            delta: piece({ index: 0, id: 'c1', type: 'function', function: named(ARGS) }),
            finish_reason: 'tool_calls',
          }),
        ],
        finish: null,
      },
    }),
    { sent: [NOTE_TEXT] },
  ),
  ...rows(
    'openai-chat',
    before({
      'parallel calls': chatCalls([chatCall(), chatCall(PART_2, { id: 'c2' })]),
      'parallel calls with empty ids': chatCalls([
        chatCall(ARGS, { id: '' }),
        chatCall(PART_2, { id: '' }),
      ]),
      'parallel calls without index': {
        deltas: [
          piece({ id: 'c1', type: 'function', function: named(ARGS) }),
          piece({ id: 'c2', type: 'function', function: named(PART_2) }),
        ],
        finish: 'tool_calls',
      },
      'parallel calls without index in one delta': {
        deltas: [
          {
            tool_calls: [
              { id: 'c1', function: named(ARGS) },
              { id: 'c2', function: named(PART_2) },
            ],
          },
        ],
        finish: 'tool_calls',
      },
      'parallel calls without id and index': {
        deltas: [{ tool_calls: [{ function: named(ARGS) }, { function: named(PART_2) }] }],
        finish: 'tool_calls',
      },
      'parallel calls without id and index, one after the other': {
        deltas: [piece({ function: named(ARGS) }), piece({ function: named(PART_2) })],
        finish: 'tool_calls',
      },
      'parallel calls of index 0': {
        deltas: [
          piece({ index: 0, id: 'c1', function: named(ARGS) }),
          piece({ index: 0, id: 'c2', function: named(PART_2) }),
        ],
        finish: 'stop',
      },
      'parallel calls in turn': {
        deltas: [
          {
            tool_calls: [
              { index: 0, id: 'c1', function: named('{"name":') },
              { index: 1, id: 'c2', function: named('{"name":"note.txt",') },
            ],
          },
          piece({ index: 1, function: { arguments: '"part":2}' } }),
          piece({ index: 0, function: { arguments: '"note.txt"}' } }),
        ],
        finish: 'tool_calls',
      },
    }),
    { sent: [NOTE_TEXT, 'part 2'] },
  ),
  ...rows('openai', {
    'the text in two messages': {
      output: [
        { ...SAID, content: [text('The answer is B.')] },
        { ...SAID, id: 'msg_2', content: [] },
      ],
    },
    'an unknown item': {
      output: [
        { type: 'memo', id: 'm' },
        { ...SAID, content: [text('The answer is B.')] },
      ],
    },
    'content as a text': { output: [{ ...SAID, content: 'The answer is B.' }] },
    'a part of type text': {
      output: [{ ...SAID, content: [{ type: 'text', text: 'The answer is B.' }] }],
    },
    'a reasoning text': {
      output: [
        {
          type: 'reasoning',
          id: 'rs',
          summary: [],
          content: [{ type: 'reasoning_text', text: 'Perhaps A?' }],
        },
        { ...SAID, content: [text('The answer is B.')] },
      ],
    },
  }),
  ...rows(
    'openai',
    before({
      'arguments as an object of an item': { output: [item({ name: 'note.txt' })] },
      'an item without ids': { output: [item(ARGS, { id: undefined, call_id: undefined })] },
      'an item with an empty call_id': { output: [item(ARGS, { call_id: '' })] },
      'an item with a null call_id': { output: [item(ARGS, { call_id: null })] },
      'an item whose status is null': { output: [item(ARGS, { status: null })] },
      'an item without status': { output: [item(ARGS, { status: undefined })] },
      'a message beside the call': {
        output: [
          thought(),
          { ...SAID, content: [text('I read it.')], phase: 'commentary' },
          item(),
        ],
      },
    }),
    { sent: [NOTE_TEXT] },
  ),
  ...rows(
    'openai',
    before({
      'parallel items': {
        output: [thought(), item(), item(PART_2, { id: 'fc_2', call_id: 'c2' })],
      },
    }),
    { sent: [NOTE_TEXT, 'part 2'] },
  ),
  ...rows('anthropic', {
    'unknown blocks': {
      content: [
        { type: 'memo', data: 1 },
        { type: 'text', text: 'The answer is B.' },
      ],
    },
    'null citations': { content: [{ type: 'text', text: 'The answer is B.', citations: null }] },
    'a stop sequence': {
      content: [{ type: 'text', text: 'The answer is B.' }],
      stop: 'stop_sequence',
    },
  }),
  ...rows(
    'anthropic',
    before({
      'an input as a text': { content: [use(ARGS)] },
      'a call without an id': { content: [use(undefined, { id: undefined })] },
      'a call with an empty id': { content: [use(undefined, { id: '' })] },
      'a call with unknown fields of a block': {
        content: [use(undefined, { caller: { type: 'direct' }, note: 1 })],
      },
    }),
    { sent: [NOTE_TEXT] },
  ),
  ...rows(
    'anthropic',
    before({
      'parallel blocks': {
        content: [use(), use({ name: 'note.txt', part: 2 }, { id: 'toolu_2' })],
      },
    }),
    { sent: [NOTE_TEXT, 'part 2'] },
  ),
  ...rows(
    'openai-chat',
    {
      'no id, no model, no object': {
        body: { choices: [{ message: { content: 'The answer is B.' }, finish_reason: 'stop' }] },
      },
      'no role': { body: { choices: [{ message: { content: 'The answer is B.' } }] } },
    },
    { form: 'whole' },
  ),
  ...rows(
    'openai-chat',
    before({
      'a call that ends with null': { ...chatCalls([chatCall()]), finish: null },
    }),
    { form: 'whole', sent: [NOTE_TEXT] },
  ),
  ...rows(
    'openai',
    {
      'no status': { text: 'The answer is B.', rest: { status: undefined } },
    },
    { form: 'whole' },
  ),
  ...rows(
    'anthropic',
    {
      'content as a text of Anthropic': { content: 'The answer is B.' },
    },
    { form: 'whole' },
  ),
  // Streams as servers send them.
  ...rows('openai-chat', {
    'keepalive comments': {
      deltas: [
        ': OPENROUTER PROCESSING\n\n',
        { content: 'The answer ' },
        ': ping\n\n',
        ':\n\n',
        { content: 'is B.' },
      ],
    },
    'an empty data line': { deltas: ['data:\n\n', { content: 'The answer is B.' }, 'data: \n\n'] },
    'a comment in a data line': {
      deltas: ['data: : keepalive\n\n', { content: 'The answer is B.' }],
    },
    'an event of another name': {
      deltas: ['event: ping\ndata: {}\n\n', { content: 'The answer is B.' }],
    },
    'a retry line and ids': { deltas: ['retry: 3000\nid: 7\n\n', { content: 'The answer is B.' }] },
    'no space behind data': {
      deltas: [`data:${JSON.stringify(chunk({ delta: { content: 'The answer is B.' } }))}\n\n`],
    },
    'lines that end with CRLF': {
      events: [chunk({ delta: { content: 'The answer is B.' } }), chunk({ finish_reason: 'stop' })]
        .map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`)
        .concat('data: [DONE]\r\n\r\n'),
    },
    'no [DONE]': {
      events: [chunk({ delta: { content: 'The answer is B.' } }), chunk({ finish_reason: 'stop' })],
    },
    'no empty line at the end': {
      events: [
        chunk({ delta: { content: 'The answer is B.' } }),
        `data: ${JSON.stringify(chunk({ finish_reason: 'stop' }))}\n\ndata: [DONE]`,
      ],
    },
    'chunks behind the finish reason': {
      deltas: [
        { content: 'The answer is B.' },
        chunk({ finish_reason: 'stop' }),
        chunk({ delta: { content: '' } }),
      ],
    },
    'the finish reason is empty until the end': {
      deltas: [chunk({ delta: { content: 'The answer is B.' }, finish_reason: '' })],
    },
    'a first chunk without choices': {
      deltas: [
        { id: '', model: '', choices: [], prompt_filter_results: [] },
        { content: 'The answer is B.' },
      ],
    },
    'a chunk whose choices are null': {
      deltas: [{ id: 'x', choices: null }, { content: 'The answer is B.' }],
    },
    'a choice without a delta': {
      deltas: [
        { content: 'The answer is B.' },
        { choices: [{ index: 0, finish_reason: null, content_filter_offsets: {} }] },
      ],
    },
    'a letter in two pieces of the line': {
      deltas: [{ content: 'The answer is B.' }, { content: '' }],
    },
  }),
  ...rows(
    'anthropic',
    {
      'comments and pings of Anthropic': {
        events: [
          ': hello\n\n',
          {
            type: 'message_start',
            message: {
              id: 'm',
              type: 'message',
              role: 'assistant',
              model: 'm',
              content: [],
              stop_reason: null,
              usage: { input_tokens: 9, output_tokens: 1 },
            },
          },
          { type: 'ping' },
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          {
            type: 'content_block_delta',
            index: 0,
            delta: { type: 'text_delta', text: 'The answer is B.' },
          },
          { type: 'content_block_stop', index: 0 },
          {
            type: 'message_delta',
            delta: { stop_reason: 'end_turn' },
            usage: { output_tokens: 7 },
          },
          { type: 'message_stop' },
        ],
      },
      'a start that has text': {
        events: [
          {
            type: 'message_start',
            message: {
              id: 'm',
              type: 'message',
              role: 'assistant',
              model: 'm',
              content: [],
              stop_reason: null,
              usage: { input_tokens: 9, output_tokens: 1 },
            },
          },
          {
            type: 'content_block_start',
            index: 0,
            content_block: { type: 'text', text: 'The answer ' },
          },
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'is B.' } },
          {
            type: 'message_delta',
            delta: { stop_reason: 'end_turn' },
            usage: { output_tokens: 7 },
          },
          { type: 'message_stop' },
        ],
      },
    },
    { usage: [9, 7] },
  ),
  // Counts.
  ...rows('openai-chat', { 'usage in the last chunk': B }, { usage: [100, 20] }),
  ...rows(
    'openai-chat',
    {
      'usage is null': { text: 'The answer is B.', rest: { usage: null } },
      'usage is missing': { text: 'The answer is B.', rest: { usage: undefined } },
      'usage is empty': { text: 'The answer is B.', rest: { usage: {} } },
    },
    { usage: null, form: 'whole' },
  ),
  ...rows(
    'openai-chat',
    {
      'usage beside the finish reason': {
        deltas: [
          { content: 'The answer is B.' },
          chunk({ finish_reason: 'stop' }, { usage: { prompt_tokens: 7, completion_tokens: 3 } }),
        ],
        finish: null,
        rest: { usage: null },
      },
      'usage in each chunk, growing': {
        deltas: [
          chunk(
            { delta: { content: 'The answer is B.' } },
            { usage: { prompt_tokens: 7, completion_tokens: 1 } },
          ),
          chunk({ finish_reason: 'stop' }, { usage: { prompt_tokens: 7, completion_tokens: 3 } }),
        ],
        finish: null,
        rest: { usage: null },
      },
    },
    { usage: [7, 3] },
  ),
  ...rows(
    'openai-chat',
    {
      'cached tokens of OpenAI': {
        text: 'The answer is B.',
        rest: {
          usage: {
            prompt_tokens: 100,
            completion_tokens: 20,
            prompt_tokens_details: { cached_tokens: 64 },
          },
        },
      },
      'cached tokens of DeepSeek': {
        text: 'The answer is B.',
        rest: {
          usage: {
            prompt_tokens: 100,
            completion_tokens: 20,
            prompt_cache_hit_tokens: 64,
            prompt_cache_miss_tokens: 36,
          },
        },
      },
      'cached tokens of Moonshot': {
        text: 'The answer is B.',
        rest: { usage: { prompt_tokens: 100, completion_tokens: 20, cached_tokens: 64 } },
      },
    },
    { usage: [100, 20, 64], form: 'whole' },
  ),
  ...rows(
    'openai',
    {
      'cached tokens of a response': {
        text: 'The answer is B.',
        rest: {
          usage: {
            input_tokens: 100,
            output_tokens: 20,
            input_tokens_details: { cached_tokens: 64 },
          },
        },
      },
    },
    { usage: [100, 20, 64] },
  ),
  ...rows(
    'anthropic',
    {
      'cached tokens of a message': {
        text: 'The answer is B.',
        rest: {
          usage: {
            input_tokens: 10,
            cache_read_input_tokens: 64,
            cache_creation_input_tokens: 26,
            output_tokens: 20,
          },
        },
      },
    },
    { usage: [100, 20, 64] },
  ),
  // Calls in pieces, as gateways send them.
  ...rows(
    'openai-chat',
    before({
      'a call in the form before tool_calls, in pieces': {
        deltas: [
          { function_call: { name: TOOL, arguments: ARGS.slice(0, 5) } },
          { function_call: { arguments: ARGS.slice(5) } },
        ],
        finish: 'function_call',
      },
      'an empty object before the arguments': {
        deltas: [
          piece({ index: 0, id: 'c1', function: named('{}') }),
          piece({ index: 0, function: { arguments: ARGS.slice(0, 5) } }),
          piece({ index: 0, function: { arguments: ARGS.slice(5) } }),
        ],
        finish: 'tool_calls',
      },
      'an id of its own for each piece': {
        deltas: [
          piece({ index: 0, id: 'c1', function: named(ARGS.slice(0, 5)) }),
          piece({ index: 0, id: 'c2', function: { arguments: ARGS.slice(5) } }),
        ],
        finish: 'tool_calls',
      },
      'a name in pieces': {
        deltas: [
          piece({ index: 0, id: 'c1', function: { name: TOOL.slice(0, 5), arguments: '' } }),
          piece({ index: 0, function: { name: TOOL.slice(5), arguments: ARGS } }),
        ],
        finish: 'tool_calls',
      },
      'whole calls and no finish reason': {
        deltas: [piece({ index: 0, id: 'c1', function: named(ARGS) })],
        finish: null,
      },
    }),
    { sent: [NOTE_TEXT], unsent: ['Error'] },
  ),
  ...rows(
    'openai-chat',
    before({
      'two calls of one index without ids': {
        deltas: [
          piece({ index: 0, id: '', function: named(ARGS) }),
          piece({ index: 0, id: '', function: named(PART_2) }),
        ],
        finish: 'tool_calls',
      },
    }),
    { sent: [NOTE_TEXT, '"content":"Error'] },
  ),
  ...rows(
    'openai-chat',
    before({
      'the form before tool_calls beside an empty list': {
        message: { content: null, tool_calls: [], function_call: named(ARGS) },
        finish: 'function_call',
      },
    }),
    { sent: [NOTE_TEXT], form: 'whole' },
  ),
  ...rows('openai-chat', {
    'a message in a chunk': {
      events: [chunk({ message: { content: 'The answer is B.' }, finish_reason: 'stop' })],
    },
    'no finish reason before [DONE]': { deltas: [{ content: 'The answer is B.' }], finish: null },
    'a whole reply to who asked for a stream': {
      events: [
        JSON.stringify(chunk({ message: { content: 'The answer is B.' }, finish_reason: 'stop' })),
      ],
    },
    'empty events and pings': {
      deltas: ['data: {}\n\n', 'data: {"type":"ping"}\n\n', { content: 'The answer is B.' }],
    },
    'a text with a value': {
      message: { content: [{ type: 'text', text: { value: 'The answer is B.' } }] },
    },
    'a thought of another type': {
      message: { content: 'The answer is B.', reasoning: { steps: ['hm'] } },
    },
    'a thought that is a number': {
      message: { content: 'The answer is B.', reasoning_content: 7 },
    },
  }),
  ...rows(
    'openai-chat',
    {
      'counts in the choice': {
        events: [
          chunk({ delta: { content: 'The answer is B.' } }),
          chunk({ finish_reason: 'stop', usage: { prompt_tokens: 7, completion_tokens: 3 } }),
        ],
      },
    },
    { usage: [7, 3] },
  ),
  // In a stream the SDK throws it.
  ...rows(
    'openai-chat',
    {
      'an error that is none': {
        text: 'The answer is B.',
        rest: { error: { code: '0', message: 'success' } },
      },
    },
    { form: 'whole' },
  ),
  ...rows('anthropic', {
    'no start of a block': {
      events: [
        START,
        {
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'text_delta', text: 'The answer is B.' },
        },
        ...STOP,
      ],
    },
    'a text in the start of the message': {
      events: [
        {
          ...START,
          message: {
            ...START.message,
            content: [text('The answer is B.')].map(({ text }) => ({ type: 'text', text })),
          },
        },
        ...STOP,
      ],
    },
    'events without names': {
      events: [
        START,
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        {
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'text_delta', text: 'The answer is B.' },
        },
        ...STOP,
      ].map((event) => `data: ${JSON.stringify(event)}\n\n`),
    },
    'a whole message to who asked for a stream': {
      events: [
        JSON.stringify({
          ...START.message,
          content: [{ type: 'text', text: 'The answer is B.' }],
          stop_reason: 'end_turn',
        }),
      ],
    },
  }),
  ...rows('openai', {
    'a last event without items': {
      events: [
        {
          type: 'response.output_item.done',
          output_index: 0,
          item: { ...SAID, content: [text('The answer is B.')] },
        },
        { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } },
      ],
    },
    'a whole response to who asked for a stream': {
      events: [
        JSON.stringify({
          id: 'r',
          object: 'response',
          status: 'completed',
          output: [{ ...SAID, content: [text('The answer is B.')] }],
        }),
      ],
    },
    'two parts of a message': {
      output: [{ ...SAID, content: [text('The answer'), text(' is B.')] }],
    },
  }),
];
