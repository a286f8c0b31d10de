import { AsyncLocalStorage } from 'node:async_hooks';
import { isFields } from '../words/fields.ts';
import { quote, showValue } from '../words/show.ts';
import { suggest } from '../words/similar-names.ts';
import { parseWholeJson } from '../words/whole-json.ts';

/**
 * Wraps the tools of an agent, so that EVAL_TOOLS records what they return while a case is answered, or
 * replays it. Outside of a case they stay what they are. Takes functions by name, a function, the tools
 * of the AI SDK, and lists of tools, as of OpenAI Agents and LangChain; returns the same. `name` is that
 * of the file of recordings beside the eval file. Throws for anything else.
 *
 * @example
 * const getOrder = async ({ id }: { id: number }) => ({ id, status: 'sent' });
 * const tools = recordTools({ getOrder }, { name: 'orders' });
 * await defineEval('a', { data: './a.jsonl', agent: ({ prompt }) => askMyAgent(prompt, tools) });
 */
export function recordTools<Tools extends object>(
  tools: Tools,
  options: { readonly name: string },
): Tools {
  const { name } = Object(options);
  if (typeof name !== 'string' || !/^[\w-][\w.-]{0,99}$/.test(name))
    throw new Error(
      `recordTools: "name" names the file of recordings, so it must have letters, digits, "_", "-" and "." alone, got ${showValue(name)}.`,
    );
  return new Wrapper('recordTools', name, (_, run) => run).wrap(tools);
}

/**
 * What stands for tools by name: each gets what its tool would get.
 *
 * @example
 * const shop = { getOrder: async ({ id }: { id: number }) => ({ id, status: 'sent' }) };
 * const mocks: ToolMocks<typeof shop> = { getOrder: ({ id }) => ({ id, status: 'lost' }) };
 */
export type ToolMocks<Tools> = Tools extends (...given: never) => unknown
  ? Readonly<Record<string, Tools>>
  : Tools extends readonly unknown[]
    ? // biome-ignore lint/suspicious/noExplicitAny: the tools of a list have no names for TypeScript.
      Readonly<Record<string, (input: any) => unknown>>
    : { readonly [Name in keyof Tools]?: MockOf<Tools[Name]> };

type MockOf<Tool> = Tool extends (...given: infer Given) => unknown
  ? (...given: Given) => unknown
  : Tool extends { execute?: infer Execute }
    ? (input: FirstOf<NonNullable<Execute>>) => unknown
    : // biome-ignore lint/suspicious/noExplicitAny: its input has no type that is known here.
      (input: any) => unknown;

// biome-ignore lint/suspicious/noExplicitAny: a function of any result.
type FirstOf<Call> = Call extends (first: infer First, ...others: any) => any ? First : never;

/**
 * The tools of an agent with functions of yours in their place; it takes the same forms as `recordTools`.
 * A mock gets the input of its tool, that of a plain function all arguments. A tool without a mock that
 * is called is an error of the case: the real one is never called. Throws for a mock of no tool.
 *
 * @example
 * const tools = { getOrder: async ({ id }: { id: number }) => ({ id, status: 'sent' }) };
 * const mocked = mockTools(tools, { getOrder: ({ id }) => ({ id, status: 'lost' }) });
 */
export function mockTools<Tools extends object>(
  tools: Tools,
  given: ToolMocks<NoInfer<Tools>>,
): Tools {
  if (!isFields(given))
    throw new Error(
      `mockTools takes tools, and an object with a function for each that may be called, got ${showValue(given)}.`,
    );
  const all: Readonly<Record<string, unknown>> = { ...given };
  const used = new Set<string>();
  const wrapper = new Wrapper('mockTools', null, (tool, _, isPlain) => {
    used.add(tool);
    const mock = Object.hasOwn(all, tool) ? all[tool] : undefined;
    if (mock !== undefined && typeof mock !== 'function')
      throw new Error(
        `mockTools: the mock of ${quote(tool)} must be a function, got ${showValue(mock)}.`,
      );
    return (_self, given, input) => {
      if (mock === undefined) throw new NoMock(tool);
      return Reflect.apply(mock, undefined, isPlain ? given : [input]);
    };
  });
  const mocked = wrapper.wrap(tools);
  const other = Object.keys(all).find((name) => !used.has(name));
  if (other !== undefined)
    throw new Error(`mockTools: there is no tool ${quote(other)}.${suggest(other, [...used])}`);
  return mocked;
}

/** A call that a test did not expect. */
export class NoMock extends Error {
  override readonly name = 'NoMock';

