import { expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { scoreGaia } from './score-gaia.ts';

// Whatever the machine, a quadratic rule takes 16 times as long for four times the text, or far more than a second.
it.each(['official', 'exact', 'contains', 'bidirectional'])('%s takes time in proportion to the text', (rule) => {
  for (const unit of ['1', '1_', '1,', ' ', 'a ', 'e1', '\u0085', '１']) {
    for (const truth of ['3', 'a, b', 'word']) {
      const start = cpuTime();
      scoreGaia(`${unit.repeat(1_000_000 / unit.length)}x`, truth, rule);
      expect(cpuTime() - start).toBeLessThan(3000);
    }
  }
});
