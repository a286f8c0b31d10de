import { expect, test } from 'vitest';
import { toResult } from '../src/metrics/result.fixture.ts';
import { toRateRemarks } from './rate-remarks.ts';

function call(slots: number, waited_ms = 0, cached = false) {
  return { ...toResult('correct', { agent: 'a', waited_ms, cached }), slots };
}

test.each([
  ['nothing of a run that was never refused', [call(20), call(20)], []],
  ['nothing of a replay', [toResult('correct'), toResult('incorrect')], []],
  [
    'how long calls waited and how far their number was cut',
    [call(20, 1500), call(10, 500), call(11)],
    ['a: the provider refused for its rate: 2 calls waited 2.0 s in all; at worst 10 calls ran at once instead of 20'],
  ],
  ['nothing of what an earlier run waited', [call(20), call(5, 900, true)], []],
])('says %s', (_, results, remarks) => {
  expect(toRateRemarks(results)).toEqual(remarks);
});
