import { describe, expect, test } from 'vitest';
import { readRequests } from '../../src/data/files/recorded-requests.ts';
import { parseTable } from '../../src/data/files/table.ts';
import { slug } from '../../src/store/run-folder.ts';
import { isDateFormat } from '../../src/tools/readers/xlsx-styles.ts';
import { isLeakAddress, isLeakText } from '../../src/tools/web/leak-guard.ts';
import { escapeJson } from '../../src/words/show.ts';
import { cpuTime } from '../cpu-time.ts';
import { makeFile } from '../make-folder.ts';
import { type ShortSpan, toCall, toMessage, toOtlpLine } from '../otlp-lines.ts';

const MANY = 300_000;

const SPANS = 8_000;

/** So many spans of one trace, each below the span that `parentOf` names. */
function readTrace(count: number, parentOf: (index: number) => string, operation: string) {
  const spans = Array.from({ length: count }, (_, index): ShortSpan => {
    const isModel = operation === 'chat' || (operation === 'mixed' && index % 2 === 1);
    const asked = [toMessage('user', `question ${index}`)];
    const call = { type: 'tool_call', id: '', name: 'add', arguments: {} };
    const attributes = isModel
      ? toCall(asked, [toMessage('assistant', call)])
      : { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'add' };
    return { id: `s${index}`, parent: parentOf(index), from: index, to: index + 1, attributes };
  });
  const input = toCall(
    [toMessage('user', 'Go.')],
    [toMessage('assistant', 'Done.')],
    'invoke_agent',
  );
  const root: ShortSpan = { id: 'root', attributes: input };
  return readRequests(makeFile('traces.jsonl', toOtlpLine(root, ...spans)));
}

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
  'an agent with 8,000 calls of tools': () => readTrace(SPANS, () => 'root', 'tool'),
  'an agent with 8,000 calls of models and tools': () => readTrace(SPANS, () => 'root', 'mixed'),
  'a chain of 8,000 spans': () =>
    readTrace(SPANS, (index) => (index === 0 ? 'root' : `s${index - 1}`), 'mixed'),
  '8,000 calls of models without an agent': () => readTrace(SPANS, () => 'web', 'chat'),
  '8,000 calls of models and tools without an agent': () => readTrace(SPANS, () => 'web', 'mixed'),
  'an answer of what JSON must escape': () => escapeJson('\u200b'.repeat(MANY)),
};

describe('takes time in proportion to what it reads', () => {
  test.each(Object.entries(WORK))('%s', async (_, work) => {
    const start = cpuTime();
    await work();
    expect(cpuTime() - start).toBeLessThan(5_000);
  });
});
