import { parentPort, workerData } from 'node:worker_threads';
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { tryOrUndefined } from '../../words/show.ts';
import { messageOf } from '../../words/thrown.ts';

async function replyTo(bytes: unknown) {
  try {
    return { rows: await readRows(bytes) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

async function readRows(bytes: unknown): Promise<readonly unknown[]> {
  if (!(bytes instanceof ArrayBuffer))
    throw new TypeError(`expected the bytes of a file, got ${typeof bytes}`);
  const metadata = await parquetMetadataAsync(bytes);
  const rows = await parquetReadObjects({
    file: bytes,
    metadata,
    compressors,
    parsers: PARSERS,
    geoparquet: false,
  });
  return rows.map(toPlain);
}

const TEXT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const PARSERS = {
  stringFromBytes: (bytes: Uint8Array | undefined) =>
    bytes === undefined ? null : decodeUtf8(bytes),
  jsonFromBytes: (bytes: Uint8Array | undefined) =>
    bytes === undefined ? null : parseJsonColumn(decodeUtf8(bytes)),
};

function decodeUtf8(bytes: Uint8Array): string | Uint8Array {
  return tryOrUndefined(() => TEXT.decode(bytes)) ?? bytes;
}

function parseJsonColumn(text: string | Uint8Array): unknown {
  const value: unknown =
    typeof text === 'string' ? tryOrUndefined(() => JSON.parse(text)) : undefined;
  return value === undefined ? text : value;
}

function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value === undefined || value === null || typeof value !== 'object') return value ?? null;
  if (value instanceof Uint8Array) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map(toPlain);
  // fromEntries defines its keys, so a column called "__proto__" is a field like any other.
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toPlain(inner)]));
}

// The other half of read-records.ts, in a separate thread. It comes last in the file, since
// constants are not hoisted. Node crashes if a thread is ended while an await of a module settles.
replyTo(workerData).then((reply) => parentPort?.postMessage(reply));
