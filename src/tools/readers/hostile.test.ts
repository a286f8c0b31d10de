import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { makeOffice, toRelations } from '../../../test/make-zip.ts';
import { readDocx } from './documents.ts';
import { readDocument } from './index.ts';
import { readXlsx } from './xlsx.ts';

const fixture = (name: string) => readFileSync(`test/fixtures/attachments/${name}`);
const DOCX = 'word/document.xml';
const XLSX = 'xl/workbook.xml';

/** A PDF of one page whose content is this stream, which was packed twice. */
function makePdf(stream: Uint8Array): Buffer {
  const head = [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj',
    `4 0 obj<</Length ${stream.length}/Filter[/FlateDecode/FlateDecode]>>stream\n`,
  ].join('\n');
  return Buffer.concat([
    Buffer.from(head),
    stream,
    Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
  ]);
}

describe('a broken document', () => {
  test('a PDF that is cut in half says so', async () => {
    const bytes = fixture('tides.pdf');
    const reading = readDocument(bytes.subarray(0, bytes.length / 2), 'a.pdf');
    await expect(reading).rejects.toThrow('"a.pdf" is broken, or not a pdf file (');
  });

  // zip.test.ts has other damages; all kinds are unpacked by the same class.
  test('an Office document with wrong bytes inside says so', () => {
    const bytes = fixture('beds.xlsx');
    const part = 'xl/worksheets/sheet1.xml';
    const at = bytes.toString('latin1').search(new RegExp(`PK\\x03\\x04[\\s\\S]{26}${part}`)) + 30;
    bytes.fill(0x55, at + part.length + 50, at + part.length + 90);
    expect(() => readXlsx(bytes, 'a.xlsx')).toThrow(`is a broken ZIP archive: "${part}"`);
  });

  test.each([
    ['binary', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['ogg', Buffer.from('OggS\0')],
    ['png', fixture('red.png')],
  ])('%s has no text to read', async (kind, bytes) => {
    await expect(readDocument(bytes, 'a')).rejects.toThrow(
      `"a" has no text to read (${kind}). Text, PDF, Office documents since 2007, ZIP, PNG, JPEG, GIF and WebP are read or shown.`,
    );
  });
});

describe('a hostile document', () => {
  test('an Office file that unpacks to more than 100 MB is not unpacked', async () => {
    const bomb = makeOffice(DOCX, '<a/>');
    bomb.writeUInt32LE(101_000_000, bomb.lastIndexOf('PK\x01\x02') + 24);
    await expect(readDocx(bomb, 'a.docx')).rejects.toThrow('has 101000000 bytes; at most');
  });

  test('an Office file with entities of its own is not parsed', async () => {
    const laughs =
      '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><a>&c;&c;&c;</a>';
    const refused = 'declares entities of its own';
    await expect(readDocx(makeOffice(DOCX, laughs), 'a')).rejects.toThrow(refused);
    expect(() => readXlsx(makeOffice(XLSX, laughs), 'a')).toThrow(refused);
  });

  test('a PDF whose page unpacks without end is ended', async () => {
    const bytes = makePdf(deflateSync(deflateSync(Buffer.alloc(200_000_000, ' '))));
    expect(bytes.length).toBeLessThan(10_000);
    const reading = readDocument(bytes, 'a.pdf', { limits: { deadlineMs: 60_000, memoryMb: 200 } });
    await expect(reading).rejects.toThrow(
      'needs more memory to be read than 200 MB, the limit for a file',
    );
  });

  test('a document that grows on the heap is ended', async () => {
    const body = '<w:p><w:r><w:t>x</w:t></w:r></w:p>'.repeat(500_000);
    const bytes = makeOffice(
      DOCX,
      `<w:document xmlns:w="urn:w"><w:body>${body}</w:body></w:document>`,
    );
    const reading = readDocument(bytes, 'a', { limits: { deadlineMs: 60_000, memoryMb: 100 } });
    await expect(reading).rejects.toThrow('more memory to be read than 100 MB');
  });

  test('a document that takes too long is ended, and so is one whose sample is over', async () => {
    const bytes = makeOffice(DOCX, `<a>${'<b>'.repeat(1_000_000)}`);
    const late = readDocument(bytes, 'a', { limits: { deadlineMs: 1_000, memoryMb: 500 } });
    await expect(late).rejects.toThrow('takes longer to read than 1 s, the limit for a file');
    const over = readDocument(bytes, 'a', { signal: AbortSignal.timeout(300) });
    await expect(over).rejects.toThrow('aborted due to timeout');
  });

  test('an endless sheet is cut', async () => {
    const row = `<row><c t="inlineStr"><is><t>${'a'.repeat(320)}</t></is></c></row>`;
    const book = '<workbook><sheets><sheet name="s" r:id="r1"/></sheets></workbook>';
    const bytes = makeOffice(XLSX, book, {
      'xl/_rels/workbook.xml.rels': toRelations(['worksheet', 's.xml']),
      'xl/s.xml': `<worksheet><sheetData>${row.repeat(16_000)}</sheetData></worksheet>`,
    });
    const { text } = await readDocument(bytes, 'a.xlsx');
    expect(text).toContain('\n2\taaaaaaaa');
    expect(text.length).toBeLessThan(5_000_100);
    expect(text).toMatch(/\[\.\.\. \d+ more characters are not read\]$/);
  });
});
