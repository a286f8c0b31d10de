import { anthropicError, REFUSED, type Row, refusal, rows, SOON } from './row.ts';

const FILTER = {
  code: 'content_filter',
  message:
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
  type: null,
  param: 'prompt',
  status: 400,
  innererror: {
    code: 'ResponsibleAIPolicyViolation',
    content_filter_result: {
      hate: { filtered: true, severity: 'high' },
      jailbreak: { filtered: false, detected: false },
    },
  },
};
const FLAGGED = {
  code: 403,
  message: 'Your chosen model requires moderation and your input was flagged',
  metadata: { reasons: ['violence'], flagged_input: 'x', provider_name: 'OpenAI' },
};
const XAI = {
  code: 'The caller does not have permission to execute the specified operation',
  error:
    'Content violates usage guidelines. Team: t, API key ID: k, Model: grok-4, Failed check: SAFETY_CHECK_TYPE_BIO',
};
const INVALID_PROMPT = {
  code: 'invalid_prompt',
  type: 'invalid_request_error',
  message: 'Invalid prompt: your prompt was flagged as potentially violating our usage policy.',
};
const BLOCKED =
  '<!DOCTYPE html><html><head><title>Attention Required! | Cloudflare</title></head><body>Sorry, you have been blocked</body></html>';
const chunkOf = (choice: object) => ({
  id: 'x',
  model: 'm',
  choices: [{ index: 0, delta: {}, finish_reason: null, ...choice }],
});
const inside = (error: unknown) => ({ body: { id: null, choices: null, error }, headers: SOON });

