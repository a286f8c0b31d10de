import { toStatedAiError } from './ai-reply.ts';
import { field, textField } from './fields.ts';
import { createModelError } from './model-error.ts';

/** Parts of a stream that belong to the reply as they are. */
const WHOLE: ReadonlySet<unknown> = new Set([
  'tool-call',
  'tool-result',
  'file',
  'reasoning-file',
  'custom',
]);

type Piece = { readonly type: string; text: string; providerMetadata?: unknown };

/** Joins the parts of a streamed reply into the form of a whole one. */
export async function collectAiStream(streamed: unknown, onToken: () => void): Promise<object> {
  const content: unknown[] = [];
  const open = new Map<string, Piece>();
  const last = new Map<string, unknown>();
  for await (const part of partsOf(streamed)) {
    const type = textField(part, 'type') ?? '';
    const kind = /^(text|reasoning)-(?:start|delta|end)$/.exec(type)?.[1];
    if (kind !== undefined) addPiece(content, open, kind, part);
    if (kind !== undefined && textField(part, 'delta') !== null) onToken();
    if (WHOLE.has(type)) content.push(part);
    if (type === 'error') throw field(part, 'error');
    if (type === 'raw') refuseStated(field(part, 'rawValue'));
    last.set(type, part);
  }
  const finish = last.get('finish');
  if (finish === undefined || isInterrupted(field(finish, 'finishReason')))
    throw createModelError(
      'network',
      'The stream ended before the reply: it gave no finish reason',
    );
  return {
    content,
    finishReason: field(finish, 'finishReason'),
    usage: field(finish, 'usage'),
    warnings: field(last.get('stream-start'), 'warnings'),
    response: last.get('response-metadata'),
  };
}

async function* partsOf(streamed: unknown): AsyncGenerator<unknown> {
  const stream = field(streamed, 'stream');
  if (!(stream instanceof ReadableStream))
    throw createModelError('bad_response', "The provider's package gave no stream");
  yield* stream;
}

/** Parts of one text or one piece of reasoning share an id. The last metadata is the whole one. */
function addPiece(content: unknown[], open: Map<string, Piece>, type: string, part: unknown): void {
  const id = `${type} ${textField(part, 'id')}`;
  const isNew = field(part, 'type') === `${type}-start`;
  const piece = (isNew ? undefined : open.get(id)) ?? { type, text: '' };
  if (!content.includes(piece)) content.push(piece);
  open.set(id, piece);
  piece.text += textField(part, 'delta') ?? '';
  piece.providerMetadata = field(part, 'providerMetadata') ?? piece.providerMetadata;
}

function refuseStated(chunk: unknown): void {
  const stated = toStatedAiError(chunk);
  if (stated !== null) throw stated;
}

/** The packages close a stream without a last event by a finish of their own. */
function isInterrupted(reason: unknown): boolean {
  const unified = field(reason, 'unified');
  return unified === 'interrupted' || (unified === 'other' && textField(reason, 'raw') === null);
}
