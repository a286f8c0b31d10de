import { expect, test } from 'vitest';
import { TrialMap } from './trial-map.ts';

const trial = { suite: 's', dataset: 'd', agent: 'a', id: 'i', trial: 1 };

test.each([[{ suite: 'x' }], [{ dataset: 'x' }], [{ agent: 'x' }], [{ id: 'x' }], [{ trial: 2 }]])(
  'tells a trial from one with %j',
  (change) => {
    const map = new TrialMap<string>();
    map.set(trial, 'first');
    const other = { ...trial, ...change };
    expect([map.get(other), map.has(other), map.size]).toEqual([undefined, false, 1]);
    map.set(other, 'second');
    expect([map.get({ ...trial }), map.get(other), map.size]).toEqual(['first', 'second', 2]);
  },
);

test('a later value replaces the one before; an id may be "__proto__"', () => {
  const map = new TrialMap<string>();
  for (const value of ['first', 'second']) map.set({ ...trial, id: '__proto__' }, value);
  expect([map.get({ ...trial, id: '__proto__' }), map.size, map.has(trial)]).toEqual(['second', 1, false]);
});
