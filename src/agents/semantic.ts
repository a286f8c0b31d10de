import { plural } from '../text/wording.ts';
import { AgentError } from '../types.ts';
import { toModelError } from './model-error.ts';
import { createOpenAI } from './openai-client.ts';

/** Texts beyond this are cut: models of embeddings read only so much. */
const MAX_LENGTH = 2000;

/** Texts of one request. */
const BATCH = 128;

/** The meaning of texts as a model of embeddings has it: the same text has one vector. */
export type Embeddings = ReadonlyMap<string, readonly number[]>;

/**
 * Asks an OpenAI-compatible server for the embeddings of texts; the SDK reads OPENAI_API_KEY and OPENAI_BASE_URL. An
 * empty text has none. `secrets` are cut out of what a server says. Throws an AgentError when the server cannot be asked or does not give what was asked for.
 */
export async function embed(
  texts: Iterable<string>,
  model: string,
  secrets: readonly string[] = [],
): Promise<Embeddings> {
  const distinct = [...new Set([...texts].map(toAsked))].filter((text) => text !== '');
  const found = new Map<string, readonly number[]>();
  try {
    const client = await createOpenAI({ fetch, timeout: 60_000, maxRetries: 2, logLevel: 'off' });
    for (let from = 0; from < distinct.length; from += BATCH) {
      const input = distinct.slice(from, from + BATCH);
      // Without a format the SDK asks for base64, which not every server knows.
      const reply: unknown = await client.embeddings.create({ model, input, encoding_format: 'float' });
      for (const [index, vector] of readVectors(reply, input.length).entries()) found.set(input[index] ?? '', vector);
    }
  } catch (error) {
    throw error instanceof AgentError ? error : toModelError(error, secrets);
  }
  return found;
}

/** How near two texts are, -1 to 1: the cosine of the angle between their vectors. 0 when one has none. */
export function findNearness(embeddings: Embeddings, a: string, b: string): number {
  if (toAsked(a) === toAsked(b)) return 1;
  const [left, right] = [embeddings.get(toAsked(a)), embeddings.get(toAsked(b))];
  if (left === undefined || right === undefined || left.length !== right.length) return 0;
  const lengths = Math.sqrt(multiply(left, left) * multiply(right, right));
  const nearness = multiply(left, right) / lengths;
  return Number.isFinite(nearness) ? nearness : 0;
}

function toAsked(text: string): string {
  return text.slice(0, MAX_LENGTH).toWellFormed().trim();
}

function multiply(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

/** The vectors in the order of the texts: replies say it by an index. */
function readVectors(reply: unknown, count: number): readonly (readonly number[])[] {
  const data = typeof reply === 'object' && reply !== null && 'data' in reply ? reply.data : null;
  const vectors: (readonly number[])[] = [];
  for (const each of Array.isArray(data) ? data : []) {
    if (isEmbedding(each) && Number.isInteger(each.index) && each.index < count) vectors[each.index] = each.embedding;
  }
  const complete = vectors.length === count && Array.from(vectors).every((vector) => vector !== undefined);
  if (complete) return vectors;
  throw new AgentError(
    'bad_response',
    `The server gave no embedding for each of ${plural(count, 'text')}. Check the model name.`,
  );
}

function isEmbedding(value: unknown): value is { readonly index: number; readonly embedding: readonly number[] } {
  if (typeof value !== 'object' || value === null || !('index' in value) || !('embedding' in value)) return false;
  const { index, embedding } = value;
  const isVector = Array.isArray(embedding) && embedding.every((part) => typeof part === 'number');
  return typeof index === 'number' && index >= 0 && isVector;
}
