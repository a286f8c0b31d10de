import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeZip } from '../../../test/make-zip.ts';
import { decodeText, detectKind } from './file-kind.ts';

const text = (content: string) => Buffer.from(content, 'latin1');

test.each([
  'tides.pdf',
  'minutes.docx',
  'beds.xlsx',
  'walks.pptx',
  'red.png',
  'blue.jpg',
  'green.gif',
  'green.webp',
])('%s is of the kind that its name says', (name) => {
  const kind = detectKind(readFileSync(`test/fixtures/attachments/${name}`));
  expect(name.replace('jpg', 'jpeg').endsWith(`.${kind}`)).toBe(true);
});

test.each([
  ['a PDF after a line of something else', text('x\r\n%PDF-1.7\n\x00'), 'pdf'],
  ['a ZIP of plain files', makeZip({ 'word/a.txt': 'x' }), 'zip'],
  ['a WAV recording', text('RIFF\x00\x00\x00\x00WAVEfmt '), 'wav'],
  ['an MP3 without one', text('\xff\xfb\x90\x64\x00'), 'mp3'],
  ['an M4A recording', text('\x00\x00\x00\x20ftypM4A \x00'), 'm4a'],
  [
    'a recording in MPEG-4',
    text('\x00\x00\x00\x20ftypmp42hdlr\x00\x00\x00\x00\x00\x00\x00\x00soun'),
    'm4a',
  ],
  [
    'a film in MPEG-4',
    text('\x00\x00\x00\x20ftypM4A hdlr\x00\x00\x00\x00\x00\x00\x00\x00vide'),
    'binary',
  ],
  ['an old Word file', text('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00'), 'binary'],
  ['bytes without meaning', text('\x00\x01\x02'), 'binary'],
  ['Windows-1252', text('caf\xe9'), 'text'],
  ['UTF-16 with a mark', text('\xff\xfea\x00'), 'text'],
  ['nothing', text(''), 'text'],
  ['a coordinate file', text('ATOM      1  N   MET A   1      11.000  12.000  13.000\n'), 'text'],
  ['a program that looks for PDFs', text('import re\nMAGIC = b"%PDF-1.7"\n'), 'text'],
  ['a PDF in plain letters', text('%PDF-1.4\n1 0 obj\n<<>>\nendobj\nstartxref\n9\n%%EOF'), 'pdf'],
  ['a text about decision trees', text('ID3 is a decision tree\n'), 'text'],
  ['such a text with an odd character in it', text('ID3 is a decision tree\x01\n'), 'binary'],
  ['a text about GIF', text('GIF89a and GIF87a are versions'), 'text'],
  ['a text about boxes', text('the moov box\x02'), 'binary'],
  ['a picture of a telephone', text('\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic'), 'binary'],
])('recognises %s', (_, bytes, kind) => {
  expect(detectKind(bytes)).toBe(kind);
});

test.each([
  ['UTF-16', Buffer.from('\ufeffcafé', 'utf16le'), 'café'],
  ['UTF-16 the other way round', Buffer.from('\ufeffcafé', 'utf16le').swap16(), 'café'],
  ['Windows-1252', text('d\xe9j\xe0 vu \x80 5'), 'déjà vu € 5'],
])('%s is decoded', (_, bytes, expected) => {
  expect(decodeText(bytes)).toBe(expected);
});
