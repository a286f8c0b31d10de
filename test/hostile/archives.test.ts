import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectKind } from '../../src/tools/readers/file-kind.ts';
import { parseXml } from '../../src/tools/readers/office.ts';
import { describeZip, listMembers, ReadError } from '../../src/tools/readers/zip.ts';
import { makeZip } from '../make-zip.ts';
import { hostileText } from './hostile-text.ts';

const ARCHIVES = [
  makeZip({ 'a.txt': 'x'.repeat(2_000), 'b/c.csv': 'a,b\n', '../d': '' }),
  readFileSync(join(import.meta.dirname, '../fixtures/attachments/minutes.docx')),
];

const MOST = 100_000;

/** Some bytes of a file set to others, and its end cut off. */
const damage = fc.record({
  archive: fc.constantFrom(...ARCHIVES),
  bytes: fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 1, 0x50, 0x7f, 0xff)), { maxLength: 6 }),
  // The directory and the end of an archive say where everything is.
  atEnd: fc.boolean(),
  cut: fc.nat(30),
});

test('a damaged archive is listed and read within the limits, or refused as one', () => {
  fc.assert(
    fc.property(damage, ({ archive, bytes, atEnd, cut }) => {
      const file = Buffer.from(archive.subarray(0, archive.length - (cut < 25 ? 0 : cut)));
      for (const [at, value] of bytes)
        file[(atEnd ? file.length - 1 - (at % 300) : at % file.length) || 0] = value;
      detectKind(file);
      tryReading(() => describeZip(file, 'x.zip'));
      tryReading(() => listMembers(file).map((member) => tryReading(() => member.read(MOST))));
    }),
    { numRuns: 500 },
  );
});

function tryReading(read: () => unknown): void {
  try {
    const found = read();
    if (found instanceof Uint8Array) expect(found.length).toBeLessThanOrEqual(MOST);
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
  }
}

test('XML of any shape is read or refused, and changes no prototype', () => {
  const parts = fc.constantFrom(
    '<a>',
    '</a>',
    '<b x="1"/>',
    '&lt;',
    '&x;',
    '&#0;',
    '&#x110000;',
    '<![CDATA[',
    ']]>',
    '<!--',
    '<?x',
    '<!DOCTYPE a [<!ENTITY x "y">]>',
    '<__proto__>',
    '</__proto__>',
    ' constructor="1"',
  );
  const text = fc
    .array(fc.oneof(parts, hostileText), { maxLength: 10 })
    .map((all) => `<r>${all.join('')}</r>`);
  fc.assert(
    fc.property(text, (xml) => {
      try {
        parseXml(xml, 'part.xml');
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
      expect([Object.keys(Object.prototype), typeof {}.constructor]).toEqual([[], 'function']);
    }),
    { numRuns: 300 },
  );
});
