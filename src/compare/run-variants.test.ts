import { expect, test } from 'vitest';
import { makeRun } from '../../test/make-run.ts';
import { toTrials } from '../figures/result.fixture.ts';
import { nameVariant } from '../words/wording.ts';
import { readComparedRun } from './compared-run.ts';
import { comparePairs, pickVariants } from './run-variants.ts';

const toRun = (agents: string, suite = 'gaia') =>
  [...agents].flatMap((agent) => toTrials('q1', '+', { agent, suite }));

test.each([
  ['a', ''],
  ['ab', 'ab'],
  ['abcd', 'ab ac ad bc bd cd'],
  ['abcdefg', 'ab ac ad ae af ag'],
])('the agents %s are compared in the pairs %j', (agents, expected) => {
  const { variants } = readComparedRun(makeRun(toRun(agents)));
  const pairs = comparePairs(variants).map(({ a, b }) => a.agent + b.agent);
  expect(pairs.join(' ')).toBe(expected);
});

test('agents of two suites are not compared', () => {
  const rows = [...toRun('ab'), ...toRun('ab', 'other')];
  const { variants } = readComparedRun(makeRun(rows));
  expect(comparePairs(variants).map(({ suite }) => suite)).toEqual(['gaia', 'other']);
});

test('an agent with the name of a prompt wins', () => {
  const rows = ['x', 'y'].flatMap((agent) =>
    ['y', 'z'].flatMap((name, index) => {
      const prompt_hash = `0000000${index}`;
      return toTrials('q1', '+', { agent, prompt: `${name}@${prompt_hash}`, prompt_hash });
    }),
  );
  const run = readComparedRun(makeRun(rows));
  const pick = (name: string) => pickVariants(run, name, 'A').variants.map(nameVariant);
  expect([pick('y'), pick('z')]).toEqual([
    ['y, y@00000000', 'y, z@00000001'],
    ['x, z@00000001', 'y, z@00000001'],
  ]);
  expect(() => pick('')).toThrow('\nIt has: x, y, y@00000000, z@00000001.');
});
