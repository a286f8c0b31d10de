import type { WireReply } from './forms.ts';
import {
  ARGS,
  B,
  before,
  chatCall,
  chatCalls,
  INPUT,
  item,
  NOTE_TEXT,
  type Row,
  rows,
  START,
  TOOL,
  thought,
  use,
} from './row.ts';

const LONG = 'x'.repeat(1_100_000);
const SAID = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' };
const text = (text: string) => [{ type: 'output_text', text, annotations: [] }];

/** What models write as arguments. The second is how the call can be read, if at all. */
const WRITTEN: Readonly<Record<string, readonly [unknown, 'read' | 'refused']>> = {
  'arguments with text behind them': [`${ARGS} and go on`, 'read'],
  'arguments twice': [ARGS + ARGS, 'read'],
  'arguments encoded twice': [JSON.stringify(ARGS), 'read'],
  'arguments in a fence': [`\`\`\`json\n${ARGS}\n\`\`\``, 'read'],
  'arguments as a Python dict': ["{'name': 'note.txt'}", 'read'],
  'arguments with a comma too many': ['{"name": "note.txt",}', 'read'],
  'arguments with space around': [` \n${ARGS}\n `, 'read'],
  'arguments in broken JSON': ['{"name": note', 'refused'],
  'arguments that are cut': ['{"name":"no', 'refused'],
  'arguments that are empty': ['', 'refused'],
  'arguments that are blank': [' \n', 'refused'],
  'arguments null as text': ['null', 'refused'],
  'arguments null': [null, 'refused'],
  'arguments as a list': ['["note.txt"]', 'refused'],
  'arguments as a bare text': ['note.txt', 'refused'],
  'arguments as a number': ['42', 'refused'],
  'arguments as a list, not as text': [['note.txt'], 'refused'],
};

/** What can be read may be read, or the model may try again; what cannot is an error that it sees. */
function written(api: Row['api'], make: (args: unknown) => WireReply): readonly Row[] {
  return Object.entries(WRITTEN).map(([what, [args, how]]) => ({
    name: `${what} (${api})`,
    api,
    replies: [make(args), B],
    ...(how === 'read' ? {} : { sent: ['Error'], unsent: [NOTE_TEXT] }),
  }));
}

