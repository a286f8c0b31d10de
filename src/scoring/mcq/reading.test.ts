import { expect, it } from 'vitest';
import { track } from './clean/tracked-text.ts';
import { toKnownQuestion, toReading } from './reading.ts';

it('lowers a text without moving anything in it', () => {
  const said = track('İzmir or İSTANBUL: B');
  const { text, lower } = toReading(toKnownQuestion({}), said, said);
  expect(lower).toBe('İzmir or İstanbul: b');
  expect(lower).toHaveLength(text.length);
});
