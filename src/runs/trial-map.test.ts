import { expect, test } from 'vitest';
import { cpuTime } from '../../test/cpu-time.ts';
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

test('ten times the trials of one sample take about ten times as long', () => {
  const fill = (count: number) => {
    const started = cpuTime();
    const map = new TrialMap<number>();
    for (let number = 1; number <= count; number++) map.set({ ...trial, trial: number }, number);
    for (let number = 1; number <= count; number++) map.get({ ...trial, trial: number });
    return cpuTime() - started;
  };
  fill(20_000);
  expect(fill(200_000)).toBeLessThan(Math.max(100, fill(20_000)) * 40);
});