  constructor(tool: string) {
    super(`The tool ${quote(tool)} was called, and mockTools has no mock of it.`);
  }
}

/** A call of a wrapped tool. */
export type ToolCall = Readonly<{
  /** Of the file of recordings; null for a mock. */
  name: string | null;
  tool: string;
  /** A list of arguments, or the only one if that is an object, or the input of a tool. */
  given: unknown;
  /** Whether it surely returns a promise. */
  isAsync: boolean;
  run: () => unknown;
}>;

/** Takes the calls while an agent answers a case. */
export type ToolSession = {
  readonly isOpen: boolean;
  /** Whether it ended in an error, as at its time limit: its agent may go on. */
  readonly hasFailed: boolean;
  /** Tools of a file are wrapped for this case alone: where none is called, that is known. */
  expect(name: string | null): void;
  wraps(name: string | null): boolean;
  call(call: ToolCall): unknown;
  /** A tool was called that may be one of this case. Each call has a symbol of its own. */
  lose(tool: string, call: symbol): void;
};

/** Null inside a tool: what it calls itself is part of its result. */
const sessions = new AsyncLocalStorage<ToolSession | null>();

const open = new Set<ToolSession>();

export async function whileAsking<T>(session: ToolSession, ask: () => Promise<T>): Promise<T> {
  open.add(session);
  try {
    return await sessions.run(session, ask);
  } finally {
    open.delete(session);
  }
}

export function insideTool<T>(run: () => T): T {
  return sessions.run(null, run);
}

let refusesOutside = false;

/** Whether a call that belongs to no case is refused: a replay never calls a tool itself. */
export function refuseOutside(isRefused: boolean): void {
  refusesOutside = isRefused;
}

type Callable = (...given: never) => unknown;

/** Calls a tool as it was called: with its `this`, its arguments, and of these its input. */
type Run = (self: unknown, given: readonly unknown[], input: unknown) => unknown;

/** What is done in place of a tool, whose own `run` calls it. `isPlain`: it is a function. */
type Replace = (tool: string, run: Run, isPlain: boolean) => Run;

/** Wrapped mocks: nobody may take their results for those of tools. */
const mocks = new WeakSet();

/** Makes of each tool one that tells its calls to the session of the case. */
class Wrapper {
  readonly #by: string;
  /** Of the file of recordings; null for mocks. */
  readonly #name: string | null;
  readonly #replace: Replace;
  /** Where tools are wrapped for a case: frameworks may call them out of its context. */
  readonly #session = sessions.getStore() ?? null;
  #found = 0;

  constructor(by: string, name: string | null, replace: Replace) {
    this.#by = by;
    this.#name = name;
    this.#replace = replace;
  }

