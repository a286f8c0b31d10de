import { expect, test } from 'vitest';
import { cpuTime } from '../../test/cpu-time.ts';
import { trimUnseen } from './unseen.ts';

test.each([
  ['a zero-width space', '\u200b42\u200b', '42'],
  ['a byte order mark before a space', '\ufeff 42', '42'],
  ['joiners', '42\u200d\u200c', '42'],
  ['a word joiner and a soft hyphen', '\u206042\u00ad', '42'],
  ['directions of text', '\u202a42\u202c \u200e\u2069', '42'],
  ['a variation selector alone', '\ufe0f42\ufe0f', '42'],
  ['a filler and a tag', '\u316442\u{e0041}', '42'],
  ['only such characters', '\u200b \u2060', ''],
])('what does not show is cut off at the ends: %s', (_, text, rest) => {
  expect(trimUnseen(text)).toBe(rest);
});

test.each(['a\u200bb', '👩\u200d🚀', 'می\u200cرود', '❤\ufe0f', '葛\u{e0100}', '4\u00a02'])(
  'what belongs to a character or stands inside stays: %j',
  (text) => {
    expect(trimUnseen(`${text}\u200b\n`)).toBe(text);
  },
);

test('runs of blanks in the middle take linear time', () => {
  const start = cpuTime();
  trimUnseen(`a${' '.repeat(150_000)}b${'\u200b'.repeat(150_000)}c`);
  expect(cpuTime() - start).toBeLessThan(150);
});
