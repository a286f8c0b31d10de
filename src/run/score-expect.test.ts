import assert, { AssertionError } from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, assert as ofVitest, type TestContext, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { matchers } from '../matchers/index.ts';
import { toSample } from '../words/types.fixture.ts';
import type { EvalDefinition, ScoreInput } from './definition.ts';
import { inOwnTest, ScoreExpect, takeForScore } from './score-expect.ts';
import { toSuite } from './suite.ts';

const AWAITED = {
  async toBeLater(received: unknown, expected: unknown) {
    await sleep(2);
    return { pass: received === expected, message: () => `${received} is not ${expected}` };
  },
};

expect.extend({ ...matchers, ...AWAITED });

type Assertions = { toBeLater(expected: unknown): Promise<void> };

const later = <T>(value: T, ms = 2) => sleep(ms, value);

function grade(
  { task }: TestContext,
  change: Pick<EvalDefinition, 'score' | 'scores'>,
  tellLate?: (error: Error) => void,
) {
  const suite = toSuite('own', { data: [{}], ...change }, 'own.eval.ts');
  const openExpect = (name: string | null) => new ScoreExpect(task, name, tellLate);
  return suite.grade('right', 'right', toSample({ target: 'right' }), { openExpect }, 1000);
}

// A score must leave nothing in the test that runs it, which may be that of another case.
afterEach(({ task }) => {
  expect(task.promises ?? []).toEqual([]);
});

type Score = (input: ScoreInput) => unknown;

test.for<[what: string, score: Score, why?: string]>([
  ['a soft assertion', ({ output, expect }) => expect.soft(output).toBe('right')],
  ['a soft one that fails', ({ expect }) => expect.soft(1).toBe(2), 'expected 1 to be 2'],
  [
    'two of which fail, of three',
    ({ expect }) => {
      expect.soft(1).toBe(2);
      expect.soft(3).not.toBe(4);
      expect.soft(5).not.toBe(5);
    },
    'expected 1 to be 2 // Object.is equality; expected 5 not to be 5',
  ],
  [
    'a soft one that fails before one that ends the score',
    ({ expect }) => {
      expect.soft(1).toBe(2);
      expect(3).toBe(4);
    },
    'expected 1 to be 2 // Object.is equality; expected 3 to be 4',
  ],
  [
    'a soft one that fails, though the score returns true',
    ({ expect }) => {
      expect.soft(1).toBe(2);
      return true;
    },
    'expected 1 to be 2',
  ],
  [
    'a soft one of a promise',
    async ({ expect }) => {
      await expect.soft(later(1)).resolves.toBe(2);
      return true;
    },
    'expected 1 to be 2',
  ],
  ['a promise', async ({ expect }) => expect(later(1)).resolves.toBe(1)],
  ['a promise that fails', async ({ expect }) => expect(later(1)).resolves.toBe(2), 'expected 1'],
  [
    'a promise of the global expect',
    async () => {
      await expect(later(1)).resolves.toBe(1);
      await expect(Promise.reject(new Error('no'))).rejects.toThrow('no');
    },
  ],
  [
    'several promises',
    ({ expect }) => Promise.all([1, 2].map((n) => expect(later(n)).resolves.toBe(n))),
  ],
  [
    'a poll',
    async ({ expect }) => {
      let n = 0;
      await expect.poll(() => (n += 1), { interval: 1 }).toBe(3);
    },
  ],
  [
    'a poll that fails',
    async ({ expect }) => expect.poll(() => 1, { interval: 1, timeout: 10 }).toBe(3),
    'expected 1 to be 3',
  ],
  ['words of chai', ({ expect }) => expect([1]).to.be.an('array').that.includes(1)],
  ['words of the global chai', () => expect([1]).to.be.an('array').that.includes(1)],
  ['matchers of viva', ({ expect }) => expect('17').toMatchNumber('17')],
  ['asymmetric matchers', ({ expect }) => expect({ a: 1 }).toEqual({ a: expect.any(Number) })],
  ['an awaited matcher', async ({ expect }) => expect('1/2').toMatchMath('0.5')],
  [
    'a count that holds',
    ({ expect }) => {
      expect.assertions(1);
      expect(1).toBe(1);
    },
  ],
  [
    'a count, also of a function that has the global expect',
    ({ expect: own }) => {
      own.assertions(2);
      own(1).toBe(1);
      expect(1).to.be.a('number').and.above(0);
    },
  ],
  [
    'a count of words that chai makes of others',
    ({ expect: own, output }) => {
      own.assertions(1);
      own(output).to.have.length.above(0);
    },
  ],
  ['a count that does not hold', ({ expect }) => expect.assertions(2), '0 of expect.assertions(2)'],
  ['no assertion', ({ expect }) => expect.hasAssertions(), 'no assertion'],
])('a score may use its expect for %s', async ([, score, why], context) => {
  const graded = await grade(context, { score: score as never });
  expect(graded).toMatchObject(
    why === undefined
      ? { state: 'correct' }
      : { state: 'incorrect', explanation: expect.stringContaining(why) },
  );
});

