import { isFields } from '../words/fields.ts';
import { cutLong, tryOrUndefined } from '../words/show.ts';
import type { ToolCall } from './converse.ts';

/** A call of a tool as a server sent it: each part may be missing, or of another type. */
export type WrittenCall = Readonly<{ id: unknown; name: unknown; arguments: unknown }>;

/**
 * Reads the calls of one conversation so that they can be sent back: no server takes a history in
 * which an id is missing or used twice, a name is not a name, or arguments are not an object.
 */
export class CallReader {
  readonly #tools: ReadonlySet<string>;
  readonly #isId: RegExp;
  readonly #ids = new Set<string>();

  /** `isId` is what the API takes for an id. */
  constructor(tools: readonly { readonly name: string }[], isId: RegExp) {
    this.#tools = new Set(tools.map(({ name }) => name));
    this.#isId = isId;
  }

  read(written: readonly WrittenCall[]): readonly ToolCall[] {
    return written.map((call) => ({
      id: this.#toId(call.id),
      name: this.#toName(call.name),
      ...toArguments(call.arguments),
    }));
  }

  #toId(written: unknown): string {
    const isUsable =
      typeof written === 'string' &&
      this.#isId.test(written) &&
      written.isWellFormed() &&
      !this.#ids.has(written);
    // Mistral takes ids of nine letters and digits alone.
    const id = isUsable ? written : `viva${String(this.#ids.size).padStart(5, '0')}`;
    this.#ids.add(id);
    return id;
  }

  /**
   * The tool that is meant: models write "functions.calculate", and servers leave marks such as
   * "<|channel|>" in a name. A name without a tool becomes one that the API takes.
   */
  #toName(written: unknown): string {
    const name = typeof written === 'string' ? written.trim() : '';
    const marked = name.replace(/<\|.*/s, '').trim();
    const meant = [name, marked, marked.split(/[.:/]/).at(-1) ?? '', toPlainName(marked)];
    return (
      meant.find((each) => this.#tools.has(each)) ?? (toPlainName(marked) || 'tool_without_a_name')
    );
  }
}

function toPlainName(name: string): string {
  return name.replace(/[^\w-]+/g, '_').slice(0, 64);
}

/**
 * Arguments as text for the tool, and as an object for the history. What is no object stays as it
 * was written, so that the tool says what is wrong with it.
 */
function toArguments(written: unknown): Pick<ToolCall, 'arguments' | 'input'> {
  if (isFields(written)) return { arguments: JSON.stringify(written), input: written };
  if (typeof written !== 'string' && (written ?? null) !== null)
    return toArguments(JSON.stringify(written));
  const text = typeof written === 'string' ? written.trim() : '';
  if (text === '' || text === 'null') return { arguments: '{}', input: {} };
  const input = readObject(text);
  if (input === undefined) return { arguments: text, input: { malformed_arguments: text } };
  return { arguments: isFields(parse(text)) ? text : JSON.stringify(input), input };
}

/**
 * The object that a text holds: as it is, in a fence, as the text of a JSON string, or the same
 * object twice.
 */
function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const fenced = text.startsWith('```') && text.endsWith('```');
  const bare = fenced ? text.slice(3, -3).replace(/^json/, '').trim() : text;
  const value = parse(bare);
  if (isFields(value)) return value;
  if (typeof value === 'string') {
    const inner = parse(value);
    return isFields(inner) ? inner : undefined;
  }
  const half = bare.slice(0, bare.length / 2);
  const repeated = bare === half + half ? parse(half) : undefined;
  return isFields(repeated) ? repeated : undefined;
}

function parse(text: string): unknown {
  return tryOrUndefined(() => JSON.parse(text));
}

/** Servers take strings of 1,048,576 characters at most, and no half of a surrogate pair. */
const MOST_CHARACTERS = 1_000_000;

/** A text that any server takes; null for one without a word, which servers refuse. */
export function toSendable(text: string | null): string | null {
  if (text === null || text.trim() === '') return null;
  return cutLong(text, MOST_CHARACTERS).toWellFormed();
}

