import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { COMMANDING } from '../../test/hostile/hostile-text.ts';
import { makeFile, makeFolder } from '../../test/make-folder.ts';
import { ONLY_POSIX } from '../../test/only-posix.ts';
import { RecordError } from '../data/files/record.ts';
import { toResult } from '../figures/result.fixture.ts';
import { AgentError } from '../words/answer.ts';
import { told } from '../words/told.ts';
import { toSample } from '../words/types.fixture.ts';
import {
  attachFiles,
  hideInError,
  refusing,
  toFailure,
  toScoreFailure,
  toShownFailure,
} from './failure.ts';

const SECRET = 'local-key-12345';

async function refuse(thrown: unknown): Promise<Error> {
  return refusing([SECRET], () => Promise.reject(thrown)).catch((error: Error) => error);
}

test('shows an Error without a place in the code, and a TypeError with it', async () => {
  const message = 'no such file';
  const shown = { name: 'Refused', message, stack: `Refused: ${message}` };
  expect(await refuse(new Error(message))).toMatchObject(shown);
  expect((await refuse(new TypeError('x is not a function'))).stack).toMatch(
    /^TypeError: x is not.*\n\s+at /,
  );
  await expect(refusing([SECRET], async () => SECRET)).resolves.toBe(SECRET);
});

test('shows the own frames of a module that throws while it is loaded', async () => {
  const file = makeFile('agent.mjs', "\nthrow new TypeError('broken');");
  const cause: unknown = await import(/* @vite-ignore */ pathToFileURL(file).href).catch(
    (error: unknown) => error,
  );
  expect(await refuse(new Error('cannot be loaded', { cause }))).toMatchObject({
    cause: { stack: expect.stringMatching(/^TypeError: broken\n +at .*agent\.mjs:2:7\)?$/) },
  });
});

test('leaves out a cause with the same place', async () => {
  const cause = Object.assign(new Error('ENOENT'), { stack: 'E\n    at f (/own/suite.ts:1:2)' });
  const error = new Error('no such file', { cause });
  error.stack = 'Error: no such file\n    at async f (/own/suite.ts:1:2)';
  expect(await refuse(error)).not.toHaveProperty('cause');
});

test('a refusal has no CI command and no further field', async () => {
  const error = Object.assign(new RangeError('a\n::error::x'), { received: '##[error]x' });
  const { name, message, stack, ...others } = await refuse(error);
  for (const text of [name, message, stack]) expect(text ?? '').not.toMatch(COMMANDING);
  expect(message.replaceAll('\\', '')).toBe(error.message);
  expect(others).toEqual({});
});

test('an error has no key in name, message, stack, causes and further fields', async () => {
  const cause = Object.assign(new TypeError(SECRET), { name: `Odd ${SECRET}` });
  const error = Object.assign(new RangeError(`no: ${SECRET}`, { cause }), {
    headers: { key: SECRET },
  });
  const hidden = hideInError(error, [SECRET]);
  expect(hidden).toMatchObject({
    name: 'RangeError',
    message: 'no: [key]',
    cause: { name: 'Odd [key]' },
  });
  expect(hidden.stack).toMatch(/^RangeError: no: \[key\]\n\s+at /);
  expect(inspect([hidden, await refuse(error)], { depth: 9, showHidden: true })).not.toContain(
    SECRET,
  );
});

/** A file that is there, as the code of a suite is. */
const HERE = join(import.meta.dirname, '../../package.json');

/** The same error, thrown in the code of a suite. */
function thrownAt(error: Error): Error {
  error.stack = `${error.name}: ${error.message}\n    at score (${HERE}:5:9)`;
  return error;
}

test.each<[string, unknown, boolean, string, string]>([
  ['an error', thrownAt(new RangeError('no x')), false, 'RangeError', 'no x'],
  ['a string', 'oops', false, 'Error', "own.eval.ts: 'oops'"],
  [
    'a global of Vitest',
    thrownAt(new ReferenceError('expect is not defined')),
    false,
    'ReferenceError',
    'expect is not defined. Evals have no globals: import it from "vitest", or take the expect that a score gets.',
  ],
  [
    'a gated error',
    thrownAt(new RangeError(`no x\n    at f (${SECRET}:1:2)`)),
    true,
    'Error',
    `The score of this suite failed at package.json:5:9. Set EVAL_SHOW_GATED=1 to see how.`,
  ],
  [
    'a gated error of extract',
    new RecordError({
      ...{ file: 'own.eval.ts', field: 'extract', problem: told`failed` },
      ...{ detail: 'HIDDEN', remedy: 'Correct it.' },
    }),
    true,
    'Error',
    'own.eval.ts: "extract" failed. Correct it. Set EVAL_SHOW_GATED=1 to see how.',
  ],
])('names the place or the file of %s that a score threw', (_, thrown, isHidden, name, message) => {
  const error = toScoreFailure(thrown, { isHidden, file: 'own.eval.ts', secrets: [] });
  expect(error).toMatchObject({ name, message });
  if (isHidden) expect(error.stack).toBe(`Error: ${message}`);
});

