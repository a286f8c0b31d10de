import { expect, test } from 'vitest';
import { toResult } from '../figures/result.fixture.ts';
import type { SampleResult } from '../words/row.ts';
import type { Json } from '../words/sample.ts';

import { toRowLine, withAnswer } from './row-line.ts';

const LONG = 'long \u2028 "text" \ud83d'.repeat(20_000);
const TABLE = { rows: Array.from({ length: 20_000 }, (_, at) => ({ at, text: 'cell' })) };

test.each<[name: string, output: Json, answer: Json, most: number, part: unknown]>([
  ['the whole text', LONG, LONG, 1.5, [0, LONG.length]],
  [
    'a text without its thoughts and blanks',
    `<think>x</think> ${LONG}\n`,
    LONG,
    1.5,
    [17, 17 + LONG.length],
  ],
  ['a whole value', TABLE, structuredClone(TABLE), 1.5, true],
  ['another long text', LONG, LONG.replaceAll('l', 'L'), 2.5, undefined],
  ['a short part', LONG, 'text', 1.5, undefined],
  ['a short text', 'x', 'x', 200, undefined],
  ['no answer', LONG, null, 1.5, undefined],
])(
  '%s as answer is read as it was, and stored once if it is long',
  (_, output, answer, most, part) => {
    const row: SampleResult = Object.assign(toResult('correct'), { output, answer });
    const line = toRowLine(row);
    const stored = JSON.parse(line);
    expect(stored.answer_in_output).toEqual(part);
    expect(line.length).toBeLessThan(most * JSON.stringify(output).length + 2000);
    expect(withAnswer(stored)).toEqual(JSON.parse(JSON.stringify(row)));
  },
);
