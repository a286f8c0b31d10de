/** Text in UTF-8, UTF-16 or a Japanese encoding. Anything else is read as Windows-1252, as old CSV files often are. */
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

/** UTF-16 without its mark, in text that is mostly Latin: many bytes are zero, and only every second one. */
export function guessUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const even = sample.filter((byte, index) => byte === 0 && index % 2 === 0).length;
  const odd = sample.filter((byte) => byte === 0).length - even;
  if (bytes.length % 2 === 1 || Math.max(even, odd) < sample.length * 0.35) return null;
  const encoding = even === 0 ? 'utf-16le' : odd === 0 ? 'utf-16be' : null;
  if (encoding === null) return null;
  const text = new TextDecoder(encoding).decode(sample);
  return /(?![\t\n\f\r])\p{Cc}|[\ufffd-\uffff]/u.test(text) ? null : encoding;
}

/** By its syllables: at least 30 % of the characters beyond ASCII are Japanese ones. */
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

/** A warning for a text whose letters no European language has side by side; null for others. */
export function describeDoubt(bytes: Uint8Array, text: string): string | null {
  if (tryDecode(bytes, 'utf-8') !== null || bytes.includes(0)) return null;
  if (countOf(text, /[\u00aa-\u0192]/g) <= countOf(text, /\p{L}/gu) * 0.5) return null;
  return '[viva: the encoding of this file is not known. It was read as Windows-1252, so its letters may be wrong.]';
}
