import { expect, test } from 'vitest';
import { hidesRecords } from './hides-records.ts';

test.each([
  [{ ci: true, showGated: null }, true],
  [{ ci: true }, true],
  [{ ci: true, showGated: false }, true],
  [{ ci: true, showGated: true }, false],
  [{ ci: false, showGated: null }, false],
  [{}, false],
])('%j: %s', (settings, hides) => {
  expect(hidesRecords(settings)).toBe(hides);
});
