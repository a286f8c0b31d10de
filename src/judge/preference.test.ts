import { expect, test } from 'vitest';
import type { PairVerdict } from '../words/row.ts';
import { decidePair } from './preference.ts';

type Both = readonly [PairVerdict, PairVerdict];

const WIN: Both = ['first', 'second'];
const LOSS: Both = ['second', 'first'];
const TIE: Both = ['tie', 'tie'];
const TURNED: Both = ['first', 'first'];
const NONE: Both = ['error', 'first'];

test.each<[string, readonly Both[], object]>([
  ['the answer in both orders', [WIN], { outcome: 'win' }],
  ['the other one in both orders', [LOSS], { outcome: 'loss' }],
  ['neither', [TIE], { outcome: 'tie' }],
  ['whichever comes first', [TURNED], { outcome: 'tie', tie: 'turned' }],
  ['whichever comes second', [['second', 'second']], { outcome: 'tie', tie: 'turned' }],
  ['one, or neither', [['first', 'tie']], { outcome: 'tie', tie: 'turned' }],
  ['one, and cannot tell in the other order', [['first', 'cannot_tell']], { outcome: null }],
  ['one, and fails in the other order', [NONE], { outcome: null }],
  ['one, and is not asked in the other order', [['not_asked', 'second']], { outcome: null }],
  ['two of three', [WIN, WIN, LOSS], { outcome: 'win' }],
  ['two of three, one failed', [LOSS, NONE, LOSS], { outcome: 'loss' }],
  ['one each', [WIN, LOSS], { outcome: 'tie' }],
  ['one of two, the other turns', [WIN, TURNED], { outcome: 'tie', tie: 'turned' }],
  ['one of two, the other fails', [WIN, NONE], { outcome: null }],
  ['one of three, two fail', [WIN, NONE, NONE], { outcome: null }],
])('judges prefer %s', (_, verdicts, expected) => {
  expect(decidePair(verdicts)).toEqual(expected);
});