const sample = toSample({ input: 'why?', target: '17' });
const view = { isHidden: false, isOwnSuite: false, isWhole: false };

test('shows the message of an error once, and where the code of the agent threw', () => {
  const own = `    at answer (${import.meta.dirname}/ask.ts:4:5)\n    at node:internal/timers:1:2`;
  const inner = Object.assign(new Error('refused'), {
    stack: `Error: refused\n    at dial (/a/net.ts:1:2)\n${own}`,
  });
  const stack = `Error: boom\n    at /a/agent.ts:1:26\n${own}`;
  const boom = Object.assign(new Error('boom', { cause: inner }), { stack });
  const error = new AgentError('agent_crash', 'Error: boom', { cause: boom });
  const times = { started_at: '', answered_at: '', latency_ms: 5, attempts: 1, cached: false };
  const row = toResult('errored');
  const shown = toFailure({ ...times, outcome: 'failed', error }, row);
  const message = 'Error: boom\nExpected: "17"\nQuestion: "why?"';
  expect(toShownFailure(shown, sample, row, view)).toMatchObject({
    message,
    stack: `AgentError: ${message}\n    at /a/agent.ts:1:26`,
    cause: { message: 'refused', stack: 'Error: refused\n    at dial (/a/net.ts:1:2)' },
  });
});

test.each([
  [false, ''],
  [true, ', or public: true in the suite if everybody may read its records'],
])('hides a gated record, stack included; in a suite of the user: %j', (isOwnSuite, or) => {
  const message = `no_answer (empty). Set EVAL_SHOW_GATED=1 to show questions, expected answers and answers in CI${or}.`;
  const isHidden = { ...view, isHidden: true, isOwnSuite };
  const hidden = toShownFailure(new Error('x'), sample, toResult('no_answer'), isHidden);
  expect(hidden).toMatchObject({ message, stack: `Error: ${message}` });
});

test.each([
  ['\n\n  Which?\r\nA list\rfollows. ', 'Which? A list follows.'],
  [
    `A long text: ${'a'.repeat(300)}\n\nWhat is it about?`,
    `A long text: ${'a'.repeat(86)}…${'a'.repeat(82)} What is it about?`,
  ],
  ['a\u001b[2J', 'a\\u001b[2J'],
])('shows the beginning and end of the question %j in one line', (input, shown) => {
  const error = new Error('wrong');
  toShownFailure(error, { ...sample, input }, toResult('incorrect'), view);
  expect(error.message).toBe(`wrong\nQuestion: "${shown}"`);
});

const contentType = 'text/plain';
const NAMED = ['a.csv (too large, or no file: not attached)', 'attachment'];

test.each<[string, string, (path: string) => unknown]>([
  ['a file', 'attached', (path) => writeFileSync(path, 'a')],
  ['a link to a file', 'attached', (path) => symlinkSync(makeFile('a', 'a'), path)],
  ['a large file', 'named', (path) => writeFileSync(path, Buffer.alloc(20_000_001))],
  ['a folder', 'named', (path) => mkdirSync(path)],
  ['gone', 'passed over', () => {}],
])('an attachment that is %s is %s', async (_, what, make) => {
  const path = join(makeFolder(), 'a.csv');
  make(path);
  const told: Readonly<Record<string, readonly unknown[]>> = {
    attached: [['a.csv', 'attachment', { path, contentType }]],
    named: [NAMED],
  };
  expect(await attachOne(path)).toEqual(told[what] ?? []);
});

// Vitest would wait for it for ever.
test('an attachment that is a link to a pipe is named', ONLY_POSIX, async () => {
  const path = join(makeFolder(), 'a.csv');
  execFileSync('mkfifo', [`${path}.pipe`]);
  symlinkSync(`${path}.pipe`, path);
  expect(await attachOne(path)).toEqual([NAMED]);
});

test.each([
  ['a.html', 'text/plain'],
  ['a.svg', 'text/plain'],
  ['a.png.xml', 'text/plain'],
  ['a.PNG', 'image/png'],
  ['a.jpg', 'image/jpeg'],
])('the file %s is opened as %s, since a page would run its scripts', async (name, contentType) => {
  const path = makeFile('file', 'x');
  expect(await attachOne(path, name)).toEqual([[name, 'attachment', { path, contentType }]]);
});

/** What Vitest is told of one attachment at this path. */
async function attachOne(path: string, name = 'a.csv'): Promise<readonly unknown[]> {
  const told: unknown[] = [];
  const annotate = async (message: string, ...rest: readonly unknown[]) => {
    told.push([message, ...rest]);
    return { message, type: 'notice' };
  };
  await attachFiles({ annotate }, [{ name, path }]);
  return told;
}
