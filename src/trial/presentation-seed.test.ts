import { expect, it } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { readConfig } from '../config.ts';
import { findPresentationSeed } from './presentation-seed.ts';

const PRESENTED =
  '{"version":1,"suite":"mcq","id":"a","state":"correct","presented":{"seed":9,"target":[1],"answer":[1]}}\n';
const PLAIN = '{"version":1,"suite":"mcq","id":"a","state":"correct"}\n';

it.each([
  ['module:./agent.ts', 7, 7],
  ['replay', 7, null],
  ['replay:predictions.jsonl', 7, null],
  ['replay:SHUFFLED', null, 9],
  ['replay:SHUFFLED', 7, 9],
  ['replay:PLAIN', 7, null],
  ['replay:SHUFFLED,module:./agent.ts', 9, 9],
])('of %s with the seed %j set is %j', (agents, set, seed) => {
  expect(findSeed(agents, set)).toBe(seed);
});

it('refuses agents that see different orders', () => {
  expect(() => findSeed('replay,module:./agent.ts', 7)).toThrow(
    'EVAL_AGENT names agents that see options in different orders: replay (as in the file) and module:./agent.ts (shuffled with 7). Run them one by one.',
  );
});

function findSeed(agents: string, set: number | null): number | null {
  const shuffled = makeFolder({ 'samples.jsonl': PRESENTED });
  const plain = makeFolder({ 'samples.jsonl': PLAIN });
  const named = agents.replace('SHUFFLED', shuffled).replace('PLAIN', plain);
  const env = set === null ? {} : { EVAL_SHUFFLE_CHOICES: String(set) };
  return findPresentationSeed(readConfig({ EVAL_AGENT: named, ...env }), 'mcq');
}
