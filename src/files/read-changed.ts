import type { FileHandle } from 'node:fs/promises';

/** What becomes of a text in which each character is one byte; the same text where nothing is to be changed. */
export type ByteChange = (bytes: string) => string;

/** A larger file is not changed: that is done at once, while all others wait. */
const MOST_BYTES = 2 ** 22;

const CHUNK_BYTES = 2 ** 18;

/** What a change looks for is found where two chunks meet, if it can be told by so many bytes. */
const OVERLAP_BYTES = 128;

/**
 * The bytes of a file as a change leaves them; null when it leaves all of them as they are. The file is looked through a
 * chunk at a time. Throws for a large one in which the change finds something.
 */
export async function readChanged(file: FileHandle, size: number, change: ByteChange): Promise<Buffer | null> {
  for (let at = 0; at < size; at += CHUNK_BYTES) {
    const text = await readText(file, at, CHUNK_BYTES + OVERLAP_BYTES);
    if (change(text) === text) continue;
    if (size > MOST_BYTES)
      throw new Error(`it holds a key, and only files of up to ${MOST_BYTES / 2 ** 20} MB are changed`);
    return Buffer.from(change(await readText(file, 0, size)), 'latin1');
  }
  return null;
}

/** The same for a text of any characters. */
export function changeText(text: string, change: ByteChange): string {
  return Buffer.from(change(Buffer.from(text).toString('latin1')), 'latin1').toString();
}

async function readText(file: FileHandle, at: number, length: number): Promise<string> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  for (let read = -1; read !== 0 && done < length; done += read) {
    read = (await file.read(bytes, done, length - done, at + done)).bytesRead;
  }
  return bytes.toString('latin1', 0, done);
}