  wrap<Tools extends object>(tools: Tools): Tools {
    this.#session?.expect(this.#name);
    const wrapped = this.#wrapAll(tools);
    if (this.#found > 0) return wrapped as Tools;
    const isInstance = isFields(tools) && nameClass(tools) !== 'Object';
    const got = isInstance ? `an object of ${nameClass(tools)}` : showValue(tools);
    const remedy = isInstance
      ? ' Name its methods: { search: (text) => client.search(text) }.'
      : (tools ?? undefined) === undefined
        ? ''
        : ' A tool on its own needs a name.';
    throw new Error(
      `${this.#by} takes functions by name, the tools of the AI SDK, or a list of tools, got ${got}.${remedy}`,
    );
  }

  #wrapAll(tools: object): unknown {
    if (Array.isArray(tools)) return tools.map((tool) => this.#wrapOne(tool, nameOf(tool)));
    const isTool =
      typeof tools === 'function' || (nameOf(tools) !== '' && methodOf(tools) !== null);
    if (isTool || !isPlainObject(tools)) return this.#wrapOne(tools, nameOf(tools));
    const set: Record<string, unknown> = {};
    for (const [name, tool] of Object.entries(tools))
      set[name] = this.#wrapOne(tool, name, { wrapped: set, source: tools });
    return set;
  }

  /** What is no tool, or runs elsewhere, as a provider's own tools do, stays as it is. */
  #wrapOne(tool: unknown, name: string, owner?: Owner): unknown {
    const isFunction = typeof tool === 'function';
    if (name === '' || !(isFunction || (isFields(tool) && methodOf(tool) !== null))) return tool;
    this.#found++;
    if (mocks.has(tool)) return tool;
    const wrapped = isFunction
      ? this.#wrapFunction(tool as Callable, name, owner)
      : this.#wrapTool(tool, name);
    if (this.#name === null) mocks.add(wrapped);
    return wrapped;
  }

  #wrapFunction(call: Callable, tool: string, owner?: Owner): Callable {
    const run = this.#replace(tool, callAs(call, owner), true);
    return new Proxy(call, {
      apply: (_, self, given: readonly unknown[]) => {
        const isOne = given.length === 1 && isPlainObject(given[0]);
        const input = isOne ? given[0] : given;
        // A mock need not be async because its tool is.
        const called = async () => run(self, given, input);
        const isMock = this.#name === null && isAsync(call);
        return this.#call(
          tool,
          input,
          isAsync(call),
          isMock ? called : () => run(self, given, input),
        );
      },
    });
  }

  /** A tool of the same class whose own method tells its calls. */
  #wrapTool(source: object, tool: string): object {
    const method = methodOf(source) ?? '';
    const call: Callable = Reflect.get(source, method);
    const fields = Object.getOwnPropertyDescriptors(source);
    const wrapped: object = Object.create(Object.getPrototypeOf(source), fields);
    const run = this.#replace(tool, callAs(call, { wrapped, source }), false);
    const at = method === 'invoke' && Reflect.get(source, 'type') === 'function' ? 1 : 0;
    const value = new Proxy(call, {
      apply: (_, self, given: readonly unknown[]) => {
        const input = toInput(given[at]);
        return this.#call(tool, input, true, () => run(self, given, input));
      },
    });
    return Object.defineProperty(wrapped, method, { value, ...OPEN });
  }

  #call(tool: string, given: unknown, isAsync: boolean, run: () => unknown): unknown {
    if (sessions.getStore() === null) return run();
    const others = [...open].filter((each) => !each.wraps(this.#name));
    const session = this.#findSession(others);
    if (session !== null) return session.call({ name: this.#name, tool, given, isAsync, run });
    if (this.#name === null) return run();
    const call = Symbol(tool);
    for (const each of others) each.lose(tool, call);
    if (refusesOutside) throw new Error(explainOutside(tool));
    return run();
  }

  /**
   * Queues and pools call a tool in the context of another case. One that wraps these tools itself calls
   * its own alone. A late call belongs to its case, unless it may be one of `others`; null for none.
   */
  #findSession(others: readonly ToolSession[]): ToolSession | null {
    const own = this.#session;
    const around = sessions.getStore() ?? null;
    const isMoved = own !== null && around?.wraps(this.#name) === true;
    if (around?.isOpen === true && !isMoved) return around;
    if (own?.isOpen === true) return own;
    const late = own ?? around;
    return late !== null && (late.hasFailed || others.length === 0) ? late : null;
  }
}

/** Of a call that belongs to no case, in a replay. */
export function explainOutside(tool: string): string {
  return `EVAL_TOOLS=replay: the tool ${quote(tool)} was called outside of the answer to a case, so nothing is replayed. In data and scores call the function that recordTools got; in an agent wrap the tools inside of it.`;
}

/** The object that a function is a method of, and the one that stands for it. */
type Owner = Readonly<{ wrapped: object; source: object }>;

function callAs(call: Callable, owner?: Owner): Run {
  return (self, given) =>
    Reflect.apply(call, owner !== undefined && self === owner.wrapped ? owner.source : self, given);
}

const OPEN = { enumerable: true, writable: true, configurable: true };

/**
 * What runs a tool: in the AI SDK and Mastra, in LangChain made of a function or a class, in OpenAI
 * Agents, in the SDK of Anthropic, in LlamaIndex.
 */
const METHODS = ['execute', 'func', '_call', 'invoke', 'run', 'call'];

function methodOf(tool: object): string | null {
  return METHODS.find((name) => typeof Reflect.get(tool, name) === 'function') ?? null;
}

function nameOf(tool: unknown): string {
  const named = typeof tool === 'function' || isFields(tool) ? tool : {};
  const name: unknown = Reflect.get(named, 'name') ?? Reflect.get(named, 'id');
  return typeof name === 'string' ? name : '';
}

/** OpenAI Agents give the JSON that the model wrote. */
function toInput(input: unknown): unknown {
  return typeof input === 'string' ? (parseWholeJson(input) ?? input) : input;
}

/** Also the namespace of a module, `import * as tools`. */
function isPlainObject(value: unknown): value is object {
  if (!isFields(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The class of an object: "ShopClient". */
export function nameClass(value: object): string {
  const { name = 'no class' } = Object(Reflect.get(value, 'constructor'));
  return String(name);
}

function isAsync(call: Callable): boolean {
  return Object.prototype.toString.call(call) === '[object AsyncFunction]';
}
