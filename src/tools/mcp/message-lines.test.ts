import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { MessageLines } from './message-lines.ts';

const message = (text: string) => ({ jsonrpc: '2.0', method: 'note', params: { text } });
const toLine = (text: string) => Buffer.from(`${JSON.stringify(message(text))}\n`);

describe('the lines of a server', () => {
  test('are messages however they come in parts', () => {
    const bytes = Buffer.concat([toLine('añ€'), toLine('b'), toLine('c')]);
    for (const size of [1, 7, 50, 1_000]) {
      const lines = new MessageLines();
      const found: unknown[] = [];
      for (let at = 0; at < bytes.length; at += size) found.push(...lines.append(bytes.subarray(at, at + size)));
      expect(found).toEqual(['añ€', 'b', 'c'].map(message));
    }
  });

  test('may be nonsense, which harms no other', () => {
    const chunk = Buffer.concat([Buffer.from('Server ready\n\n[]\r\n{"a"\n'), toLine('b')]);
    expect(new MessageLines().append(chunk)).toEqual([...Array(4).fill('nonsense'), message('b')]);
  });

  test('may be replies without a result, and no other object is taken for one', () => {
    const texts = ['{"jsonrpc":"2.0","id":"a","result":null}', '{"id":5,"level":30}', '{"jsonrpc":"2.0","id":null}'];
    const error = { code: -32603, message: expect.stringContaining('no result') };
    const reply = { jsonrpc: '2.0', id: 'a', error };
    const chunk = Buffer.from(texts.map((text) => `${text}\n`).join(''));
    expect(new MessageLines().append(chunk)).toEqual([reply, 'nonsense', 'nonsense']);
  });

  test('may be 10 MB long and no longer', () => {
    const lines = new MessageLines();
    expect(lines.append(Buffer.alloc(10 * 1024 * 1024, 'x'))).toEqual([]);
    expect(lines.append(Buffer.from('x'))).toBe('too long');
  });

  test('take a time that grows with their length, also in small parts', () => {
    const lines = new MessageLines();
    const part = Buffer.alloc(1_000, 'x');
    const start = cpuTime();
    for (let count = 0; count < 10_000; count++) lines.append(part);
    expect(cpuTime() - start).toBeLessThan(1_000);
  });
});
