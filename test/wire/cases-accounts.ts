import { anthropicError, type Row, refusal, rows, SOON } from './row.ts';

const NO_BALANCE =
  'is suspended due to insufficient balance, please recharge your account or check your plan and billing details';
const GEMINI = {
  code: 400,
  message: 'API key not valid. Please pass a valid API key.',
  status: 'INVALID_ARGUMENT',
  details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }],
};
const inside = (error: unknown) => ({ body: { error }, headers: SOON });

const AUTH: Partial<Row> = { ends: 'error: auth', requests: 1 };
const QUOTA: Partial<Row> = { ends: 'error: quota', requests: 1 };
/** Both stop the agent, and servers mix them. */
const EITHER: Partial<Row> = { ends: ['error: auth', 'error: quota'], requests: 1 };

/** Keys and accounts that no question can pass: the agent stops at once. */
export const ACCOUNTS: readonly Row[] = [
  ...rows(
    'openai-chat',
    {
      'a wrong key at OpenAI': refusal(401, {
        message: 'Incorrect API key provided: sk-x.',
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_api_key',
      }),
      'a wrong key at OpenRouter': refusal(401, { message: 'User not found.', code: 401 }),
      'a wrong key at Azure': refusal(401, {
        code: '401',
        message: 'Access denied due to invalid subscription key or wrong API endpoint.',
      }),
      'a wrong key at Mistral': refusal(401, null, { message: 'Unauthorized', request_id: 'r' }),
      'a wrong key at vLLM': refusal(401, 'Unauthorized'),
      'a wrong key at LiteLLM': refusal(401, {
        message: 'Authentication Error, Invalid proxy server token passed',
        type: 'auth_error',
        param: 'None',
        code: '401',
      }),
      'a wrong key at Z.ai': refusal(401, { code: '1000', message: 'Authentication Failed' }),
      'a wrong key at a proxy': refusal(
        401,
        null,
        '<html><body>401 Authorization Required</body></html>',
      ),
      'a wrong key at Gemini': refusal(400, null, [{ error: GEMINI }]),
      'a wrong key at Gemini, not in a list': refusal(400, GEMINI),
      'a wrong key at xAI': refusal(400, null, {
        code: 'Client specified an invalid argument',
        error:
          'Incorrect API key provided: xa***. You can obtain an API key from https://console.x.ai.',
      }),
      'an account that is deactivated': refusal(401, {
        message: 'The OpenAI account associated with this API key has been deactivated.',
        type: 'invalid_request_error',
        code: 'account_deactivated',
      }),
      'a model without access': refusal(403, {
        message: 'Project `p` does not have access to model `m`',
        type: 'invalid_request_error',
        param: null,
        code: 'model_not_found',
      }),
      'a key without access': refusal(403, {
        message: 'The API key has no access to this model',
        type: 'permission_error',
        code: 'permission_denied',
      }),
      'a country without access': refusal(403, {
        message: 'Country, region, or territory not supported',
        type: 'request_forbidden',
        code: 'unsupported_country_region_territory',
      }),
      'a key of Gemini that leaked': refusal(403, null, [
        {
          error: {
            code: 403,
            message: 'Your API key was reported as leaked. Please use another API key.',
            status: 'PERMISSION_DENIED',
          },
        },
      ]),
      'a user of Bedrock without access': refusal(403, null, {
        Message: 'User: arn:aws:iam::1:user/u is not authorized to perform: bedrock:InvokeModel',
      }),
      'a token of Bedrock that is invalid': refusal(403, null, {
        message: 'The security token included in the request is invalid.',
      }),
      'an organisation that is restricted': refusal(400, {
        message:
          'Organization has been restricted. Please reach out to support if you believe this was in error.',
        type: 'invalid_request_error',
        code: 'organization_restricted',
      }),
    },
    AUTH,
  ),
  ...rows(
    'openai-chat',
    {
      'a used-up quota': refusal(429, {
        message: 'You exceeded your current quota, please check your plan and billing details.',
        type: 'insufficient_quota',
        param: null,
        code: 'insufficient_quota',
      }),
      'an account without billing': refusal(429, {
        message: 'Your account is not active, please check your billing details on our website.',
        type: 'billing_not_active',
        code: 'billing_not_active',
      }),
      'a billing limit': refusal(400, {
        message: 'Billing hard limit has been reached',
        type: 'invalid_request_error',
        code: 'billing_hard_limit_reached',
      }),
      'no balance at DeepSeek': refusal(402, {
        message: 'Insufficient Balance',
        type: 'unknown_error',
        param: null,
        code: 'invalid_request_error',
      }),
      'no credits at OpenRouter': refusal(402, {
        message: 'Insufficient credits. Add more using https://openrouter.ai/settings/credits',
        code: 402,
      }),
      'too few credits at OpenRouter': refusal(402, {
        message: 'This request requires more credits, or fewer max_tokens.',
        code: 402,
        metadata: { provider_name: null },
      }),
      'no balance at Moonshot': refusal(429, {
        message: `Your account org-1 <ak-1> ${NO_BALANCE}`,
        type: 'exceeded_current_quota_error',
      }),
      'no balance at Moonshot, behind a router': refusal(429, {
        message: 'Provider returned error',
        code: 429,
        metadata: {
          raw: JSON.stringify({
            error: {
              message: `Your account org-1 ${NO_BALANCE}`,
              type: 'exceeded_current_quota_error',
            },
          }),
        },
      }),
      'no balance at Z.ai': refusal(429, {
        code: '1113',
        message: 'Insufficient balance or no resource package. Please recharge.',
      }),
      'a payment that is due at Qwen': refusal(400, {
        code: 'Arrearage',
        type: 'Arrearage',
        message: 'Access denied, please make sure your account is in good standing.',
      }),
      'no balance at MiniMax': refusal(429, {
        type: 'insufficient_balance_error',
        message: 'insufficient balance (1008)',
      }),
      'a 402 without a body': refusal(402, null, ''),
    },
    QUOTA,
  ),
  ...rows(
    'openai-chat',
    {
      'no credits at xAI': refusal(403, null, {
        code: 'The caller does not have permission to execute the specified operation',
        error:
          "Your newly created teams doesn't have any credits yet. You can purchase credits on https://console.x.ai.",
      }),
      'a limit of a key at OpenRouter': refusal(403, {
        message:
          'Key limit exceeded (total limit). Manage it using https://openrouter.ai/settings/keys',
        code: 403,
      }),
      'an account that is suspended at Fireworks': refusal(412, {
        message: 'Account a is suspended, possibly due to reaching the monthly spending limit.',
        code: 'ACCOUNT_SUSPENDED',
      }),
      'a budget of LiteLLM': refusal(400, {
        message: 'Budget has been exceeded! Current cost: 10.1, Max budget: 10.0',
        type: 'budget_exceeded',
        param: null,
        code: '400',
      }),
    },
    EITHER,
  ),
  ...rows(
    'openai-chat',
    {
      'a wrong key inside a 200': inside({ message: 'No auth credentials found', code: 401 }),
      'a wrong key inside a 200, as text': inside({ message: 'Invalid API key', code: '401' }),
      'a wrong key inside a 200, as a word': inside({
        message: 'Invalid API key',
        type: 'authentication_error',
        code: 'invalid_api_key',
      }),
    },
    { ...AUTH, form: 'whole' },
  ),
  ...rows(
    'openai-chat',
    {
      'no credits inside a 200': inside({ message: 'Insufficient credits', code: 402 }),
      'no quota inside a 200': inside({
        message: 'You exceeded your current quota',
        code: 'insufficient_quota',
      }),
    },
    { ...QUOTA, form: 'whole' },
  ),
  ...rows(
    'openai-chat',
    {
      'no credits in a stream': {
        deltas: [{ content: 'The' }, { error: { message: 'Insufficient credits', code: 402 } }],
        finish: null,
      },
      'no quota in a stream': {
        deltas: [
          { error: { message: 'You exceeded your current quota', type: 'insufficient_quota' } },
        ],
        finish: null,
      },
    },
    QUOTA,
  ),
  ...rows(
    'openai',
    {
      'a wrong key for a response': refusal(401, {
        message: 'Incorrect API key provided',
        type: 'invalid_request_error',
        code: 'invalid_api_key',
      }),
      'a key without a scope': refusal(403, {
        message:
          'You have insufficient permissions for this operation. Missing scopes: api.responses.write.',
        type: 'invalid_request_error',
        code: null,
      }),
      'an organisation to verify': refusal(403, {
        message: 'Your organization must be verified to use the model `m`.',
        type: 'invalid_request_error',
        code: 'unsupported_value',
      }),
    },
    AUTH,
  ),
  ...rows(
    'openai',
    {
      'no quota for a response': refusal(429, {
        message: 'You exceeded your current quota',
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      }),
      'a failed response without quota': {
        output: [],
        status: 'failed',
        rest: { error: { code: 'insufficient_quota', message: 'You exceeded your current quota' } },
      },
    },
    QUOTA,
  ),
  ...rows(
    'anthropic',
    {
      'a wrong key at Anthropic': anthropicError(401, 'authentication_error', 'invalid x-api-key'),
      'a key without permission': anthropicError(
        403,
        'permission_error',
        'Your API key does not have permission to use the specified resource.',
      ),
      'an organisation that is disabled': anthropicError(
        400,
        'invalid_request_error',
        'This organization has been disabled.',
      ),
    },
    AUTH,
  ),
  ...rows(
    'anthropic',
    {
      'a low credit balance': anthropicError(
        400,
        'invalid_request_error',
        'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.',
      ),
      'a billing error': anthropicError(
        402,
        'billing_error',
        'There is a problem with your billing.',
      ),
      'a spending limit': anthropicError(
        400,
        'invalid_request_error',
        'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.',
      ),
      'no balance at Z.ai in the form of Anthropic': anthropicError(
        429,
        '1113',
        'Insufficient balance or no resource package. Please recharge.',
      ),
    },
    QUOTA,
  ),
  ...rows(
    'openai-chat',
    {
      'an account that was flagged': refusal(403, 'Your account has been flagged for abuse'),
      'an account that violates policies': refusal(
        403,
        'Access terminated because your account violates our usage policies',
      ),
      'a model for moderation that is not allowed': refusal(403, {
        message: 'You are not allowed to use omni-moderation-latest',
        code: 'model_not_found',
      }),
      'a key that is limited to models': refusal(
        403,
        'API key is not allowed by guardrail restrictions to use model x',
      ),
    },
    AUTH,
  ),
  // Of the request, whatever its words name.
  ...rows(
    'openai-chat',
    {
      'a parameter that is called moderation': refusal(400, "Unsupported parameter: 'moderation'"),
      'a model for moderation': refusal(
        400,
        'The model `text-moderation-007` cannot be used with this endpoint',
      ),
      ...Object.fromEntries(
        [
          'What does content moderation mean?',
          'Who was out of 12 credits?',
          'The key witness was banned from the team.',
          'Your account was suspended, why?',
        ].map((question) => [
          `a validator that repeats "${question}"`,
          refusal(422, {
            message: `[{'type': 'extra_forbidden', 'loc': ('body', 'x'), 'msg': 'Extra inputs are not permitted', 'input': '${question}'}]`,
          }),
        ]),
      ),
      'a list of a validator': refusal(422, null, {
        detail: [
          {
            type: 'extra_forbidden',
            msg: 'Extra inputs are not permitted',
            input: 'Your account was suspended.',
          },
        ],
      }),
    },
    { ends: 'error: bad_request', requests: 1 },
  ),
];
