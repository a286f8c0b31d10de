/**
 * Text in UTF-8 or UTF-16; what is neither is Japanese where it reads so, and else taken as Windows-1252, in which old CSV
 * files often are.
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const wide = guessUtf16(bytes);
  if (wide !== null) return new TextDecoder(wide).decode(bytes);
  // MS-DOS ended files with this character.
  const whole = bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0x1a) + 1);
  return tryDecode(whole, 'utf-8') ?? decodeJapanese(whole) ?? new TextDecoder('windows-1252').decode(whole);
}

const SAMPLE_BYTES = 10_000;

/** UTF-16 without its mark, of text that is mostly Latin: every second byte is zero, and none of the others. */
export function guessUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (bytes.length % 2 === 1 || Math.max(even, odd) < sample.length * 0.35) return null;
  const encoding = even === 0 ? 'utf-16le' : odd === 0 ? 'utf-16be' : null;
  if (encoding === null) return null;
  const text = new TextDecoder(encoding).decode(sample);
  return /(?![\t\n\f\r])\p{Cc}|[\ufffd-\uffff]/u.test(text) ? null : encoding;
}

/** By its syllables: where nearly a third of all that is not ASCII is Japanese, the rest is no chance. */
function decodeJapanese(bytes: Uint8Array): string | null {
  const texts = ['shift_jis', 'euc-jp'].flatMap((encoding) => tryDecode(bytes, encoding) ?? []);
  return texts.find((text) => countOf(text, /[\u3040-\u30fe]/g) > countOf(text, /[\u0080-\uffff]/g) * 0.3) ?? null;
}

function countOf(text: string, characters: RegExp): number {
  return text.slice(0, SAMPLE_BYTES).match(characters)?.length ?? 0;
}

function tryDecode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Said of a text whose letters are none that a European language has side by side; null else. */
export function describeDoubt(bytes: Uint8Array, text: string): string | null {
  if (tryDecode(bytes, 'utf-8') !== null || bytes.includes(0)) return null;
  if (countOf(text, /[\u00aa-\u0192]/g) <= countOf(text, /\p{L}/gu) * 0.5) return null;
  return '[viva: the encoding of this file is not known. It was read as Windows-1252, so its letters may be wrong.]';
}
