import { strToU8, zipSync } from 'fflate';

/** A ZIP of these texts, stored as they are: the bytes depend on no version of a compressor. */
export function zipTexts(files: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  return Buffer.from(zipSync(Object.fromEntries(entries), { level: 0, mtime: '2031-01-01T12:00:00' }));
}

/** Text as XML has it. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