test.for<[what: string, score: Score, why: string]>([
  [
    'a promise',
    ({ expect }) => void expect(later(1)).resolves.toBe(1),
    'expect(...).resolves.toBe',
  ],
  [
    'a promise, of the global expect',
    () => void expect(later(1)).resolves.toBe(1),
    'resolves.toBe',
  ],
  [
    'a promise that has failed meanwhile',
    async ({ expect }) => {
      expect(later(1, 0)).resolves.toBe(2);
      await later(1, 5);
      return true;
    },
    'resolves.toBe',
  ],
  ['a soft one', ({ expect }) => void expect.soft(later(1)).rejects.toThrow(), 'rejects.toThrow'],
  ['a poll', ({ expect }) => void expect.poll(() => 1).not.toBe(1), 'expect(...).not.toBe'],
  ['a matcher of viva', ({ output }) => void expect(output).toMatchMath('1'), 'toMatchMath'],
  [
    'a matcher of the user',
    () => void (expect(1) as unknown as Assertions).toBeLater(1),
    'toBeLater',
  ],
  [
    'a function that awaits one',
    ({ expect }) => {
      const check = async () => expect(later(1)).resolves.toBe(2);
      check();
      return true;
    },
    'before a function that calls it',
  ],
])('a score that does not await %s is an error', async ([, score, why], context) => {
  const wrapped = (input: ScoreInput) => score(input) ?? true;
  const graded = grade(context, { score: wrapped as never });
  await expect(graded).rejects.toThrow('"score" ended before its assertion did');
  await expect(graded).rejects.toThrow(why);
  await sleep(10);
});

/** A score that does not await what it does, twice, once something has ended. */
const leaving = (act: Score, ended: Promise<void>, left: Promise<unknown>[] = []): Score => {
  const goOn = async (input: ScoreInput) => {
    await ended;
    await act(input);
  };
  return (input) => [1, 2].every(() => left.push(goOn(input)) > 0);
};

test.for<[what: string, score: Score, why: string]>([
  ['an assertion that holds', ({ expect }) => expect(1).toBe(1), 'expect(...).toBe'],
  ['one that does not', ({ expect }) => expect(1).toBe(2), 'expect(...).toBe'],
  ['a soft one', ({ expect }) => expect.soft(1).toBe(2), 'expect(...).toBe'],
  ['a word', ({ expect }) => expect(0).to.be.ok, 'expect(...).to.be.ok'],
  ['a promise', ({ expect }) => expect(later(1)).resolves.toBe(2), 'expect(...).resolves.toBe'],
  ['a poll', ({ expect }) => expect.poll(() => 1, { timeout: 1 }).toBe(2), 'expect(...).toBe'],
  ['one of the global expect', () => expect(1).toBe(2), 'expect(...).toBe'],
])('a score that leaves behind what makes %s is an error', async ([, score, why], context) => {
  const told: string[] = [];
  const gradeBy = (left: Score) =>
    grade(context, { score: left as never }, ({ message }) => told.push(message));
  await expect(gradeBy(leaving(score, Promise.resolve()))).rejects.toThrow(why);
  const { promise, resolve } = Promise.withResolvers<void>();
  const left: Promise<unknown>[] = [];
  expect(await gradeBy(leaving(score, promise, left))).toMatchObject({ state: 'correct' });
  resolve();
  await Promise.allSettled(left);
  expect(told).toEqual([expect.stringContaining(`"score" ended before its assertion did: ${why}`)]);
});

