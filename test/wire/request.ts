/** The APIs by the kind of their agents. */
export type Api = 'openai-chat' | 'openai' | 'anthropic';

// biome-ignore lint/suspicious/noExplicitAny: a stand-in reads what it wants to see of a body.
export type Fields = Record<string, any>;

/** A call in the history, wherever its API has it. */
type Call = {
  readonly at: string;
  readonly id: unknown;
  readonly name: unknown;
  /** A text in OpenAI's APIs, an object in Anthropic's. */
  readonly args: unknown;
  readonly written: Fields;
};

/** What a model said in one go, and the ids that the results right behind it answer. */
export type Turn = {
  readonly at: string;
  readonly said: readonly Fields[];
  readonly calls: readonly Call[];
  readonly results: readonly unknown[];
};

type Tool = { readonly name: unknown; readonly schema: Fields };

/** A request in one form for all APIs, as far as the checks look at it. */
export type Request = {
  readonly api: Api;
  readonly body: Fields;
  /** The messages, or the items of the Responses API. */
  readonly entries: readonly Fields[];
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
};

export function readRequest(api: Api, body: Fields): Request {
  const entries = listOf(api === 'openai' ? toItems(body['input']) : body['messages']);
  const tools = listOf(body['tools']).map((tool) => {
    const { name, parameters, input_schema } = tool['function'] ?? tool;
    return { name, schema: parameters ?? input_schema };
  });
  const turns = api === 'openai' ? turnsOfItems(entries) : turnsOfMessages(api, entries);
  // The provider's own tools have no schema.
  return { api, body, entries, turns, tools: tools.filter(({ schema }) => isFields(schema)) };
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** The id that a message or block gives a result for; undefined if it is no result. */
export function resultIdOf(entry: Fields): unknown {
  if (entry['role'] === 'tool') return entry['tool_call_id'] ?? null;
  if (entry['type'] === 'tool_result') return entry['tool_use_id'] ?? null;
  return entry['type'] === 'function_call_output' ? (entry['call_id'] ?? null) : undefined;
}

function toItems(input: unknown) {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : input;
}

function turnsOfMessages(api: Api, messages: readonly Fields[]): readonly Turn[] {
  return messages.flatMap((message, index) => {
    if (message['role'] !== 'assistant') return [];
    const at = `messages[${index}]`;
    const next = messages.slice(index + 1);
    const other = next.findIndex(({ role }) => role !== 'tool');
    const answers =
      api === 'anthropic'
        ? listOf(next[0]?.['content'])
        : next.slice(0, other === -1 ? next.length : other);
    const results = answers.map(resultIdOf).filter((id) => id !== undefined);
    return [{ at, said: [message], calls: callsOf(api, message, at), results }];
  });
}

function callsOf(api: Api, message: Fields, at: string): readonly Call[] {
  if (api === 'anthropic') {
    const uses = listOf(message['content']).filter(({ type }) => type === 'tool_use');
    return uses.map((written, index) => {
      const { id, name, input } = written;
      return { at: `${at}.tool_use[${index}]`, id, name, args: input, written };
    });
  }
  return listOf(message['tool_calls']).map((written, index) => {
    const { name, arguments: args } = written['function'] ?? {};
    return { at: `${at}.tool_calls[${index}]`, id: written['id'], name, args, written };
  });
}

/** What the model said ends with the results of its calls, or with a message of the user. */
function turnsOfItems(items: readonly Fields[]): readonly Turn[] {
  const turns: Turn[] = [];
  let said: Fields[] = [];
  let results: unknown[] = [];
  const end = () => {
    const at = `input, turn ${turns.length}`;
    if (said.length > 0) turns.push({ at, said, calls: said.flatMap(toItemCall), results });
    said = [];
    results = [];
  };
  for (const item of items) {
    const id = resultIdOf(item);
    const isOwn =
      item['role'] === 'assistant' || /^(?:reasoning|function_call)$/.test(item['type']);
    if (id === undefined && (!isOwn || results.length > 0)) end();
    if (id !== undefined) results.push(id);
    else if (isOwn) said.push(item);
  }
  end();
  return turns;
}

function toItemCall(written: Fields): readonly Call[] {
  const { type, call_id: id, name, arguments: args } = written;
  return type === 'function_call' ? [{ at: `call ${id}`, id, name, args, written }] : [];
}
