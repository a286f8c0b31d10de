import { expect, it } from 'vitest';
import { track } from './tracked-text.ts';
import { keepBothEnds } from './window.ts';

it('keeps 40,000 characters, and of more than that both ends', () => {
  const whole = track('a'.repeat(8_000) + 'z'.repeat(32_000));
  expect(keepBothEnds(whole)).toBe(whole);
  const longer = track(`${'a'.repeat(8_000)}m${'z'.repeat(32_000)}`);
  expect(keepBothEnds(longer).text).toBe(`${'a'.repeat(8_000)}\n\n...\n\n${'z'.repeat(32_000)}`);
});