/** Replies that would be refused, if they were sent back as they came. */
export const HISTORY: readonly Row[] = [
  ...written('openai-chat', (args) => chatCalls([chatCall(args)])),
  ...written('openai', (args) => ({ output: [item(args)] })),
  ...rows(
    'anthropic',
    before({
      'an input as a list': { content: [use(['note.txt'])] },
      'an input that is null': { content: [use(null)] },
      'an input as a number': { content: [use(42)] },
      'an input as broken text': { content: [use('{"name": note')] },
      'an input as an empty text': { content: [use('')] },
      'an input without the name': { content: [use({})] },
    }),
    { sent: ['Error'] },
  ),
  ...rows(
    'openai-chat',
    before({
      'no arguments': chatCalls([{ id: 'c1', type: 'function', function: { name: TOOL } }]),
      'no function': chatCalls([{ id: 'c1', type: 'function' }]),
      'a name of another tool': chatCalls([chatCall(ARGS, {}, { name: 'no_such_tool' })]),
      'an empty name': chatCalls([chatCall(ARGS, {}, { name: '' })]),
      'a missing name': chatCalls([chatCall(ARGS, {}, { name: undefined })]),
      'a null name': chatCalls([chatCall(ARGS, {}, { name: null })]),
      'a name that is too long': chatCalls([chatCall(ARGS, {}, { name: 'x'.repeat(200) })]),
      'a name of other letters': chatCalls([chatCall(ARGS, {}, { name: 'lire la pièce jointe' })]),
      'a name that is code': chatCalls([chatCall(ARGS, {}, { name: `${TOOL}(name="note.txt")` })]),
    }),
    { sent: ['Error'] },
  ),
  // A name that means the tool beyond doubt is that tool, or the model may try again.
  ...rows(
    'openai-chat',
    before({
      'a name with functions.': chatCalls([chatCall(ARGS, {}, { name: `functions.${TOOL}` })]),
      'a name with default_api.': chatCalls([chatCall(ARGS, {}, { name: `default_api.${TOOL}` })]),
      'a name with functions: and a number': chatCalls([
        chatCall(ARGS, { id: `functions.${TOOL}:0` }, { name: `functions.${TOOL}:0` }),
      ]),
      'a name with a channel': chatCalls([
        chatCall(ARGS, {}, { name: `${TOOL}<|channel|>commentary` }),
      ]),
      'a name with a special token': chatCalls([
        chatCall(ARGS, {}, { name: `<|tool_call_begin|>${TOOL}` }),
      ]),
      'a name with space around': chatCalls([chatCall(ARGS, {}, { name: ` ${TOOL}\n` })]),
      'an id with dots and a colon': chatCalls([chatCall(ARGS, { id: `functions.${TOOL}:0` })]),
      'an id of 300 letters': chatCalls([chatCall(ARGS, { id: 'c'.repeat(300) })]),
      'one id twice in a reply': chatCalls([chatCall(), chatCall('{"name":"b.txt"}')]),
      'one id in two replies': [chatCalls([chatCall()]), chatCalls([chatCall()])],
      'one id in three replies': [
        chatCalls([chatCall()]),
        chatCalls([chatCall(), chatCall()]),
        chatCalls([chatCall()]),
      ],
      'empty ids in two replies': [
        chatCalls([chatCall(ARGS, { id: '' })]),
        chatCalls([chatCall(ARGS, { id: '' })]),
      ],
      'an id that viva would make': [
        chatCalls([chatCall(ARGS, { id: '' }), chatCall(ARGS, { id: 'call_0_0' })]),
      ],
      'a blank text beside a call': chatCalls([chatCall()], { content: '\n\n' }),
      'a blank part beside a call': chatCalls([chatCall()], {
        content: [{ type: 'text', text: ' ' }],
      }),
      'a text of a million letters beside a call': chatCalls([chatCall()], { content: LONG }),
      'arguments of a million letters': chatCalls([
        chatCall(JSON.stringify({ name: 'note.txt', why: LONG })),
      ]),
      'an empty refusal beside a call': chatCalls([chatCall()], { refusal: '' }),
      'fields of the server beside a call': chatCalls([chatCall(ARGS, { index: 0, service: 1 })], {
        audio: null,
        function_call: null,
        annotations: [],
        service: { x: 1 },
        executed_tools: [],
      }),
      'a half letter in a text': chatCalls([chatCall()], { content: 'Look \ud83d' }),
      'a half letter in the arguments': chatCalls([
        chatCall('{"name":"note.txt","why":"\\ud83d"}'),
      ]),
      'a half letter in a name': chatCalls([chatCall(ARGS, {}, { name: `${TOOL}\udc00` })]),
      'a half letter in an id': chatCalls([chatCall(ARGS, { id: 'c\ud83d' })]),
      'a half letter in a thought': chatCalls([chatCall()], { reasoning: 'hm \ud83d' }),
    }),
  ),
  ...rows(
    'openai',
    before({
      'no name of an item': { output: [item(ARGS, { name: undefined })] },
      'a dotted name of an item': { output: [item(ARGS, { name: `functions.${TOOL}` })] },
      'an item id of 400 letters': {
        output: [thought('r'.repeat(400)), item(ARGS, { id: 'f'.repeat(400) })],
      },
      'a call_id of 100 letters': { output: [item(ARGS, { call_id: 'c'.repeat(100) })] },
      'one call_id twice in a response': { output: [item(), item(ARGS, { id: 'fc_2' })] },
      'one call_id in two responses': [
        { output: [item()] },
        { output: [item(ARGS, { id: 'fc_2' })] },
      ],
      'one item id in two responses': [
        { output: [item()] },
        { output: [item(ARGS, { call_id: 'c2' })] },
      ],
      'one reasoning id in two responses': [
        { output: [thought(), item()] },
        { output: [thought(), item(ARGS, { id: 'fc_2', call_id: 'c2' })] },
      ],
      'fields of the server in items': {
        output: [
          { ...thought(), created_by: 'x' },
          item(ARGS, { parsed_arguments: null, created_by: 'x' }),
        ],
      },
      'an unknown item beside a call': { output: [{ type: 'memo', id: 'm', text: 'x' }, item()] },
      'a blank message beside a call': { output: [{ ...SAID, content: text(' ') }, item()] },
      'an empty message beside a call': { output: [{ ...SAID, content: [] }, item()] },
      'a message of a million letters beside a call': {
        output: [{ ...SAID, content: text(LONG) }, item()],
      },
      'a half letter in a message': { output: [{ ...SAID, content: text('Look \ud83d') }, item()] },
      'reasoning without encrypted content': {
        output: [thought('rs_1', { encrypted_content: undefined }), item()],
      },
      'reasoning without summary': { output: [thought('rs_1', { summary: undefined }), item()] },
    }),
  ),
  ...rows(
    'anthropic',
    before({
      'a blank text before the call': { content: [{ type: 'text', text: '\n\n' }, use()] },
      'a blank text behind the call': {
        content: [use(), { type: 'text', text: ' ' }],
        stop: 'tool_use',
      },
      'an empty text before the call': { content: [{ type: 'text', text: '' }, use()] },
      'one id twice in a message': { content: [use(), use()] },
      'one id in two messages': [{ content: [use()] }, { content: [use()] }],
      'one id in three messages': [
        { content: [use()] },
        { content: [use(), use()] },
        { content: [use()] },
      ],
      'an id with dots of a block': { content: [use(INPUT, { id: `functions.${TOOL}:0` })] },
      'an id with spaces': { content: [use(INPUT, { id: 'call 1' })] },
      'a dotted name of a block': { content: [use(INPUT, { name: `functions.${TOOL}` })] },
      'an empty name of a block': { content: [use(INPUT, { name: '' })] },
      'a missing name of a block': { content: [use(INPUT, { name: undefined })] },
      'fields of the server in blocks': {
        content: [
          { type: 'text', text: 'I read it.', index: 0 },
          use(INPUT, { index: 1, cache_control: null }),
        ],
      },
      'a half letter in a block': { content: [{ type: 'text', text: 'Look \ud83d' }, use()] },
      'a half letter in an input': { content: [use({ ...INPUT, why: '\ud83d' })] },
      'thinking without signature': { content: [{ type: 'thinking', thinking: 'hm' }, use()] },
      'thinking with an empty signature': {
        content: [{ type: 'thinking', thinking: 'hm', signature: '' }, use()],
      },
    }),
  ),
  ...rows(
    'openai-chat',
    before({
      'a blank part beside a thought': chatCalls([chatCall()], {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
          { type: 'text', text: '' },
        ],
      }),
    }),
  ),
  ...rows(
    'openai',
    before({
      'a blank part of a message': {
        output: [{ ...SAID, content: [...text(''), ...text('I read')] }, item()],
      },
      'a thought behind the call': { output: [thought('rs_a'), item(), thought('rs_b')] },
    }),
  ),
  ...rows(
    'anthropic',
    before({
      "a provider's own call in pieces": {
        events: [
          START,
          {
            type: 'content_block_start',
            index: 0,
            content_block: {
              type: 'server_tool_use',
              id: 'srvtoolu_1',
              name: 'web_search',
              input: {},
            },
          },
          {
            type: 'content_block_delta',
            index: 0,
            delta: { type: 'input_json_delta', partial_json: '{"query":' },
          },
          {
            type: 'content_block_delta',
            index: 0,
            delta: { type: 'input_json_delta', partial_json: '"x"}' },
          },
          { type: 'content_block_stop', index: 0 },
          {
            type: 'message_delta',
            delta: { stop_reason: 'pause_turn' },
            usage: { output_tokens: 7 },
          },
          { type: 'message_stop' },
        ],
      },
    }),
    { sent: ['"input":{"query":"x"}'] },
  ),
  // The request that repeats it asks for no stream.
  ...rows(
    'anthropic',
    before({ 'an argument of the name stream': { content: [use({ ...INPUT, stream: true })] } }),
    {
      form: 'whole',
    },
  ),
];
