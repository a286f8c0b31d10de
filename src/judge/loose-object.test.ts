import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLooseObject } from './loose-object.ts';

const name = fc.string({ maxLength: 30, unit: fc.constantFrom(...'abz_ 0"\\{}:,\'“é\n') });
const value = fc.oneof(fc.string({ unit: 'binary' }), name, fc.jsonValue({ maxDepth: 3 }));

test('valid JSON is read as JSON.parse reads it, up to its own brace', () => {
  const object = fc.dictionary(name, value, { maxKeys: 5 });
  fc.assert(
    fc.property(object, fc.constantFrom(0, 2), fc.string(), (fields, indent, rest) => {
      const json = JSON.stringify(fields, null, indent);
      const read = readLooseObject(json + rest, 0);
      expect(read?.end).toBe(json.length);
      for (const [key, expected] of Object.entries(fields))
        if (typeof expected === 'string')
          expect(read?.fields.get(key.replaceAll('\ufeff', '').trim())).toContain(expected);
    }),
  );
});

test('other text never throws', () => {
  const part = fc.constantFrom(...'{}[]:,"\'`“”’\\\n #/*', 'u00', 'x', 'verdict', '\ud800', '"a":');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      const text = `{${parts.join('')}`;
      expect(readLooseObject(text, 0)?.end ?? 1).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: 2000 },
  );
});