test.for<[what: string, thrown: unknown, said: string]>([
  ['an error', new TypeError('no such field.'), '"score" left behind what failed: no such field.'],
  ['an assertion', new AssertionError({ message: '1 == 2' }), 'what failed: 1 == 2. Write "await"'],
  ['another value', 'down', "what failed: 'down'. Write"],
])('a score that leaves behind what throws %s is an error', async ([, thrown, said], context) => {
  const told: string[] = [];
  const gradeWith = (score: Score) =>
    grade(context, { score: score as never }, ({ message }) => told.push(message));
  await expect(gradeWith(() => takeForScore(thrown))).rejects.toThrow(said);
  const { promise, resolve } = Promise.withResolvers<void>();
  const left: Promise<unknown>[] = [];
  const leave = async () => [1, 2].map(() => promise.then(() => takeForScore(thrown)));
  const graded = await gradeWith(() => left.push(leave().then((all) => Promise.all(all))) > 0);
  expect([graded.state, told]).toEqual(['correct', []]);
  resolve();
  await Promise.all(left);
  expect(told).toEqual([expect.stringContaining(said)]);
  expect(takeForScore(thrown)).toBe(false);
});

test('what still asserts after another assertion of its score failed is no error', async (context) => {
  const told: Error[] = [];
  const score: Score = ({ expect }) =>
    Promise.all([0, 2, 4].map(async (ms) => expect(await later(ms, ms)).toBe(1)));
  const graded = await grade(context, { score: score as never }, (error) => told.push(error));
  await sleep(10);
  expect([graded.state, told]).toEqual(['incorrect', []]);
});

test.for<[what: string, score: Score, why: string]>([
  ['a snapshot', () => expect(1).toMatchSnapshot(), 'a snapshot of the global expect'],
  ['a file', () => expect('1').toMatchFileSnapshot('x.txt'), 'a snapshot of the global expect'],
  [
    'an error',
    () => expect(() => JSON.parse('x')).toThrowErrorMatchingSnapshot(),
    'a snapshot of the global expect',
  ],
  ['a soft assertion', () => expect.soft(1).toBe(1), 'expect.soft of the global expect'],
  ['a poll', () => expect.poll(() => 1).toBe(1), 'expect.poll of the global expect'],
  ['a count', () => expect.assertions(1), 'expect.assertions of the global expect'],
  ['any count', () => expect.hasAssertions(), 'expect.hasAssertions of the global expect'],
  ['an inline snapshot', () => expect(1).toMatchInlineSnapshot(), 'an inline snapshot'],
  [
    'an inline snapshot of its own',
    ({ expect }) => expect(() => 1).not.toThrowErrorMatchingInlineSnapshot(),
    'an inline snapshot',
  ],
])('a score is refused %s that belongs to no case', async ([what, score, why], context) => {
  const graded = grade(context, { scores: { total: score as never } });
  await expect(graded).rejects.toThrow(`"total" uses ${why}`);
  await expect(graded).rejects.toMatchObject({ stack: expect.stringContaining('expect.test.ts') });
  const line = what.startsWith('an inline')
    ? 'expect(output).toMatchSnapshot()'
    : 'Take its own: total: ({ output, expect }) => ...';
  await expect(graded).rejects.toThrow(line);
});