/** A value with such texts in it. Signed and encrypted texts are far shorter than the limit. */
export function toSendableValue<T>(value: T): T {
  const isClean = (text: string) => text.length <= MOST_CHARACTERS && text.isWellFormed();
  const clean = (part: unknown): unknown => {
    if (typeof part === 'string')
      return isClean(part) ? part : cutLong(part, MOST_CHARACTERS).toWellFormed();
    if (Array.isArray(part)) return part.map(clean);
    if (!isFields(part)) return part;
    return Object.fromEntries(
      Object.entries(part).map(([name, each]) => [name.toWellFormed(), clean(each)]),
    );
  };
  // Nesting that JSON.parse has read may be too deep to walk.
  return (tryOrUndefined(() => clean(value)) ?? value) as T;
}

/** A field of a reply that its server wants back as it came. All others stay in the trace alone. */
type SentBack = Readonly<{
  of: 'message' | 'call' | 'function';
  field: string;
  /** The hosts that refuse it. */
  except?: RegExp;
}>;

/** Of chat completions. The other two APIs repeat whole items and blocks. */
const SENT_BACK: readonly SentBack[] = [
  // DeepSeek, Moonshot, Z.ai, vLLM, LiteLLM. Groq refuses each unknown field.
  { of: 'message', field: 'reasoning_content', except: /groq\.com/ },
  // OpenRouter, Ollama, vLLM, Cerebras. Groq takes it for some models alone.
  { of: 'message', field: 'reasoning', except: /groq\.com/ },
  { of: 'message', field: 'reasoning_details', except: /groq\.com/ },
  // LiteLLM in front of Anthropic and Gemini.
  { of: 'message', field: 'thinking_blocks' },
  { of: 'message', field: 'provider_specific_fields' },
  { of: 'call', field: 'provider_specific_fields' },
  // Gemini's signatures: it refuses a call without its own.
  { of: 'message', field: 'extra_content' },
  { of: 'call', field: 'extra_content' },
  // Gateways in front of Gemini.
  { of: 'call', field: 'thought_signature' },
  { of: 'function', field: 'thought_signature' },
  { of: 'function', field: 'provider_specific_fields' },
  // GitHub Copilot.
  { of: 'message', field: 'reasoning_text' },
  { of: 'message', field: 'reasoning_opaque' },
];

/** The fields of a message or a call that its server wants back. `host` may have a port. */
export function keepSentBack(part: unknown, of: SentBack['of'], host: string): object {
  if (!isFields(part)) return {};
  const kept = SENT_BACK.filter(({ of: place, field, except }) => {
    return place === of && !isNothing(part[field]) && except?.test(host) !== true;
  });
  return Object.fromEntries(kept.map(({ field }) => [field, toSendableValue(part[field])]));
}

function isNothing(value: unknown): boolean {
  return (value ?? null) === null || (Array.isArray(value) && value.length === 0);
}

/** The fields that a stream sends in pieces, by where they stand. */
export const LISTED_FIELDS = ['reasoning_details', 'thinking_blocks'] as const;

/**
 * Adds the pieces of a list that a stream sends: those of one index, type and id, or of one block
 * that has no signature yet, are parts of one text. Encrypted data comes whole.
 */
export function addPieces(list: Record<string, unknown>[], pieces: readonly unknown[]): void {
  for (const piece of pieces.filter(isFields)) {
    const { index, type } = piece;
    const last = list.findLast((each) =>
      index === undefined ? each === list.at(-1) && !each['signature'] : each['index'] === index,
    );
    const isOther = (name: string) =>
      (piece[name] ?? null) !== null && (last?.[name] ?? null) !== null;
    const isNext = isOther('data') || (isOther('id') && piece['id'] !== last?.['id']);
    if (last === undefined || last['type'] !== type || isNext) list.push({ ...piece });
    else
      for (const [name, value] of Object.entries(piece))
        last[name] = joinPiece(name, last[name], value);
  }
}

const PIECEWISE: ReadonlySet<string> = new Set(['text', 'summary', 'thinking', 'signature']);

function joinPiece(name: string, before: unknown, value: unknown): unknown {
  if ((value ?? null) === null) return before;
  const isPiece = PIECEWISE.has(name) && typeof before === 'string' && typeof value === 'string';
  return isPiece ? before + value : value;
}
