import { expect, test } from 'vitest';
import { judgeNode, judgePair, judgeSpace } from './doctor.ts';

test.each([
  ['24.0.0', 'ok'],
  ['26.1.0', 'ok'],
  ['22.22.0', 'miss'],
  ['9.0.0', 'miss'],
])('Node %s is %s', (version, status) => {
  expect(judgeNode(version).status).toBe(status);
});

test.each([
  ['5.1.0', '5.1.0', 'ok'],
  ['5.1.1', '5.1.0', 'miss'],
  ['5.1.0', null, 'miss'],
  [null, null, 'miss'],
])('vitest %s with @vitest/ui %s is %s', (vitest, ui, status) => {
  expect(judgePair(vitest, ui).status).toBe(status);
});

test.each([
  [200, 'ok'],
  [199, 'miss'],
])('%d MB free is %s', (freeMb, status) => {
  expect(judgeSpace('/x', freeMb).status).toBe(status);
});
