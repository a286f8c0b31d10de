import { isDeepStrictEqual } from 'node:util';
import {
  type Api,
  type Fields,
  isFields,
  listOf,
  type Request,
  resultIdOf,
  type Turn,
} from './request.ts';
import { findSchemaProblems } from './schemas.ts';

/** One thing that servers refuse: in whose APIs, and the problems of a request in their words. */
type Check = {
  readonly what: string;
  readonly apis: readonly Api[];
  find(request: Request, given: Given): readonly string[];
};

/** The reply that each turn of the history repeats, as far as this server gave it. */
export type Given = ReadonlyMap<number, unknown>;

/** Why real servers would refuse this request; empty if they would not. */
export function findProblems(request: Request, given: Given): readonly string[] {
  return CHECKS.filter(({ apis }) => apis.includes(request.api)).flatMap((check) =>
    check.find(request, given),
  );
}

const ALL = ['openai-chat', 'openai', 'anthropic'] as const;
const OPENAI = ['openai-chat', 'openai'] as const;
const CHAT = ['openai-chat'] as const;
const RESPONSES = ['openai'] as const;
const ANTHROPIC = ['anthropic'] as const;

export const CHECKS: readonly Check[] = [
  {
    what: 'no model, or no message',
    apis: ALL,
    find: ({ body, entries }) => [
      ...(typeof body['model'] === 'string' ? [] : ['you must provide a model parameter']),
      ...(entries.length > 0 ? [] : ['messages: at least one message is required']),
    ],
  },
  {
    what: 'no `max_tokens`',
    apis: ANTHROPIC,
    find: ({ body }) => (body['max_tokens'] > 0 ? [] : ['max_tokens: Field required']),
  },
  {
    what: 'half of a surrogate pair in a text',
    apis: ALL,
    find: ({ body }) =>
      textsIn(body).flatMap(([at, text]) =>
        text.isWellFormed() ? [] : [`invalid JSON at ${at}: no low surrogate in string`],
      ),
  },
  {
    what: 'a text of more than 1,048,576 characters',
    apis: OPENAI,
    find: ({ body }) =>
      textsIn(body).flatMap(([at, { length }]) =>
        length <= MAX_TEXT
          ? []
          : [`Invalid '${at}': string too long (maximum ${MAX_TEXT}, got ${length})`],
      ),
  },
  {
    what: 'a text that is blank',
    apis: ALL,
    find: ({ entries, api }) => entries.flatMap((entry, index) => findBlank(api, entry, index)),
  },
  {
    what: 'arguments of a call that are no JSON object',
    apis: ALL,
    find: ({ api, turns }) =>
      callsOf(turns).flatMap(({ at, args }) => {
        const value = api === 'anthropic' ? args : parse(args);
        return isFields(value) ? [] : [`${at}: arguments must be a JSON object, got ${show(args)}`];
      }),
  },
  {
    what: 'a name of a call or a tool with other letters than `a-z`, `A-Z`, `0-9`, `_` and `-`, or more than 64',
    apis: ALL,
    find: ({ turns, tools }) =>
      [...callsOf(turns), ...tools].flatMap(({ name }) =>
        isName(name) ? [] : [`name ${show(name)} does not match '^[a-zA-Z0-9_-]{1,64}$'`],
      ),
  },
  {
    what: 'two tools of one name',
    apis: ALL,
    find: ({ tools }) =>
      twice(tools.map(({ name }) => name)).map((name) => `Tool names must be unique: ${name}`),
  },
  {
    what: 'a schema of a tool with `anyOf`, `oneOf`, `allOf`, `enum` or `not` at its root, without `properties`, with a list without `items`, or of an old draft',
    apis: ALL,
    find: ({ api, tools }) =>
      tools.flatMap(({ name, schema }) =>
        findSchemaProblems(api, schema).map(
          (problem) => `Invalid schema for '${name}': ${problem}`,
        ),
      ),
  },
  {
    what: 'an id of a call that is empty, has more than 64 letters (`openai:`), or others than `a-z`, `A-Z`, `0-9`, `_` and `-` (`anthropic:`)',
    apis: ALL,
    find: ({ api, turns }) =>
      callsOf(turns).flatMap(({ at, id }) =>
        typeof id === 'string' && IDS[api].test(id) ? [] : [`${at}: invalid id ${show(id)}`],
      ),
  },
  {
    what: 'one id for two calls',
    apis: ALL,
    find: ({ turns }) =>
      twice(callsOf(turns).map(({ id }) => id)).map((id) => `tool call ids must be unique: ${id}`),
  },
  {
    what: 'a call without exactly one result right behind it, or a result without its call',
    apis: ALL,
    find: findUnanswered,
  },
  {
    what: 'a call without its type',
    apis: CHAT,
    find: ({ turns }) =>
      callsOf(turns).flatMap(({ at, written }) =>
        written['type'] === 'function' ? [] : [`Missing required parameter: '${at}.type'`],
      ),
  },
  {
    what: 'a field that the API does not know',
    apis: ALL,
    find: findUnknown,
  },
  {
    what: 'one item twice, or an id of more than 64 letters',
    apis: RESPONSES,
    find: ({ entries }) => {
      const ids = entries.flatMap(({ id }) => id ?? []);
      return [
        ...twice(ids).map((id) => `Duplicate item found with id ${id}`),
        ...ids.filter(({ length }) => length > 64).map((id) => `id too long: ${show(id)}`),
      ];
    },
  },
  {
    what: 'a status that is no text',
    apis: RESPONSES,
    find: ({ entries }) =>
      entries.flatMap(({ status = '' }, index) =>
        typeof status === 'string' ? [] : [`Invalid type for 'input[${index}].status': ${status}`],
      ),
  },
  {
    what: 'reasoning without its summary or without what follows it, or not encrypted where nothing is stored',
    apis: RESPONSES,
    find: findLooseReasoning,
  },
  {
    what: 'signed thoughts that are missing, changed or elsewhere than they were',
    apis: ALL,
    find: findLost,
  },
  {
    what: 'thinking without its signature',
    apis: ANTHROPIC,
    find: ({ turns }) =>
      turns.flatMap(({ at, said }) =>
        blocksOf(said).some(({ type, signature }) => type === 'thinking' && !signature)
          ? [`${at}: thinking.signature: Field required`]
          : [],
      ),
  },
  {
    what: 'more than four blocks with `cache_control`',
    apis: ANTHROPIC,
    find: ({ body }) =>
      JSON.stringify(body).split('"cache_control":{').length > 5
        ? ['A maximum of 4 blocks with cache_control may be provided']
        : [],
  },
];

