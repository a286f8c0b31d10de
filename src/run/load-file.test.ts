import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { loadInTime, whilePlanning } from './load-file.ts';

const never = () => new Promise<never>(() => {});

function load(
  file: () => Promise<unknown>,
  said: string[] = [],
  patience = { sayMs: 50, mostMs: 150 },
) {
  const say = (line: string) => void said.push(line);
  return loadInTime(file, 'evals/own.eval.ts', { ...patience, say });
}

test('a file whose top-level await never settles is named, and then given up', async () => {
  const said: string[] = [];
  await expect(load(never, said)).rejects.toMatchObject({
    name: 'Refused',
    message:
      'evals/own.eval.ts has not loaded after 0.15 s: a top-level await in it, or in what it imports, is still waiting. Await only what ends.',
  });
  expect(said).toEqual(['evals/own.eval.ts still loads after 0.05 s\n']);
});

test('a file that awaits its suites has all the time that these take', async () => {
  const said: string[] = [];
  const file = () => whilePlanning(() => sleep(400, 'planned'));
  await expect(load(file, said)).resolves.toBe('planned');
  expect(said).toEqual([]);
  const failing = () => whilePlanning(() => Promise.reject(new Error('no data')));
  await expect(load(failing)).rejects.toThrow('no data');
  await expect(load(never)).rejects.toThrow('has not loaded');
});
