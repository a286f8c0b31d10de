import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { FairTurns } from './fair-turns.ts';

/** Turns in which each piece of work notes its name and waits to be ended. */
function watchTurns(places: number) {
  const turns = new FairTurns(places);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (owner: object, name: string) =>
    turns.run(owner, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await sleep(1);
  };
  return { turns, begun, ask, end };
}

describe('fair turns', () => {
  test('give one place to each owner, however much one asks for', async () => {
    const { begun, ask, end } = watchTurns(2);
    const [greedy, other] = [{}, {}];
    for (const name of ['g1', 'g2', 'g3']) ask(greedy, name);
    ask(other, 'o1');
    await sleep(1);
    expect(begun).toEqual(['g1', 'o1']);
    await end('o1');
    expect(begun).toEqual(['g1', 'o1']);
    await end('g1');
    expect(begun).toEqual(['g1', 'o1', 'g2']);
  });

  test('go first to who has used the least time, then to who asked first', async () => {
    const { turns, begun, ask, end } = watchTurns(1);
    const used = {};
    await turns.run(used, () => sleep(20));
    ask({}, 'a');
    ask(used, 'used');
    ask({}, 'b');
    ask({}, 'c');
    await sleep(1);
    for (const name of ['a', 'b', 'c', 'used']) await end(name);
    expect(begun).toEqual(['a', 'b', 'c', 'used']);
  });

  test('pass on a failure, and the place with it', async () => {
    const turns = new FairTurns(1);
    await expect(turns.run({}, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await turns.run({}, async () => 17)).toBe(17);
  });
});
