import type { CutShort, ErrorKind } from '../words/answer.ts';
import { pick } from '../words/fields.ts';

/** What a failure means: an error, or that this prompt was refused, which is an answer. */
export type FailureKind = ErrorKind | 'refusal';

/** What a server or an SDK says of a failure. */
export type Failed = Readonly<{
  /** The HTTP status, also one that a reply with status 200 states in its error; null for none. */
  status: number | null;
  /** The codes and types of the error, in lower case, with a blank between them. */
  codes: string;
  /** The words of the error and of those inside it. */
  text: string;
}>;

/** `remedy` says what helps, where that of the kind would mislead. */
type Rule = Readonly<{
  status?: readonly number[];
  code?: RegExp;
  text?: RegExp;
  kind: FailureKind;
  remedy?: string;
  /** How often the request is sent again, where it differs from the kind's number. */
  retries?: number;
}>;

/** What the user can do about a failure. */
export const REMEDIES = {
  rate_limit: 'Lower EVAL_CONCURRENCY or ask for a higher limit.',
  quota: 'Top up the account or raise its limit.',
  auth: 'Check the API key and what it may use.',
  bad_request: 'Check the model name and the parameters in EVAL_AGENT.',
  server: 'Run it again later.',
  network: 'Check the base URL and the connection.',
  bad_response: 'Check that the base URL is that of an API of this kind.',
} as const satisfies Partial<Record<ErrorKind, string>>;

const RUN_AGAIN = 'The next run asks again.';

/** Statuses with which servers refuse a prompt, by a filter of their own or of a gateway. */
const REFUSING = [400, 403, 406, 422, 424, 446, 451];

/**
 * The failures of all servers; the first rule that fits counts, and all its conditions must hold.
 * Words come before statuses: gateways give a refused prompt, a used-up account and a refused key
 * the same status.
 */