const MAX_TEXT = 1_048_576;

const IDS: Readonly<Record<Api, RegExp>> = {
  'openai-chat': /^[\s\S]+$/,
  openai: /^[\s\S]{1,64}$/,
  anthropic: /^[a-zA-Z0-9_-]+$/,
};

function isName(name: unknown): boolean {
  return typeof name === 'string' && /^[a-zA-Z0-9_-]{1,64}$/.test(name);
}

/** Every text of a body with its place. */
function textsIn(value: unknown, at = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[at, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    textsIn(part, at === '' ? key : `${at}.${key}`),
  );
}

/** Beside calls a chat message may have no text or an empty one. Anthropic allows neither. */
function findBlank(api: Api, entry: Fields, index: number): readonly string[] {
  const { role, content } = entry;
  const at = `${api === 'openai' ? 'input' : 'messages'}[${index}]`;
  if (role === undefined || role === 'tool') return [];
  const hasCalls = listOf(entry['tool_calls']).length > 0;
  if (Array.isArray(content)) {
    const blank = listOf(content).some(
      ({ text }) => typeof text === 'string' && text.trim() === '',
    );
    if (content.length > 0 && !blank) return [];
  } else if (hasCalls ? !content : false) return [];
  else if (typeof content === 'string' && content.trim() !== '') return [];
  return [`${at}: text content must be non-empty`];
}

function findUnanswered({ entries, turns }: Request): readonly string[] {
  const known = turns.flatMap(({ results }) => results);
  const all = entries
    .flatMap((entry) => [entry, ...listOf(entry['content'])])
    .map(resultIdOf)
    .filter((id) => id !== undefined);
  const stray = all.length - known.length;
  return [
    ...turns.flatMap(({ at, calls, results }) => [
      ...calls
        .filter(({ id }) => !results.includes(id))
        .map(({ id }) => `${at}: no result for the call ${id}`),
      ...twice(results).map((id) => `${at}: each call must have a single result (${id})`),
      ...results
        .filter((id) => calls.every((call) => call.id !== id))
        .map((id) => `${at}: no call for the result ${id}`),
    ]),
    ...(stray > 0 ? [`${stray} results that follow no call`] : []),
  ];
}

/** What servers read in a message of their own, by its type. Others may have their own fields. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  chat: ['role', 'content', 'name', 'tool_calls', 'refusal'],
  call: ['id', 'type', 'function', 'index'],
  text: ['type', 'text', 'citations', 'cache_control'],
  tool_use: ['type', 'id', 'name', 'input', 'cache_control', 'caller'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
  message: ['id', 'type', 'role', 'status', 'content', 'phase'],
  function_call: ['id', 'type', 'call_id', 'name', 'arguments', 'status', 'namespace'],
  reasoning: ['id', 'type', 'summary', 'content', 'encrypted_content', 'status'],
};

/** Fields of a message or a call that servers want back, from those that gave them. */
const WANTED_BACK: readonly string[] = [
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'reasoning_opaque',
  'reasoning_text',
  'thinking_blocks',
  'provider_specific_fields',
  'extra_content',
  'thought_signature',
];

