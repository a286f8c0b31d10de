import { describe, expect, test } from 'vitest';
import { parseTable } from '../../src/data/files/table.ts';
import { slug } from '../../src/store/run-folder.ts';
import { isDateFormat } from '../../src/tools/readers/xlsx-styles.ts';
import { isLeakAddress, isLeakText } from '../../src/tools/web/leak-guard.ts';
import { escapeJson } from '../../src/words/show.ts';
import { cpuTime } from '../cpu-time.ts';

const MANY = 300_000;

/** What a quadratic step takes minutes for, or many seconds, and a linear one milliseconds. */
const WORK: Readonly<Record<string, () => unknown>> = {
  'a name of dots': () => slug(`a${'.'.repeat(MANY)}a`),
  'a name of hyphens': () => slug(`a${'-'.repeat(MANY)}a`),
  'a table of 100,000 columns': () =>
    parseTable('a.csv', `${Array.from({ length: 100_000 }, (_, at) => at).join()}\n`),
  'a page of backslashes': () => isLeakText('\\'.repeat(MANY)),
  'a host of dots': () => isLeakAddress(new URL(`http://a${'.'.repeat(MANY)}x/`)),
  'an address with dots inside': () => isLeakAddress(new URL(`http://a/b${'.'.repeat(MANY)}x`)),
  'a number format of brackets': () => isDateFormat(164, '[\n'.repeat(MANY)),
  'an answer of what JSON must escape': () => escapeJson('\u200b'.repeat(MANY)),
};

describe('takes time in proportion to what it reads', () => {
  test.each(Object.entries(WORK))('%s', async (_, work) => {
    const start = cpuTime();
    await work();
    expect(cpuTime() - start).toBeLessThan(5_000);
  });
});
