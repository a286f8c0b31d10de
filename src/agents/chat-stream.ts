import { createModelError } from './model-error.ts';
import { field, listField, textField } from './outside-value.ts';

/**
 * Puts the chunks of a streamed chat reply together, as if it had come whole. The SDK's own collector keeps only the
 * last piece of reasoning, and refuses the streams of compatible servers that know no finish reasons: for those
 * `isMarked` must say that the stream came to its mark, or half an answer would count as a whole one.
 */
export async function collectChat(chunks: AsyncIterable<unknown>, isMarked: () => boolean): Promise<object> {
  const texts = new Map<string, string>();
  const calls = new CallCollector();
  const last = new Map<string, unknown>();
  for await (const chunk of chunks) {
    keepGiven(last, chunk, ['model', 'usage']);
    const choice = listField(chunk, 'choices')[0];
    keepGiven(last, choice, ['finish_reason', 'error']);
    const delta = field(choice, 'delta');
    for (const name of TEXTS) {
      const piece = field(delta, name);
      if (typeof piece === 'string') texts.set(name, (texts.get(name) ?? '') + piece);
    }
    for (const piece of listField(delta, 'tool_calls')) calls.add(piece);
  }
  if (last.size === 0) throw createModelError('network', 'The stream ended before the reply began');
  if (!last.has('finish_reason') && !last.has('error') && !isMarked()) {
    const missing = 'no finish reason, and no [DONE] of a server that gives none';
    throw createModelError('network', `The stream ended before the reply did: ${missing}`);
  }
  const message = { role: 'assistant', ...Object.fromEntries(texts), tool_calls: calls.toCalls() };
  const { finish_reason, error, ...rest } = Object.fromEntries(last);
  return { ...rest, choices: [{ finish_reason, error, message }] };
}

const TEXTS = ['content', 'refusal', 'reasoning_content', 'reasoning'] as const;

function keepGiven(last: Map<string, unknown>, value: unknown, names: readonly string[]): void {
  for (const name of names) {
    const given = field(value, name) ?? null;
    if (given !== null && given !== '') last.set(name, given);
  }
}

type Call = { readonly id: string | null; readonly function: { readonly name: string; readonly arguments: string } };

/** Pieces of one call share an index; a server that gives every call the same one tells them apart by their ids. */
class CallCollector {
  readonly #calls: Call[] = [];
  readonly #positions = new Map<unknown, number>();

  add(piece: unknown): void {
    const index = field(piece, 'index');
    const id = textField(piece, 'id');
    const known = this.#calls[this.#positions.get(index) ?? -1];
    const isNew = known === undefined || (id !== null && known.id !== null && id !== known.id);
    const before = isNew ? { id: null, function: { name: '', arguments: '' } } : known;
    if (isNew) this.#positions.set(index, this.#calls.length);
    const called = field(piece, 'function');
    const next = {
      id: id ?? before.id,
      function: {
        name: textField(called, 'name') ?? before.function.name,
        arguments: before.function.arguments + (textField(called, 'arguments') ?? ''),
      },
    };
    this.#calls[this.#positions.get(index) ?? 0] = next;
  }

  toCalls(): readonly Call[] {
    return this.#calls;
  }
}