const RULES: readonly Rule[] = [
  // By its code, a refused prompt: its words may warn the account.
  {
    code: /content[_-]?(?:filter|policy|moderation|blocked)|responsibleai|^(?:.* )?invalid_prompt\b|data_?inspection|moderation_blocked|guardrail|policy_violation|sensitive|prohibited_content|content_exists_risk|safety_(?:error|violation|check)|censorship/,
    kind: 'refusal',
  },

  // Of the account. Its words may name a policy, as those of a refused prompt do.
  {
    code: /insufficient_(?:quota|balance|credits?|funds)|billing|arrear|exceeded_current_quota|budget_exceeded/,
    kind: 'quota',
  },
  {
    text: /credit balance|insufficient (?:account )?(?:credits?|balance|funds)|(?:used all|out of|not enough|no remaining|exhausted)(?: [a-z']+){0,4} credits?\b|no balance|spend(?:ing)? limit|specified api usage limits|budget has been exceeded|余额不足|欠费/i,
    kind: 'quota',
  },
  { status: [402], kind: 'quota' },
  {
    // A prompt may be told what could happen to the account.
    status: [400, 401, 403, 412],
    text: /(?:\b(?:your|this)\b[^.]{0,30}\b(?:account|organi[sz]ation|workspace|project|team|user|access|key)|(?:^|[.:\n]\s?)(?:the )?(?:account|organi[sz]ation|workspace|project|team)|\bapi[ _-]?key|\baccess)\b(?:(?!\b(?:may|might|can|could|would|if)\b)[^.]){0,60}\b(?:suspended|disabled|deactivated|terminated|banned|blocked|inactive|restricted|flagged|violat\w+)\b/i,
    kind: 'auth',
  },
  { code: /account_(?:deactivated|suspended|disabled)|api_key_invalid/, kind: 'auth' },
  {
    status: [400, 401, 403],
    text: /(?:incorrect|invalid|wrong|unknown|missing) api[ _-]?key|api[ _-]?key (?:not valid|not found|expired|is invalid|is not valid|has expired)/i,
    kind: 'auth',
  },

  // Of this prompt.
  { text: /new_sensitive|敏感/, kind: 'refusal' },
  {
    // OpenAI, Azure, OpenRouter, xAI, Anthropic, DeepSeek, Qwen, Z.ai, MiniMax, Bedrock, Google,
    // Cohere, LiteLLM, GitHub.
    status: REFUSING,
    text: /\bflagged\b|content[\s_-]?(?:filter|policy|management policy)|usage (?:policy|policies|guidelines)|responsible ai|safety (?:system|filter|check|polic|classifier)|SAFETY_CHECK|model armor|(?:content|requires|rejected by|blocked by|failed) moderation|moderation (?:system|filter|check|polic)|content exists risk|inappropriate content|(?:harmful|prohibited|sensitive|unsafe|disallowed|restricted|nsfw) (?:content|information|material)|(?:banned|forbidden|blocked) (?:word|keyword|phrase|topic)|keyword banned|(?:high|considered) risk|guardrails?\b[^.]{0,40}\b(?:interven|violat|block|trigger|reject|fail)|(?:violat|block|reject|fail)[^.]{0,40}\bguardrail (?:polic|check)|blocked (?:by|due to)[^.]{0,30}(?:security|safety|content)|(?:prompt injection|jailbreak)[^.]{0,30}(?:detect|attempt|attack|block)|(?:detect|block)[^.]{0,30}(?:prompt injection|jailbreak)|matched public code|违规|不安全/i,
    kind: 'refusal',
  },

  // Of a reply that the server could not read itself: the model may write a better one.
  {
    code: /tool_use_failed|tool_call_parse|output_parse_failed|json_validate_failed|malformed_(?:function_call|tool)/,
    kind: 'server',
    remedy: `The server could not read what the model wrote. ${RUN_AGAIN}`,
    retries: 2,
  },

  {
    status: [413, 429],
    text: /request too large for|tokens per min[^.]{0,200}\brequested\b/i,
    kind: 'rate_limit',
    remedy: 'This request alone is above the limit. Ask for a higher one, or name another model.',
    retries: 0,
  },
  { code: /rate_?limit|too_many_requests|throttl/, kind: 'rate_limit' },
  {
    code: /context_(?:length|window|size)|too_large|too_long/,
    kind: 'bad_request',
    remedy: 'The conversation is too long for this model.',
  },
  {
    status: [400, 413, 422, 500],
    text: /(?:maximum|max|exceeds?|model's|available) (?:the )?(?:model's |available )?context|context (?:length|window|size)|(?:prompt|input|request) is too (?:long|large)|too many (?:input )?tokens/i,
    kind: 'bad_request',
    remedy: 'The conversation is too long for this model.',
  },
  { status: [429], kind: 'rate_limit' },
  { status: [401], kind: 'auth' },
  {
    status: [400, 403, 405, 406, 418, 444, 451],
    text: /^\s*<(?:!doctype|!--|\?xml|html|head|body)|^\s*error code: 10\d\d/i,
    kind: 'server',
    remedy: `A firewall before the server refused this request. ${RUN_AGAIN}`,
    retries: 0,
  },
  { status: [451], kind: 'refusal' },
  { status: [403], kind: 'auth' },
  // 408, 425 and 499 are timeouts, 409 a conflict of the server, 498 Groq's full flex tier.
  { status: [408, 409, 425, 498, 499], kind: 'server' },
  { status: range(500, 599), kind: 'server' },
  {
    text: /does(?:n't| not) support (?:tools?|function)|(?:tools?|function calling|tool use) (?:is|are) not supported|enable-auto-tool-choice|tool-call-parser|No endpoints found that support tool use/i,
    kind: 'bad_request',
    remedy: 'The model takes no tools: add tools=off in EVAL_AGENT.',
  },
  {
    text: /(?:image|vision|picture)s? (?:inputs? |content )?(?:is|are) not (?:supported|available|allowed)|(?:n't|not) support (?:image|vision)|support image input|at most 0 images?/i,
    kind: 'bad_request',
    remedy: 'The model takes no pictures: add images=off in EVAL_AGENT.',
  },
  {
    text: /\b(?:include|store|encrypted_content)\b[^.]{0,60}(?:not permitted|not supported|unsupported|unknown|unrecognized|extra)|(?:unsupported|unknown|unrecognized|extra)[^.]{0,40}\b(?:include|store|encrypted_content)\b/i,
    status: [400, 422],
    kind: 'bad_request',
    remedy: 'The server keeps no encrypted reasoning: add encrypted_reasoning=off in EVAL_AGENT.',
  },
  {
    text: /invalid schema for (?:function|tool)|input_schema|schema is invalid/i,
    kind: 'bad_request',
    remedy: 'Leave out the tool that is named, or correct its schema in its MCP server.',
  },
  {
    status: [404],
    kind: 'bad_request',
    // The addresses of the two APIs look alike.
    remedy:
      "Check the model name, and the base URL: OpenAI's form ends in /v1, Anthropic's does not.",
  },
  { status: range(400, 499), kind: 'bad_request' },

  // Without a status.
  { code: /authentication|permission|invalid_api_key/, kind: 'auth' },
  { code: /overloaded|server_error|api_error|timeout|unavailable|capacity/, kind: 'server' },
  { code: /invalid|not_found|unsupported/, kind: 'bad_request' },
];

/** The kind of a failure and what helps; null if nothing is known of it. */
export function findFailure(
  failed: Failed,
): Readonly<{ kind: FailureKind; remedy?: string; retries?: number }> | null {
  const rule = RULES.find((each) => fits(each, failed));
  return rule === undefined ? null : pick(rule, 'kind', 'remedy', 'retries');
}

function fits(rule: Rule, { status, codes, text }: Failed): boolean {
  // A reply with status 200 that states no other may refuse a prompt too.
  const hasStatus = rule.status === REFUSING && status === null;
  if (rule.status !== undefined && !hasStatus && !rule.status.some((each) => each === status))
    return false;
  return (rule.code?.test(codes) ?? true) && (rule.text?.test(text) ?? true);
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/**
 * How a reply ended. A call of a reply that was cut is never run, since its last argument may lack
 * half. "broken": the provider gave up the reply, "malformed": it could not read the model's.
 */
export type Ending = 'whole' | 'paused' | 'refusal' | 'broken' | 'malformed' | CutShort;

/**
 * The finish reasons of all servers, in lower case and without "_", "-" and blanks; the first that
 * fits counts. All others, such as "stop", end a whole reply.
 */
const ENDINGS: readonly (readonly [Exclude<Ending, 'whole'>, RegExp])[] = [
  ['paused', /^pauseturn$/],
  [
    'malformed',
    /malformed|unexpectedtoolcall|toomanytoolcalls|missingthoughtsignature|functioncallfilter|tooluseinvalid|noimage/,
  ],
  [
    'broken',
    /^(?:un)?load$|^other$|^error$|(?:network|server|internal|engine|api)error|ratelimit|timelimit|insufficient|overload|unavailable|abort|cancel|interrupt|timeout|failed|unspecified|enginedead/,
  ],
  ['context_window', /context|^modellength$|^errorlimit$/],
  ['max_tokens', /length|max\w{0,20}tokens|tokenlimit/],
  [
    'refusal',
    /refus|content(?:filter|polic|block)|safety|sensitive|recitation|block|prohibited|spii|armor|toxic|guardrail|moderation|flagged|^risk$|^language$|imageother/,
  ],
  ['incomplete', /^incomplete$|^repetition$/],
  ['broken', /error/],
];

/**
 * Reads a finish reason. Gateways write two, as in "content_filter: SAFETY" and
 * "FinishReason.STOP"; the last known counts.
 */
export function readEnding(stop: string | null | undefined): Ending {
  const words = (stop ?? '')
    .split(/[:/,.]/)
    .map((word) => word.toLowerCase().replace(/[\s_-]/g, ''));
  const endings = words.flatMap((word) => {
    const [ending] = ENDINGS.find(([, pattern]) => pattern.test(word)) ?? [];
    return ending ?? [];
  });
  return endings.at(-1) ?? 'whole';
}

/** A finish reason as its server calls it; null for none, which some servers write as a word. */
export function readStop(stop: unknown): string | null {
  return typeof stop !== 'string' || /^(?:null|none)?$/i.test(stop) ? null : stop;
}

/** Why a text is not whole; null if it is. */
export function toCutShort(ending: Ending): CutShort | null {
  return CUT.find((each) => each === ending) ?? null;
}

const CUT: readonly CutShort[] = ['max_tokens', 'context_window', 'incomplete'];
