import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toResult } from '../../src/metrics/result.fixture.ts';
import { toTracePath, writeTrace } from '../../src/store/run-folder.ts';
import { makeFolder } from '../../test/make-folder.ts';
import { findTraces } from './case-data.ts';

const step = (text: string) => ({ text, reasoning: null, tool_calls: [], stop: 'end', usage: null });

test('shows those of failures while there is room, and links all others', () => {
  const folder = makeFolder();
  const wrong = Array.from({ length: 30 }, (_, index) => toResult('incorrect', { id: `w${index}` }));
  const right = toResult('correct', { id: 'right' });
  for (const result of [...wrong, right]) writeTrace(folder, result, [step('x'.repeat(50_000))]);
  const trace = findTraces(folder);
  const shown = wrong.filter((result) => 'steps' in (trace(result) ?? {}));
  expect(shown.length).toBe(19);
  expect(trace(wrong[29] ?? right)).toEqual({ file: toTracePath(wrong[29] ?? right) });
  expect(trace(right)).toEqual({ file: toTracePath(right) });
  expect(trace(wrong[0] ?? right)).toBe(trace(wrong[0] ?? right));
});

test('knows of none where there is none, and links one that cannot be read', () => {
  const folder = makeFolder();
  const wrong = toResult('incorrect', { id: 'wrong' });
  expect(findTraces(folder)(wrong)).toBeNull();
  writeTrace(folder, wrong, [step('x')]);
  writeFileSync(join(folder, toTracePath(wrong)), '{"steps": [');
  expect(findTraces(folder)(wrong)).toEqual({ file: toTracePath(wrong) });
  expect(findTraces(folder)(toResult('incorrect', { id: 'other' }))).toBeNull();
});
