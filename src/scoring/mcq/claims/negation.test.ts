import { expect, it } from 'vitest';
import { readingOf } from '../reading.fixture.ts';
import { claimAt } from './claim-at.ts';
import { isConditional, isDeniedAfter } from './negation.ts';

const rivers = { choices: { A: 'Danube', B: 'Rhine', C: 'Elbe', D: 'Loire' } };

it.each([
  ['B makes no sense', true],
  ['B make little sense', true],
  ['B simply makes no sense', true],
  ['B has nothing to do with it', true],
  ['B has little bearing here', true],
  ['B had no relevance', true],
  ['B clearly has no connection', true],
  ['B has really no effect', true],
  ['B have no role', true],
  ['B has no sharps', false],
  ['B has no effects on paper', false],
  ['B is long, has no role', false],
  ['B makes no senses', false],
])('whether "%s" speaks against B: %s', (output, denied) => {
  expect(isDeniedAfter(readingOf(output, rivers), 1)).toBe(denied);
});

it.each([
  ['if it is old, it is B; if it is new, it is A', 'B', true],
  ['if it is old, it is B, if it is new, it is A', 'B', true],
  ['if it is old, it is B; and if it is new, it is A', 'B', true],
  ['if it is old, it is B; but when it is new, it is A', 'B', true],
  ['if it is old, it is B; otherwise it is A', 'B', true],
  ['if it is old, it is B; else A', 'B', true],
  ['if it is old, it is A; if it is new, it is B', 'B', true],
  ['if it is old, it is A; and if it is new, it is B', 'B', true],
  ['if it is old, it is A, but if it is new, it is B', 'B', true],
  ['if it is old, it is B. if it is new, it is A', 'B', false],
  ['well, if it is old, it is A; if it is new, it is B', 'B', true],
  ['if it is old, it is B. it is long, if not wide', 'B', false],
  ['if it is old, it is B; elsewhere it is A', 'B', false],
  ['if it is old, it is B', 'B', false],
  ['it is B; if it is new, it is A', 'B', false],
  ['if it were old, it would be B', 'B', true],
  ['for Vienna it would be B', 'B', true],
  ['at sea it would be B', 'B', true],
  ['at all events it would be B', 'B', false],
  ['at first it would be B', 'B', false],
  ['at allied ports it would be B', 'B', true],
  ['for this town it would be B', 'B', false],
])('whether "%s" says B of one case of several: %s %s', (output, label, conditional) => {
  const reading = readingOf(output, rivers);
  const at = reading.text.indexOf(label);
  const claim = claimAt(reading, at);
  expect(claim).not.toBeNull();
  const start = Math.max(0, output.lastIndexOf(' it ', at));
  if (claim !== null) expect(isConditional(reading, start, claim)).toBe(conditional);
});
