import { strToU8, zipSync } from 'fflate';

/** A ZIP archive of these files, packed as other programs do. */
export function makeZip(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const entries = Object.entries(files).map(([name, content]) => {
    return [name, typeof content === 'string' ? strToU8(content) : content] as const;
  });
  return Buffer.from(zipSync(Object.fromEntries(entries), { mtime: '2031-01-01T12:00:00' }));
}
