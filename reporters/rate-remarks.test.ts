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
    [
      'a: 2 calls were put off, refused or not reached, for 2.0 s in all, which count in no latency; ' +
        'calls were refused as too many, and as few as 10 at once were asked instead of 20',
    ],
  ],
  [
    'of one call without a refusal no status',
    [call(2, 1500)],
    ['a: 1 call was put off, refused or not reached, for 1.5 s in all, which count in no latency'],
  ],
  [
    'what it did for refusals that no call waited for',
    [call(2), call(1)],
    ['a: calls were refused as too many, and as few as 1 at once were asked instead of 2'],
  ],
  ['nothing of what an earlier run waited', [call(20), call(5, 900, true)], []],
])('says %s', (_, results, remarks) => {
  expect(toRateRemarks(results)).toEqual(remarks);
});