function findUnknown({ api, turns }: Request, given: Given): readonly string[] {
  return turns.flatMap(({ at, said, calls }, index) => {
    const was = keysIn(given.get(index));
    const isKnown = (type: string, key: string) =>
      KNOWN[type]?.includes(key) !== false || (WANTED_BACK.includes(key) && was.has(key));
    const typed =
      api === 'openai-chat'
        ? [
            ...said.map((message) => ['chat', message] as const),
            ...calls.map(({ written }) => ['call', written] as const),
          ]
        : (api === 'anthropic' ? blocksOf(said) : said).map(
            (block) => [block['type'] ?? 'message', block] as const,
          );
    return typed.flatMap(([type, block]) =>
      Object.keys(block)
        .filter((key) => !isKnown(type, key))
        .map((key) => `${at}.${key}: Extra inputs are not permitted`),
    );
  });
}

function keysIn(value: unknown): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return new Set();
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return new Set([...own, ...Object.values(value).flatMap((part) => [...keysIn(part)])]);
}

function findLooseReasoning({ body, entries }: Request): readonly string[] {
  return entries.flatMap((item, index) => {
    const { type, id, summary, content, encrypted_content } = item;
    if (type !== 'reasoning') return [];
    const next = entries[index + 1] ?? {};
    const isFollowed =
      next['role'] === 'assistant' || /^(?:reasoning|\w+_call)$/.test(next['type'] ?? '');
    const isLost = body['store'] === false && !encrypted_content && !content;
    return [
      ...(Array.isArray(summary) ? [] : [`Missing required parameter: 'input[${index}].summary'`]),
      ...(isLost ? [`Item with id '${id}' not found: nothing is stored`] : []),
      ...(isFollowed
        ? []
        : [`Item '${id}' of type 'reasoning' without its required following item`]),
    ];
  });
}

/** The thoughts of Anthropic come back as they were; of others, each signed text at its place. */
function findLost({ api, turns }: Request, given: Given): readonly string[] {
  return turns.flatMap((turn, index) => {
    const reply = given.get(index);
    if (reply === undefined || turn.calls.length === 0) return [];
    if (api !== 'anthropic') return findLostSigns(turn, reply);
    const before = thoughtsOf(listOf(isFields(reply) ? reply['content'] : [])).filter(isSigned);
    return isDeepStrictEqual(before, thoughtsOf(blocksOf(turn.said)))
      ? []
      : [`${turn.at}: thinking blocks must remain as they were in the original response`];
  });
}

function findLostSigns({ at, said, calls }: Turn, reply: unknown): readonly string[] {
  const givenCalls = listOf(isFields(reply) ? reply['tool_calls'] : []);
  const ofCalls = givenCalls.flatMap((call, index) =>
    signsIn(call)
      .filter(
        (sign) => !JSON.stringify(calls[index]?.written ?? null).includes(JSON.stringify(sign)),
      )
      .map((sign) => `${at}: call ${index} is missing a thought_signature (${sign})`),
  );
  const whole = JSON.stringify(said);
  const lost = signsIn(reply).filter((sign) => !whole.includes(JSON.stringify(sign)));
  const thought = isFields(reply) ? reply['reasoning_content'] : undefined;
  const isThoughtLost =
    typeof thought === 'string' && thought !== '' && said[0]?.['reasoning_content'] !== thought;
  return [
    ...ofCalls,
    ...lost.map((sign) => `${at}: the reasoning of an earlier turn is missing (${sign})`),
    ...(isThoughtLost ? [`${at}: the reasoning_content must be passed back to the API`] : []),
  ];
}

const SIGNED: ReadonlySet<string> = new Set([
  'signature',
  'thought_signature',
  'thought_signatures',
  'encrypted_content',
  'data',
  'reasoning_opaque',
]);

/** The texts in a reply that only its server can read. */
function signsIn(value: unknown, isSigned = false): readonly string[] {
  if (typeof value === 'string') return isSigned ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    signsIn(part, SIGNED.has(key) || (isSigned && Array.isArray(value))),
  );
}

function callsOf(turns: readonly Turn[]) {
  return turns.flatMap(({ calls }) => calls);
}

function blocksOf(said: readonly Fields[]): readonly Fields[] {
  return said.flatMap(({ content }) => listOf(content));
}

function thoughtsOf(blocks: readonly Fields[]): readonly Fields[] {
  return blocks.filter(({ type, signature }) =>
    type === 'thinking' ? Boolean(signature) : type === 'redacted_thinking',
  );
}

/** Thinking that nobody signed may be left out. */
function isSigned({ type, signature }: Fields): boolean {
  return type === 'redacted_thinking' || Boolean(signature);
}

function twice(values: readonly unknown[]): readonly unknown[] {
  return values.filter((value, index) => values.indexOf(value) < index);
}

function parse(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 80);
}
