import { expect, test } from 'vitest';
import { findFailure, readEnding } from './failures.ts';

test.each([
  // A refusal of this prompt.
  ['refusal', 400, 'content_filter', 'The response was filtered'],
  ['refusal', 400, 'invalid_request_error invalid_prompt', 'Invalid prompt'],
  ['refusal', 400, 'data_inspection_failed', 'Input data may contain inappropriate content.'],
  ['refusal', 400, 'invalid_request_error', 'Output blocked by content filtering policy'],
  ['refusal', 400, 'invalid_request_error', 'Content Exists Risk'],
  ['refusal', 400, '1301', '系统检测到输入或生成内容可能包含不安全或敏感内容'],
  ['refusal', 400, '', 'The request was rejected because it was considered high risk'],
  ['refusal', 400, '', 'input new_sensitive (1026)'],
  ['refusal', 400, '', 'Your request was rejected as a result of our safety system.'],
  ['refusal', 403, '', 'Your chosen model requires moderation and your input was flagged'],
  ['refusal', 403, '', 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO'],
  ['refusal', 446, '', 'Guardrail checks failed'],
  ['refusal', null, 'content_filter', 'filtered'],
  ['refusal', null, '', 'Your input was flagged'],
  // Of the account or its key.
  ['auth', 401, 'invalid_api_key', 'Incorrect API key'],
  ['auth', 403, 'permission_denied', 'no access to this model'],
  ['auth', 403, '', 'Your account was suspended for a violation of our usage policies'],
  ['auth', 400, '', 'This organization has been disabled.'],
  ['quota', 402, '', 'pay'],
  ['quota', 429, 'insufficient_quota', 'You exceeded your current quota'],
  ['quota', 400, 'invalid_request_error', 'Your credit balance is too low'],
  ['quota', 403, '', 'Your team has used all available credits'],
  ['quota', 400, 'arrearage', 'Access denied'],
  // Of the server.
  ['rate_limit', 429, 'resource_exhausted', 'You exceeded your current quota'],
  ['rate_limit', 400, 'throttlingexception', 'Too many tokens'],
  ['server', 498, 'capacity_exceeded', 'Flex tier capacity exceeded'],
  ['server', 524, '', '<html>timeout</html>'],
  ['server', 400, 'tool_use_failed', 'Failed to call a function.'],
  ['server', 403, '', '<!DOCTYPE html><title>Attention Required!</title>'],
  ['server', null, 'overloaded_error', 'Overloaded'],
  // Of the request.
  ['bad_request', 400, 'invalid_request_error', 'Unknown parameter: seed'],
  ['bad_request', 404, 'model_not_found', 'no such model'],
  ['bad_request', 413, '', 'Request too large'],
  ['bad_request', 400, 'context_length_exceeded', 'maximum context length is 8192 tokens'],
])('%s: status %s, codes %j, %j', (kind, status, codes, text) => {
  expect(findFailure({ status, codes, text })?.kind).toBe(kind);
});

test.each([
  ['the model x does not support tools', 'tools=off'],
  ['image input is not supported by this model', 'images=off'],
  ["Invalid schema for function 'mcp__x': object schema missing properties", 'MCP server'],
  ['prompt is too long: 210000 tokens > 200000 maximum', 'too long for this model'],
])('the remedy of %j names %s', (text, named) => {
  expect(findFailure({ status: 400, codes: '', text })?.remedy).toContain(named);
});

test('nothing is known of an error without status, code and words', () => {
  expect(findFailure({ status: null, codes: '', text: 'x is not a function' })).toBeNull();
});

test.each([
  ['whole', ['stop', 'end_turn', 'STOP', 'COMPLETE', 'tool_calls', 'eos_token', '', null, 'new']],
  ['max_tokens', ['length', 'max_tokens', 'MAX_TOKENS', 'max_output_tokens']],
  ['context_window', ['model_length', 'model_context_window_exceeded']],
  [
    'refusal',
    [
      'content_filter',
      'content-filter',
      'SAFETY',
      'sensitive',
      'content_filter: PROHIBITED_CONTENT',
      'refusal',
    ],
  ],
  ['malformed', ['MALFORMED_FUNCTION_CALL', 'function_call_filter: UNEXPECTED_TOOL_CALL']],
  ['broken', ['error', 'network_error', 'insufficient_system_resource', 'abort']],
  ['paused', ['pause_turn']],
] as const)('%s is how a reply ends with %j', (ending, stops) => {
  expect(stops.map(readEnding)).toEqual(stops.map(() => ending));
});
