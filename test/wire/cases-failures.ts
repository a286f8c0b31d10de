import {
  anthropicError,
  B,
  before,
  chatCalls,
  item,
  NOTE_TEXT,
  RIGHT,
  type Row,
  refusal,
  rows,
  SOON,
  START,
  use,
} from './row.ts';

const HTML = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';
const A = 'The answer is A. '.repeat(40);
const inside = (error: unknown, more: object = {}) => ({
  body: { id: null, ...more, error },
  headers: SOON,
});
const BLOCK = [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'The answer is A' } },
];
const eventError = (type: string) => ({
  events: [START, ...BLOCK, { type: 'error', error: { type, message: type } }],
});
const failed = (code: string) => ({
  output: [],
  status: 'failed',
  rest: { error: { code, message: code } },
});
const busy = (error: unknown) => ({
  deltas: [{ content: 'The answer is A' }, { error }],
  finish: null,
});

/** What passes: the same request again is answered. */
export const FAILURES: readonly Row[] = [
  ...rows(
    'openai-chat',
    before(
      Object.fromEntries(
        [
          408, 409, 425, 429, 498, 499, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527,
          529, 530,
        ].map((status) => [
          `status ${status}`,
          refusal(status, { message: 'Provider returned error' }),
        ]),
      ),
    ),
    { form: 'whole' },
  ),
  ...rows(
    'openai-chat',
    before({
      'a page with 502': refusal(502, null, HTML),
      'a page with 524': refusal(524, null, HTML),
      'no body with 503': refusal(503, null, ''),
      'a text with 500': {
        status: 500,
        headers: { ...SOON, 'content-type': 'text/plain' },
        body: 'Internal Server Error',
      },
      'a code of Z.ai with 429': refusal(429, {
        code: '1302',
        message: 'Rate limit reached for requests',
      }),
      'too many at once at Moonshot': refusal(429, {
        message:
          'Your account is limited to 1 concurrent request, please try again after 1 seconds',
        type: 'rate_limit_reached_error',
      }),
      'an engine that is overloaded': refusal(429, {
        message: 'The engine is currently overloaded, please try again later',
        type: 'engine_overloaded_error',
      }),
      'a quota of a minute at Gemini': refusal(429, null, [
        {
          error: {
            code: 429,
            message: 'You exceeded your current quota. Please retry in 1s.',
            status: 'RESOURCE_EXHAUSTED',
            details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' }],
          },
        },
      ]),
      'a capacity of Groq': refusal(498, {
        message: 'Flex tier capacity exceeded',
        type: 'capacity_exceeded',
      }),
      'a call that Groq could not read': refusal(400, {
        message: "Failed to call a function. See 'failed_generation' for more details.",
        type: 'invalid_request_error',
        code: 'tool_use_failed',
        failed_generation: '<function=f>{}</function>',
      }),
      'a server that wants it again': {
        ...refusal(400, { message: 'try again' }),
        headers: { ...SOON, 'x-should-retry': 'true' },
      },
      'a reset before the headers': { fault: 'reset' },
    }),
  ),
  // Failures with status 200.
  ...rows(
    'openai-chat',
    before({
      ...Object.fromEntries(
        [408, 429, 500, 502, 503, 504, 524, 529].map((code) => [
          `code ${code} inside a 200`,
          inside({ message: 'Provider returned error', code }),
        ]),
      ),
      'code "429" inside a 200': inside({ message: 'Provider returned error', code: '429' }),
      'code "502" inside a 200': inside({ message: 'Provider returned error', code: '502' }),
      'rate_limit_exceeded inside a 200': inside({
        message: 'Rate limit reached',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      }),
      'server_error inside a 200': inside({
        message: 'The server had an error',
        type: 'server_error',
        code: null,
      }),
      'overloaded_error inside a 200': inside({ message: 'Overloaded', type: 'overloaded_error' }),
      'an error beside choices that are null': inside(
        { message: 'Provider returned error', code: 502 },
        { choices: null },
      ),
      'an error beside choices that are empty': inside(
        { message: 'Provider returned error', code: 502 },
        { choices: [] },
      ),
      'an error in the choice': {
        message: { content: 'The answer is A' },
        finish: 'error',
        choice: { error: { code: 502, message: 'Provider disconnected' } },
      },
      'a status beside the error': {
        body: { error: { message: 'Timed out', status: 504 } },
        headers: SOON,
      },
      'an error as a text inside a 200': {
        body: { error: 'upstream connect error or disconnect/reset before headers' },
        headers: SOON,
      },
      'a status of another kind inside a 200': {
        body: {
          object: 'error',
          message: 'Internal server error',
          type: 'InternalServerError',
          code: 500,
        },
        headers: SOON,
      },
      'choices that are empty': { body: { id: 'x', choices: [] }, headers: SOON },
      'choices that are null': { body: { id: 'x', choices: null }, headers: SOON },
      'no choices': { body: { id: 'x' }, headers: SOON },
      'no message': { body: { choices: [{ index: 0, finish_reason: 'stop' }] }, headers: SOON },
      'null for a reply': {
        body: 'null',
        headers: { ...SOON, 'content-type': 'application/json' },
      },
      'a list for a reply': { body: [], headers: SOON },
      'a page for a reply': { body: HTML, headers: SOON },
      'a page as JSON': { body: HTML, headers: { ...SOON, 'content-type': 'application/json' } },
      'an empty reply': { body: '', headers: { ...SOON, 'content-type': 'application/json' } },
      'half a reply': {
        body: '{"choices":[{"message":{"content":"The answer is A',
        headers: { ...SOON, 'content-type': 'application/json' },
      },
      'a reply cut in the body': { text: A, cut: 120, headers: SOON },
      'a reply cut behind its first letter': { text: A, cut: 1, headers: SOON },
      'a reply cut before its body': { text: A, cut: 0, headers: SOON },
    }),
    { form: 'whole' },
  ),
  ...rows(
    'openai-chat',
    before({
      'a stream cut in a text': { text: A, cut: 700, headers: SOON },
      'a stream cut before its first event': { text: A, cut: 0, headers: SOON },
      'a stream cut in its first event': { text: A, cut: 40, headers: SOON },
    }),
    { form: 'streamed' },
  ),
  ...rows(
    'openai-chat',
    before({
      'code 502 in a stream': busy({ code: 502, message: 'Provider disconnected' }),
      'code "502" in a stream': busy({ code: '502', message: 'Provider disconnected' }),
      'code 429 in a stream': busy({ code: 429, message: 'Rate limited' }),
      'server_error in a stream': busy({
        type: 'server_error',
        message: 'The server had an error',
      }),
      'an error of vLLM in a stream': busy({
        object: 'error',
        message: 'EngineCore died',
        type: 'InternalServerError',
        param: null,
        code: 500,
      }),
      'an error as a text in a stream': busy('upstream disconnected'),
      'an event of errors': {
        deltas: [
          { content: 'The answer is A' },
          'event: error\ndata: {"message":"overloaded","code":503}\n\n',
        ],
        finish: null,
      },
      'an error at the start of a stream': {
        deltas: [{ error: { code: 503, message: 'No instance available' } }],
        finish: null,
      },
      'an error beside choices in a stream': {
        deltas: [
          { content: 'The answer is A' },
          {
            error: { code: 502, message: 'x' },
            choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
          },
        ],
        finish: null,
      },
      'a finish reason error in a stream': {
        deltas: [{ content: 'The answer is A' }],
        finish: 'error',
      },
      'a stream without an end': {
        events: [
          { choices: [{ index: 0, delta: { content: 'The answer is A' }, finish_reason: null }] },
        ],
      },
      'a stream that only says [DONE]': { events: ['data: [DONE]\n\n'] },
      'a stream of comments alone': { events: [': OPENROUTER PROCESSING\n\n'] },
      'a page for a stream': { body: HTML, headers: SOON },
      'an empty stream': { events: [] },
      'half an event': {
        events: [
          { choices: [{ index: 0, delta: { content: 'The answer is A' }, finish_reason: null }] },
          'data: {"choices":[{"ind',
        ],
      },
    }),
  ),
  // Replies that a gateway broke.
  ...rows(
    'openai-chat',
    before({
      ...Object.fromEntries(
        [
          'MALFORMED_FUNCTION_CALL',
          'UNEXPECTED_TOOL_CALL',
          'MALFORMED_RESPONSE',
          'malformed_function_call',
          'function_call_filter: MALFORMED_FUNCTION_CALL',
          'malformed_model_output',
          'malformed_tool_use',
          'network_error',
          'insufficient_system_resource',
          'error',
          'abort',
        ].map((finish) => [
          `finish reason ${finish}`,
          { message: { content: '' }, finish, headers: SOON },
        ]),
      ),
      'half an answer of a server without resources': {
        message: { content: 'The answer is A beca' },
        finish: 'insufficient_system_resource',
      },
      'half an answer behind a broken network': {
        message: { content: 'The answer is A' },
        finish: 'network_error',
      },
      'tool_calls without calls': { message: { content: null }, finish: 'tool_calls' },
      'tool_calls with an empty list': {
        message: { content: null, tool_calls: [] },
        finish: 'tool_calls',
      },
    }),
  ),
  ...rows(
    'openai',
    before({
      'a 500 for a response': refusal(500, {
        message: 'The server had an error',
        type: 'server_error',
      }),
      'a page for a response': refusal(502, null, HTML),
      'a failed response: server_error': failed('server_error'),
      'a failed response: rate_limit_exceeded': failed('rate_limit_exceeded'),
      'a failed response: vector_store_timeout': failed('vector_store_timeout'),
      'a reset before the headers of a response': { fault: 'reset' },
    }),
  ),
  ...rows(
    'openai',
    before({
      'a response in progress': { output: [], status: 'in_progress', headers: SOON },
      'a response that is queued': { output: [], status: 'queued', headers: SOON },
      'a response without output': { output: [], headers: SOON },
      'a response whose output is null': { output: null, headers: SOON },
      'an error inside a 200 for a response': {
        body: { error: { message: 'Overloaded', code: 503 } },
        headers: SOON,
      },
      'a page with 200 for a response': { body: HTML, headers: SOON },
      'a response cut in the body': { text: A, cut: 120, headers: SOON },
    }),
    { form: 'whole' },
  ),
  ...rows(
    'openai',
    before({
      'an error event: server_error': {
        events: [{ type: 'error', code: 'server_error', message: 'x', param: null }],
      },
      'an error event: rate_limit_exceeded': {
        events: [{ type: 'error', code: 'rate_limit_exceeded', message: 'x', param: null }],
      },
      'an error event with an error inside': {
        events: [{ type: 'error', error: { type: 'server_error', code: null, message: 'x' } }],
      },
      'a response without its last event': {
        events: [
          { type: 'response.created', response: { id: 'r', output: [] } },
          { type: 'response.output_text.delta', delta: 'The answer is A' },
        ],
      },
      'an empty stream for a response': { events: [] },
    }),
  ),
  ...rows(
    'openai',
    before({ 'a stream of a response cut': { text: A, cut: 900, headers: SOON } }),
    { form: 'streamed' },
  ),
  ...rows(
    'anthropic',
    before({
      'status 529 of Anthropic': anthropicError(529, 'overloaded_error', 'Overloaded'),
      'status 500 of Anthropic': anthropicError(500, 'api_error', 'Internal server error'),
      'status 504 of Anthropic': anthropicError(504, 'timeout_error', 'Timed out'),
      'status 429 of Anthropic': anthropicError(429, 'rate_limit_error', 'Too many requests'),
      'a page for a message': refusal(502, null, HTML),
      'a reset before the headers of a message': { fault: 'reset' },
      'a tool_use without a call': { content: [], stop: 'tool_use' },
      'a tool_use with a text alone': {
        content: [{ type: 'text', text: 'I read it.' }],
        stop: 'tool_use',
      },
      'a malformed_tool_use of Bedrock': { content: [], stop: 'malformed_tool_use' },
      'a malformed_model_output of Bedrock': { content: [], stop: 'malformed_model_output' },
    }),
  ),
  ...rows(
    'anthropic',
    before({
      'a message that is unfinished': {
        content: [{ type: 'text', text: 'The answer is A' }],
        stop: null,
        headers: SOON,
      },
      'an overloaded_error inside a 200': {
        body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
        headers: SOON,
      },
      'an api_error inside a 200': {
        body: { type: 'error', error: { type: 'api_error', message: 'x' } },
        headers: SOON,
      },
      'a page with 200 for a message': { body: HTML, headers: SOON },
      'a message without content': { content: undefined, stop: 'end_turn', headers: SOON },
      'a message whose content is null': { content: null, stop: 'end_turn', headers: SOON },
      'a message cut in the body': { text: A, cut: 120, headers: SOON },
    }),
    { form: 'whole' },
  ),
  ...rows(
    'anthropic',
    before({
      ...Object.fromEntries(
        ['overloaded_error', 'api_error', 'rate_limit_error', 'timeout_error'].map((type) => [
          `${type} in a stream`,
          eventError(type),
        ]),
      ),
      'a message without its last event': { events: [START, ...BLOCK] },
      'a message without a stop reason': { events: [START, ...BLOCK, { type: 'message_stop' }] },
      'an empty stream for a message': { events: [] },
    }),
  ),
  ...rows(
    'anthropic',
    before({ 'a stream of a message cut': { text: A, cut: 900, headers: SOON } }),
    { form: 'streamed' },
  ),
  // A call is a call, whatever the stop reason says.
  ...rows(
    'anthropic',
    before({
      'a call that ends with end_turn': {
        content: [{ type: 'text', text: 'I read it.' }, use()],
        stop: 'end_turn',
      },
      'a call that ends with stop_sequence': { content: [use()], stop: 'stop_sequence' },
      'a call that ends with a new word': { content: [use()], stop: 'function_call' },
    }),
    { sent: [NOTE_TEXT] },
  ),
  // What will not pass is not tried again.
  ...rows(
    'openai-chat',
    {
      'a wrong parameter': refusal(400, {
        message: "Invalid value: 'max_tokens'",
        type: 'invalid_request_error',
        code: 'invalid_value',
      }),
      'a wrong model': refusal(404, {
        message: 'The model `m` does not exist',
        type: 'invalid_request_error',
        code: 'model_not_found',
      }),
      'a prompt that is too long': refusal(400, {
        message: "This model's maximum context length is 8192 tokens.",
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      }),
      'code 400 inside a 200': inside({ message: 'Invalid value', code: 400 }),
    },
    { ends: 'error: bad_request', requests: 1, form: 'whole' },
  ),
  ...rows(
    'openai-chat',
    {
      'code 400 in a stream': busy({ code: 400, message: 'Invalid value' }),
      'invalid_request_error in a stream': busy({
        type: 'invalid_request_error',
        message: 'Invalid value',
      }),
    },
    { ends: 'error: bad_request', requests: 1 },
  ),
  // A wrong address gives no other reply, so it is asked less often.
  ...rows(
    'openai-chat',
    {
      'a page for ever': { body: HTML, headers: SOON },
      'choices that are empty for ever': { body: { id: 'x', choices: [] }, headers: SOON },
    },
    { ends: 'error: server', requests: 3, unsaid: ['Check the model name'], form: 'whole' },
  ),
  // What does not pass is asked again by the next run.
  ...rows(
    'openai-chat',
    {
      'finish reason network_error for ever': {
        message: { content: '' },
        finish: 'network_error',
        headers: SOON,
      },
      'code 503 inside a 200 for ever': inside({ message: 'No instance', code: 503 }),
    },
    {
      ends: ['error: server', 'error: network'],
      requests: 5,
      unsaid: ['Check the model name'],
      form: 'whole',
    },
  ),
  ...rows(
    'openai-chat',
    {
      'a broken reply behind a call': [
        chatCalls([
          {
            id: 'c1',
            type: 'function',
            function: { name: 'read_attachment', arguments: '{"name":"note.txt"}' },
          },
        ]),
        { body: HTML, headers: SOON },
        B,
      ],
    },
    { sent: [NOTE_TEXT], form: 'whole' },
  ),
  ...rows(
    'openai',
    { 'a failed response behind a call': [{ output: [item()] }, failed('server_error'), B] },
    { sent: [NOTE_TEXT] },
  ),
  ...rows(
    'anthropic',
    {
      'an error behind a call': [
        { content: [use()] },
        anthropicError(529, 'overloaded_error', 'Overloaded'),
        B,
      ],
    },
    { sent: [NOTE_TEXT], ends: RIGHT },
  ),
  ...rows(
    'openai-chat',
    {
      'a firewall that begins with a comment': refusal(403, null, '<!-- blocked --><html></html>'),
      'a firewall in XHTML': refusal(403, null, '<?xml version="1.0"?><html></html>'),
      'a firewall that says a number': refusal(403, null, 'error code: 1020'),
    },
    { ends: 'error: server', requests: 1 },
  ),
  ...rows(
    'openai-chat',
    {
      'a request above the limit of its minute': refusal(429, {
        message:
          'Request too large for model x on tokens per minute (TPM): Limit 6000, Requested 9000',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      }),
    },
    { ends: 'error: rate_limit', requests: 1 },
  ),
  ...rows(
    'openai-chat',
    {
      'a context that is too small at llama.cpp': refusal(500, {
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
      }),
    },
    { ends: 'error: bad_request', requests: 1, unsaid: ['Check the model name'] },
  ),
];
