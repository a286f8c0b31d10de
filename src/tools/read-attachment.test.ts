import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { makeZip } from '../../test/make-zip.ts';
import type { MediaLimits } from './media.ts';
import { readAttachment } from './read-attachment.ts';
import type { ToolContext } from './tool.ts';

const FIXTURES = 'test/fixtures/attachments';
const SAMPLE = 'evals/gaia/sample/2023/validation';
const ALL: MediaLimits = { image: 1_000_000, pdf: 1_000_000, audio: 1_000_000 };

/** A question with one attachment, stored under a meaningless name. */
function attach(
  name: string,
  content: Uint8Array | string,
  rest: Partial<ToolContext> = {},
): ToolContext {
  const path = join(makeFolder(), 'stored');
  if (typeof content === 'string') copyFileSync(content, path);
  else writeFileSync(path, content);
  return { signal: new AbortController().signal, attachments: [{ name, path }], ...rest };
}

async function read(
  context: ToolContext,
  name = context.attachments[0]?.name,
  args: object = {},
): Promise<string> {
  const output = await readAttachment.run(new Map(Object.entries({ name, ...args })), context);
  return typeof output === 'string'
    ? output
    : `${output.text} [${output.media.map(({ mediaType }) => mediaType)}]`;
}

/** The attachment of the sample with this extension. */
function findSample(extension: string): string {
  const name = readdirSync(SAMPLE).find((file) => file.endsWith(`.${extension}`));
  return join(SAMPLE, name ?? '');
}

describe('read_attachment goes by content, whatever a file is called', () => {
  test.each([
    ['a.jpg', findSample('jpg'), 'jpeg picture', 'image/jpeg'],
    ['a.wav', findSample('wav'), 'wav recording', 'audio/wav'],
    ['a.csv', `${FIXTURES}/green.gif`, 'gif picture', 'image/gif'],
    ['a', `${FIXTURES}/green.webp`, 'webp picture', 'image/webp'],
  ])('%s is shown', async (name, file, kind, type) => {
    const shown = `${name}: ${kind}. It comes with this result. [${type}]`;
    expect(await read(attach(name, file, { media: ALL }))).toBe(shown);
  });

  test('a table called a.png is read', async () => {
    const table = attach('a.png', Buffer.from('a,b\n1,2'), { media: ALL });
    expect(await read(table)).toBe('[a.png | part 1 of 1]\na,b\n1,2');
  });
});

describe('read_attachment reads files in archives', () => {
  const inner = makeZip({ 'deep.txt': 'found' });
  const box = makeZip({
    'a/b.csv': '1,2',
    'in.zip': inner,
    '../out.txt': 'x',
    'big.bin': Buffer.alloc(51_000_000),
  });

  test.each([
    ['box.zip/a/b.csv', '[box.zip/a/b.csv | part 1 of 1]\n1,2'],
    ['box.zip/../out.txt', '[box.zip/../out.txt | part 1 of 1]\nx'],
    ['box.zip/in.zip', '"box.zip/in.zip/deep.txt", 5 bytes'],
    ['box.zip/in.zip/deep.txt', '[box.zip/in.zip/deep.txt | part 1 of 1]\nfound'],
  ])('%s', async (name, text) => {
    expect(await read(attach('box.zip', box), name)).toContain(text);
  });

  test.each([
    ['box.zip/no.txt', '"box.zip" has no file "no.txt". Read it by its own name to see its files.'],
    ['box.zip/a/b.csv/c', '"box.zip" is not a complete ZIP archive'],
    [
      'box.zip/big.bin',
      '"box.zip" is too large: "big.bin" has 51000000 bytes; at most 50000000 are read.',
    ],
    ['box.zipper', 'there is no attachment "box.zipper". Attachments: "box.zip".'],
  ])('but not %s', async (name, message) => {
    await expect(read(attach('box.zip', box), name)).rejects.toThrow(message);
  });

  test('three deep, and the pictures of a document', async () => {
    const nested = [1, 2, 3].reduce<Uint8Array>((content) => makeZip({ 'z.zip': content }), inner);
    const name = 'n.zip/z.zip/z.zip/z.zip/deep.txt';
    await expect(read(attach('n.zip', nested), name)).rejects.toThrow('they are opened 3 deep');
    const context = attach('a.docx', join(FIXTURES, 'minutes.docx'), { media: ALL });
    expect(await read(context, 'a.docx/word/media/image1.png')).toContain('[image/png]');
  });
});

