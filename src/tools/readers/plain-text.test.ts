import { describe, expect, test } from 'vitest';
import { readDocument } from './index.ts';

async function read(bytes: Uint8Array): Promise<string> {
  return (await readDocument(bytes, 'a.txt')).text;
}

describe('a text is read', () => {
  test.each([
    ['in UTF-16 without a mark', Buffer.from('café', 'utf16le'), 'café'],
    ['in UTF-16 the other way round', Buffer.from('café', 'utf16le').swap16(), 'café'],
    ['in Shift-JIS', Buffer.from('8365835883672c82a082a2', 'hex'), 'テスト,あい'],
    ['in EUC-JP', Buffer.from('a5c6a5b9a5c8', 'hex'), 'テスト'],
    ['in Windows-1252', Buffer.from('d\xe9j\xe0 vu \x80 5', 'latin1'), 'déjà vu € 5'],
    ['without the end that MS-DOS gave it', Buffer.from('a,b\r\n\x1a'), 'a,b\r\n'],
  ])('%s', async (_, bytes, text) => {
    expect(await read(bytes)).toBe(text);
  });

  test('in another encoding with a warning', async () => {
    const cyrillic = Buffer.from('cff0e8e2e5f2', 'hex');
    expect(await read(cyrillic)).toMatch(/^Ïðèâåò\n\[viva: the encoding of this file is not known/);
  });
});

test.each([
  ['\x00\x00\x00\x18ftypheic\x00\x00\x00\x00', 'is a HEIC picture, a format that no model is shown'],
  ['II*\x00\x08\x00', 'is a TIFF picture'],
])('%j %s', async (content, message) => {
  await expect(read(Buffer.from(content, 'latin1'))).rejects.toThrow(message);
});
