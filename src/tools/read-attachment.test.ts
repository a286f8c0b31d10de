import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { readAttachment } from './read-attachment.ts';

/** Reads a file with this content, attached as "notes.txt". */
async function read(content: string | Uint8Array, args: object = {}): Promise<string> {
  const path = join(makeFolder(), 'stored');
  writeFileSync(path, content);
  const context = { signal: new AbortController().signal, attachments: [{ name: 'notes.txt', path }] };
  const output = await readAttachment.run(new Map(Object.entries({ name: 'notes.txt', ...args })), context);
  return typeof output === 'string' ? output : output.text;
}

const long = Array.from({ length: 2_500 }, (_, index) => `line ${index + 1}`).join('\n');

describe('read_attachment', () => {
  test.each([
    ['plain text', 'a\nb\n', '[notes.txt: lines 1 to 2 of 2]\na\nb'],
    ['other line ends', 'a\r\nb\rc', '[notes.txt: lines 1 to 3 of 3]\na\nb\nc'],
    ['a byte order mark', '\uFEFFa', '[notes.txt: lines 1 to 1 of 1]\na'],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0xe9, 0, 0x0a, 0, 0x62, 0]), '[notes.txt: lines 1 to 2 of 2]\né\nb'],
    ['Windows-1252', new Uint8Array([0x63, 0x61, 0x66, 0xe9]), '[notes.txt: lines 1 to 1 of 1]\ncafé'],
    ['nothing', '', 'notes.txt is empty.'],
  ])('reads %s', async (_, content, expected) => {
    expect(await read(content)).toBe(expected);
  });

  test('gives a page of lines and says how to go on', async () => {
    const page = await read(long);
    expect(page).toMatch(/^\[notes\.txt: lines 1 to 1000 of 2500, go on with first_line 1001\]\nline 1\n/);
    expect(await read(long, { first_line: 2_499 })).toBe(
      '[notes.txt: lines 2499 to 2500 of 2500]\nline 2499\nline 2500',
    );
    expect(await read(long, { first_line: '3', last_line: 3 })).toContain('lines 3 to 3 of 2500');
  });

  test('keeps a page short, whatever the lines', async () => {
    const wide = `${'x'.repeat(30_000)}\n${'y'.repeat(30_000)}`;
    expect(await read(wide)).toMatch(/^\[notes\.txt: lines 1 to 1 of 2, go on with first_line 2\]/);
  });

  test('breaks a line that fits no page, between characters', async () => {
    const endless = `${'x'.repeat(39_999)}\u{1F6F6}${'y'.repeat(60_000)}`;
    const first = await read(endless);
    expect(first).toBe(`[notes.txt: lines 1 to 1 of 3, go on with first_line 2]\n${'x'.repeat(39_999)}`);
    expect(await read(endless, { first_line: 2 })).toMatch(/lines 2 to 2 of 3, go on .* 3\]\n\u{1F6F6}y{39998}$/u);
    expect(await read(endless, { first_line: 3 })).toMatch(/lines 3 to 3 of 3\]\ny{20002}$/);
  });

  test.each([
    [{ name: 'other.txt' }, 'there is no attachment "other.txt". Attachments: "notes.txt".'],
    [{ name: '../notes.txt' }, 'there is no attachment "../notes.txt". Attachments: "notes.txt".'],
    [{ name: '/etc/passwd' }, 'there is no attachment "/etc/passwd".'],
    [{ name: 7 }, '"name" must be a text that is not empty, got 7 (number).'],
    [{ first_line: 3 }, 'notes.txt has lines 1 to 2, but lines 3 to'],
    [{ first_line: 2, last_line: 1 }, 'Ask for lines that it has.'],
    [{ first_line: 0 }, '"first_line" must be a whole number from 1 up, got 0 (number).'],
  ])('refuses %j', async (args, message) => {
    await expect(read('a\nb', args)).rejects.toThrow(message);
  });

  test('says so when a file is no text', async () => {
    const message = '"notes.txt" is a binary file of 4 bytes, which has no text to read.';
    await expect(read(new Uint8Array([0, 1, 2, 3]))).rejects.toThrow(message);
  });

  test('blames the machine for a file that is gone, and does not name its path', async () => {
    const context = { signal: new AbortController().signal, attachments: [{ name: 'a.txt', path: '/nowhere/a.txt' }] };
    const reading = readAttachment.run(new Map([['name', 'a.txt']]), context);
    await expect(reading).rejects.toMatchObject({
      kind: 'machine',
      message: expect.stringMatching(/^"a\.txt" can no longer be read \(ENOENT\)\. Do not [^/]*$/),
    });
  });
});