describe('read_attachment shows no model what its API would refuse', () => {
  test('a picture of too many bytes', async () => {
    const bytes = readFileSync(join(FIXTURES, 'red.png'));
    await expect(read(attach('a', bytes, { media: { ...ALL, image: 40 } }))).rejects.toThrow(
      'but this model is shown at most 40.',
    );
  });

  test('a recording without means to hear or transcribe it, or of more than 25 MB', async () => {
    const bytes = Buffer.concat([Buffer.from('ID3\x04'), Buffer.alloc(26_000_000)]);
    await expect(read(attach('a', bytes.subarray(0, 99)))).rejects.toThrow(
      'can neither hear nor transcribe',
    );
    const transcribe = async () => 'never';
    await expect(read(attach('a', bytes, { transcribe }))).rejects.toThrow(
      'at most 25000000 are transcribed.',
    );
  });

  test('a recording twice to a service that has transcribed it, but again to one that failed', async () => {
    let calls = 0;
    const transcribe = async () => {
      calls += 1;
      if (calls === 1) throw new Error('busy');
      return 'One. Two? Three';
    };
    const context = attach('a.mp3', Buffer.from('ID3\x04\x00 ...'), { transcribe });
    await expect(read(context)).rejects.toThrow(
      '"a.mp3" is a recording (mp3); transcribing it failed: busy',
    );
    expect(await read(context)).toBe('[a.mp3 | part 1 of 1]\nOne.\nTwo?\nThree');
    expect(await read(context, 'a.mp3', { part: 1 })).toContain('Three');
    expect(calls).toBe(2);
  });
});

/** Reads a file with this content, attached as "notes.txt". */
const readText = (content: string | Uint8Array, args: object = {}) =>
  read(attach('notes.txt', Buffer.from(content)), 'notes.txt', args);

const long = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}`).join('\n');
const endless = `${'x'.repeat(30_000)}${'y'.repeat(30_000)}`;

describe('read_attachment', () => {
  test.each<[string, string, object, RegExp]>([
    ['a text', 'a\nb\n', {}, /^\[notes\.txt \| part 1 of 1\]\na\nb$/],
    ['nothing', '', {}, /^\[notes\.txt \| part 1 of 1\]\n\(nothing\)$/],
    [
      'a part of a long text',
      long,
      {},
      /part 1 of 2, go on with part 2\]\nline 1\n[\s\S]*line \d+$/,
    ],
    [
      'the last part, by number or text',
      long,
      { part: '2' },
      /part 2 of 2\]\nline [\s\S]*line 5000$/,
    ],
    ['a part of a line that fits no part', endless, { part: 2 }, /part 2 of 2\]\ny{30000}$/],
  ])('reads %s', async (_, content, args, expected) => {
    expect(await readText(content, args)).toMatch(expected);
  });

  test.each([
    [{ name: 'other.txt' }, 'there is no attachment "other.txt". Attachments: "notes.txt".'],
    [{ part: 3 }, 'notes.txt has parts 1 to 1, but part 3 was asked for.'],
    [{ part: 0 }, '"part" must be a whole number from 1 up, got 0.'],
  ])('refuses %j', async (args, message) => {
    await expect(readText('a\nb', args)).rejects.toThrow(message);
  });

  test('blames the machine for a file that is gone, and does not name its path', async () => {
    const attachments = [{ name: 'a.txt', path: '/nowhere/a.txt' }];
    const reading = read({ signal: new AbortController().signal, attachments });
    await expect(reading).rejects.toMatchObject({
      kind: 'machine',
      message: expect.stringMatching(/^"a\.txt" can no longer be read \(ENOENT\)\. Do not [^/]*$/),
    });
  });
});