/** What does not want to answer this prompt: the question has no answer, and the next one is asked. */
export const REFUSALS: readonly Row[] = [
  ...rows(
    'openai-chat',
    {
      'a 400 of Azure': refusal(400, FILTER),
      'a 400 of Azure with its filter alone': refusal(400, {
        ...FILTER,
        message: 'The request was filtered.',
        innererror: undefined,
      }),
      'a 400 of OpenAI for the prompt': refusal(400, INVALID_PROMPT),
      'a 400 of OpenAI for content': refusal(400, {
        code: 'content_policy_violation',
        type: 'invalid_request_error',
        message: 'Your request was rejected as a result of our safety system.',
      }),
      'a 403 of OpenRouter': refusal(403, FLAGGED),
      'a 403 of OpenRouter with its code as text': refusal(403, { ...FLAGGED, code: '403' }),
      'a 403 of OpenRouter without reasons': refusal(403, {
        code: 403,
        message:
          'openai/gpt-5 requires moderation on OpenAI. Your input was flagged for "harassment"',
      }),
      'a 403 of xAI': refusal(403, null, XAI),
      'a 403 of xAI for pictures': refusal(403, null, {
        ...XAI,
        error: 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_CSAM',
      }),
      'a 400 of DeepSeek': refusal(400, {
        message: 'Content Exists Risk',
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_request_error',
      }),
      'a 400 of DeepSeek as a detail': refusal(400, null, { detail: 'Content Exists Risk' }),
      'a 400 of Qwen': refusal(400, {
        code: 'data_inspection_failed',
        type: 'data_inspection_failed',
        param: null,
        message: 'Input data may contain inappropriate content.',
      }),
      'a 400 of Qwen for the output': refusal(400, {
        code: 'DataInspectionFailed',
        message: 'Output data may contain inappropriate content.',
      }),
      'a 400 of Z.ai': refusal(400, {
        code: '1301',
        message: 'System detected potentially unsafe or sensitive content in input or generation.',
      }),
      'a 400 of Z.ai with a list': refusal(400, null, {
        contentFilter: [{ level: 1, role: 'user' }],
        error: { code: '1301', message: 'sensitive content' },
      }),
      'a 400 of Moonshot': refusal(400, {
        code: 400,
        message: 'The request was rejected because it was considered high risk',
        param: 'prompt',
        type: 'content_filter',
      }),
      'a 500 of MiniMax': refusal(500, {
        type: 'server_error',
        message:
          "input new_sensitive, messages[1]'s content[0] text is sensitive, please check your input (1026)",
        http_code: '500',
      }),
      'a 422 of MiniMax for the output': refusal(422, {
        type: 'bad_request_error',
        message: 'output new_sensitive (1027)',
      }),
      'a 400 of LiteLLM': refusal(400, {
        message:
          'litellm.BadRequestError: litellm.ContentPolicyViolationError: AzureException - The response was filtered',
        type: null,
        param: null,
        code: '400',
      }),
      'a guardrail of LiteLLM': refusal(400, {
        message: "{'error': 'Violated guardrail policy', 'bedrock_guardrail_response': 'Sorry'}",
        type: 'None',
        param: 'None',
        code: '400',
      }),
      'a 446 of Portkey': refusal(446, {
        message:
          'The guardrail checks defined in the config failed. You can find more information in the `hook_results` object.',
        type: 'hooks_failed',
        param: null,
        code: null,
      }),
      'a 424 of Cloudflare': refusal(424, null, {
        success: false,
        error: [{ code: 2016, message: 'Prompt blocked due to security configurations' }],
      }),
      'an error as a text': refusal(400, 'content_filter: the prompt was filtered'),
    },
    { ends: REFUSED, requests: 1, unsaid: ['Check the model name'] },
  ),
  ...rows(
    'openai-chat',
    {
      'a page of a firewall': refusal(403, null, BLOCKED),
      'a page of another firewall': refusal(
        403,
        null,
        '<html><head><title>403 Forbidden</title></head><body><center><h1>403 Forbidden</h1></center><hr><center>nginx</center></body></html>',
      ),
      'a page with 405': refusal(
        405,
        null,
        '<!doctypehtml><html lang="zh-cn"><title>405</title></html>',
      ),
    },
    {
      ends: [REFUSED, 'error: bad_response', 'error: server'],
      unsaid: ['Check the key', 'Check the model name'],
    },
  ),
  ...rows(
    'openai-chat',
    {
      'a refusal inside a 200': inside(FLAGGED),
      'a refusal of Azure inside a 200': inside({ ...FILTER, status: 400 }),
      'a refusal of Qwen inside a 200': inside({
        code: 'data_inspection_failed',
        message: 'Output data may contain inappropriate content.',
      }),
      'a refusal of MiniMax inside a 200': {
        body: {
          choices: null,
          base_resp: { status_code: 1026, status_msg: 'input new_sensitive' },
          input_sensitive: true,
        },
      },
      'a message that is null': { message: null, finish: 'content_filter' },
      'a message that is null without a word why': { message: null, finish: 'PROHIBITED_CONTENT' },
      'a refusal field': { message: { content: null, refusal: 'I cannot help.' } },
    },
    { ends: REFUSED, requests: 1, form: 'whole' },
  ),
  ...rows(
    'openai-chat',
    {
      'a refusal part': { message: { content: [{ type: 'refusal', refusal: 'I cannot help.' }] } },
    },
    { ends: REFUSED, requests: 1, form: 'whole', byAi: false },
  ),
  ...rows(
    'openai-chat',
    Object.fromEntries(
      [
        'content_filter',
        'SAFETY',
        'PROHIBITED_CONTENT',
        'BLOCKLIST',
        'SPII',
        'RECITATION',
        'IMAGE_SAFETY',
        'sensitive',
        'content_filtered',
        'guardrail_intervened',
        'refusal',
        'content-filter',
      ].map((finish) => [`finish reason ${finish}`, { message: { content: null }, finish }]),
    ),
    { ends: REFUSED, requests: 1 },
  ),
  ...rows(
    'openai-chat',
    {
      'finish reason of Azure with half an answer': {
        message: { content: 'The answer is A' },
        finish: 'content_filter',
        choice: { content_filter_results: { hate: { filtered: true } } },
      },
      'finish reason in small letters': { message: { content: null }, finish: 'safety' },
      'finish reason of Gemini with its prefix': {
        message: { content: null },
        finish: 'content_filter: PROHIBITED_CONTENT',
      },
      'finish reason as the provider calls it': {
        message: { content: null },
        finish: 'content_filter',
        choice: { native_finish_reason: 'SAFETY' },
      },
    },
    { ends: REFUSED, requests: 1 },
  ),
  ...rows(
    'openai-chat',
    {
      'a filter in the stream': {
        deltas: [{ content: 'The answer is A' }, chunkOf({ finish_reason: 'content_filter' })],
        finish: null,
      },
      'an error of a filter in the stream': {
        deltas: [
          { content: 'The answer is A' },
          { error: { code: 'content_filter', message: 'The response was filtered.' } },
        ],
        finish: null,
      },
      'a flagged prompt in the stream': {
        deltas: [
          {
            error: FLAGGED,
            choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
          },
        ],
        finish: null,
      },
      'a refusal in deltas': { deltas: [{ refusal: 'I cannot ' }, { refusal: 'help.' }] },
    },
    { ends: REFUSED, requests: 1 },
  ),
  ...rows(
    'openai',
    {
      'a 400 of OpenAI for a response': refusal(400, INVALID_PROMPT),
      'a 400 of Azure for a response': refusal(400, FILTER),
      'a 403 of xAI for a response': refusal(403, null, XAI),
      'a failed response for the prompt': {
        output: [],
        status: 'failed',
        rest: {
          error: {
            code: 'invalid_prompt',
            message: 'Invalid prompt: flagged as potentially violating our usage policy.',
          },
        },
      },
      'a response that a filter ended': {
        output: [],
        status: 'incomplete',
        rest: { incomplete_details: { reason: 'content_filter' } },
      },
      'a refusal part of a response': {
        output: [
          {
            type: 'message',
            id: 'm',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'refusal', refusal: 'I cannot help.' }],
          },
        ],
      },
    },
    { ends: REFUSED, requests: 1 },
  ),
  ...rows(
    'openai',
    {
      'an error event for the prompt': {
        events: [
          { type: 'response.created', response: { id: 'r', output: [] } },
          {
            type: 'error',
            code: 'invalid_prompt',
            message: 'Invalid prompt: flagged.',
            param: null,
          },
        ],
      },
      'an error event of a filter': {
        events: [
          {
            type: 'error',
            error: { code: 'content_filter', message: 'The response was filtered.' },
          },
        ],
      },
    },
    { ends: REFUSED, requests: 1 },
  ),
  ...rows(
    'anthropic',
    {
      'stop reason refusal': { content: [], stop: 'refusal' },
      'stop reason refusal with half an answer': {
        content: [{ type: 'text', text: 'The answer is A' }],
        stop: 'refusal',
        rest: { stop_details: { type: 'refusal', category: 'cyber' } },
      },
      'a 400 for blocked output': anthropicError(
        400,
        'invalid_request_error',
        'Output blocked by content filtering policy',
      ),
      'a guardrail of Bedrock': {
        content: [{ type: 'text', text: 'Sorry, the model cannot answer.' }],
        stop: 'guardrail_intervened',
      },
      'a filter of Bedrock': { content: [], stop: 'content_filtered' },
      'a 400 of Z.ai in the form of Anthropic': anthropicError(
        400,
        '1301',
        'System detected potentially unsafe or sensitive content in input or generation.',
      ),
      'a 446 of Portkey in the form of Anthropic': anthropicError(
        446,
        'hooks_failed',
        'The guardrail checks defined in the config failed.',
      ),
      'a 403 of OpenRouter in the form of Anthropic': anthropicError(
        403,
        'permission_error',
        'Your chosen model requires moderation and your input was flagged',
      ),
    },
    { ends: REFUSED, requests: 1, unsaid: ['Check the model name'] },
  ),
  ...rows(
    'anthropic',
    {
      'an error event for blocked output': {
        events: [
          {
            type: 'error',
            error: {
              type: 'invalid_request_error',
              message: 'Output blocked by content filtering policy',
            },
          },
        ],
      },
    },
    { ends: REFUSED, requests: 1 },
  ),
  ...rows(
    'openai-chat',
    {
      'banned words at a gateway': refusal(
        400,
        'Request blocked: the user prompt contains banned words',
      ),
      'restricted content at a gateway': refusal(
        403,
        'The user message contains restricted content',
      ),
      'a security policy': refusal(403, 'Request blocked by AI security policy'),
      'a warning for the account': refusal(400, {
        code: 'invalid_prompt',
        message:
          'Your prompt was flagged. Further violations may lead to your account being suspended.',
      }),
      'a 451 without words': refusal(451, { message: 'Unavailable' }),
      'a 451 of StepFun': refusal(451, {
        message: 'The content is censored',
        type: 'censorship_blocked',
      }),
      'a 400 of Volcengine': refusal(400, {
        code: 'InputTextSensitiveContentDetected',
        message: 'The request failed because the input text may contain sensitive information.',
      }),
      "Google's practices": refusal(
        400,
        "The prompt could not be submitted: it violates Google's Responsible AI practices.",
      ),
      'Model Armor': refusal(
        400,
        'Blocked by Model Armor floor settings: the prompt matched a filter.',
      ),
      'a banned keyword at LiteLLM': refusal(400, 'Keyword banned. Keyword=x'),
      'an attack at LiteLLM': refusal(400, 'Rejected message. This is a prompt injection attack.'),
      'classifiers of Cohere': refusal(422, null, { message: 'blocked by our safety classifiers' }),
      'public code at GitHub': refusal(422, 'The response matched public code and was withheld'),
      'a text of Spark': {
        body: { error: { code: '10014', message: '输出内容涉及敏感信息，审核不通过' } },
        headers: SOON,
      },
      'a list of Cloudflare': refusal(424, null, {
        errors: [{ message: 'AiError: the prompt was flagged by the content filter', code: 3030 }],
        success: false,
      }),
      'the words of a provider inside a router': refusal(400, {
        message: 'Provider returned error',
        code: 400,
        metadata: {
          raw: '{"error":{"message":"The response was filtered","code":"content_filter"}}',
        },
      }),
    },
    { ends: REFUSED, requests: 1, unsaid: ['Check the model name'] },
  ),
  ...rows(
    'anthropic',
    {
      'the words of a provider inside a gateway': refusal(400, null, {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'Provider returned error',
          metadata: { raw: '{"code":"content_filter"}' },
        },
      }),
    },
    { ends: REFUSED, requests: 1 },
  ),
];
