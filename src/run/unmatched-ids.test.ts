import { expect, test } from 'vitest';
import { refuseUnmatched } from './unmatched-ids.ts';

test.each<[string, number | null, readonly (readonly string[])[], string | null]>([
  ['in one of both', 2, [['!x', '!a'], ['!b']], null],
  [
    'in neither',
    2,
    [['!x', 'a'], ['!x']],
    'EVAL_IDS: "!x" matches no sample of any suite: correct it, or leave it out.',
  ],
  ['in none so far', 3, [['!x'], ['!x']], null],
  ['where not all suites are known', null, [['!x'], ['!x']], null],
])('an id of EVAL_IDS is missing %s', (folder, suites, lacking, message) => {
  const plan = () => {
    for (const ids of lacking) refuseUnmatched(ids, { folder, suites });
  };
  if (message === null) expect(plan).not.toThrow();
  else expect(plan).toThrow(message);
});