test.for<[what: string, score: Score]>([
  ['a comparison', ({ output, target: expected }) => void (output === expected)],
  ['an assertion without a matcher', ({ output, expect }) => void expect(output)],
  ['one that it returns', ({ output, expect }) => expect(output)],
  ['one that it returns as a promise', async ({ output, expect }) => expect(output)],
  ['one that it awaits', async ({ output, expect }) => void (await expect(output))],
  ['an awaited soft one', async ({ output, expect }) => void (await expect.soft(output))],
  ['an awaited poll', async ({ output, expect }) => void (await expect.poll(() => output))],
  ['awaited words', async ({ expect }) => void (await expect(later(1)).resolves)],
  ['one of which it makes a text', ({ output, expect }) => void String(expect(output))],
  ['one of which it makes JSON', ({ output, expect }) => void JSON.stringify(expect(output))],
  ['an awaited one of the global expect', async ({ output }) => void (await expect(output).not)],
  ['words without a matcher', ({ output, expect }) => expect(output).not.to.be],
  ['a matcher that is not called', ({ output, expect }) => void expect(output).toHaveLength],
  ['one of the global expect', ({ output }) => void expect(output).toHaveLength],
  ['a list of nothing', () => []],
  ['an asymmetric matcher', ({ expect }) => void expect.any(Number)],
  ['an assertion that nobody can see', ({ output }) => assert.equal(output, 'right')],
])('a score that asserts nothing is an error: %s', async ([, score], context) => {
  const graded = grade(context, { score: score as never });
  await expect(graded).rejects.toThrow('"score" returned nothing, and asserted nothing');
});

test.for<[what: string, score: Score]>([
  ['a function that asserts', ({ output }) => isRight(output)],
  ['a word of chai that asserts', ({ output, expect }) => void expect(output).to.be.ok],
  ['one of the global expect', ({ output }) => void expect(output).not.to.be.empty],
  ['the assert of Vitest', ({ output }) => ofVitest.equal(output, 'right')],
  ['assertions for each of none', async ({ expect }) => [expect(1).toBe(1), await Promise.all([])]],
  [
    'an assertion of node:assert, and true',
    ({ output }) => {
      assert.equal(output, 'right');
      return true;
    },
  ],
])('a score may assert by %s', async ([, score], context) => {
  expect(await grade(context, { score: score as never })).toMatchObject({ state: 'correct' });
});

function isRight(output: unknown): void {
  expect(output).toBe('right');
}

test('answers share a file snapshot, unless one would replace what another wrote', async ({
  task,
}) => {
  const folder = makeFolder({ 'out.txt': 'right' });
  // Another file of evals: what it has taken is its own.
  const file = Object.create(task.file);
  const assertAs = async (suite: string, id: string, text = 'right') => {
    const meta = { value: { eval: { suite, id } } };
    const own = new ScoreExpect(Object.create(task, { meta, file: { value: file } }), null);
    await own.expect(text).toMatchFileSnapshot(join(folder, 'out.txt'));
  };
  await assertAs('one', 'a');
  await assertAs('two', 'b');
  await expect(assertAs('one', 'b', 'wrong')).rejects.toThrow('has one file for several cases');
  await expect(assertAs('two', 'a', 'wrong')).rejects.toThrow('has one file for several cases');
});

test('each of several scores has soft assertions of its own', async (context) => {
  const graded = await grade(context, {
    scores: {
      one: async ({ expect }) => {
        await later(1);
        expect.soft(1).toBe(2);
      },
      two: async ({ expect }) => {
        expect.soft(1).toBe(1);
        await later(1, 5);
      },
      three: ({ expect }) => {
        expect.soft({ a: 1 }).toEqual({ a: 2 });
        return 1;
      },
    },
  });
  expect(graded.scores).toEqual({ one: false, two: true, three: false });
  expect(graded.failed?.map(({ message }) => message)).toEqual([
    'one: expected 1 to be 2 // Object.is equality',
    'three: expected { a: 1 } to deeply equal { a: 2 }',
  ]);
});

test('what an agent asserts in the test of a case belongs to no other test', async ({ task }) => {
  const own = Object.assign(Object.create(task), { promises: [] });
  await inOwnTest(own, async () => {
    const asserted = expect(later(1)).resolves.toBe(1);
    expect([own.promises, task.promises ?? []]).toEqual([[], []]);
    await asserted;
  });
});
