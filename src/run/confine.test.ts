import { execFileSync, spawnSync } from 'node:child_process';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { COMMANDING } from '../../test/hostile/hostile-text.ts';
import { AgentError } from '../types.ts';
import type { Asked } from './ask.ts';
import { hideInAsked, hideInError, withoutCommands, withoutKeys } from './confine.ts';

const SECRET = 'abcdefgh-0123456789-tuvwxyz';

/** What a process prints whose console and streams are guarded. */
function run(gated: boolean, source: string) {
  const load = (name: string) => `await import('${new URL(name, import.meta.url).href}')`;
  const guard = `
    const { guardConsole } = ${load('./confine.ts')};
    const { guardErrors } = ${load('./confine.ts')};
    const { writeOwn } = ${load('./confine.ts')};
    for (let turn = 0; turn < 2; turn++) {
      guardConsole(${gated}, ['${SECRET}']);
      guardErrors(${gated}, ['${SECRET}']);
    }
    const { stdout, stderr } = process;`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', guard + source], {
    encoding: 'utf8',
  });
  return { stdout, stderr };
}

test.each([
  ['a text', `stdout.write('a ${SECRET}\\n')`, 'a [key]\n'],
  ['bytes', `stdout.write(Buffer.from('b ${SECRET}\\n'))`, 'b [key]\n'],
  ['an array of bytes', `stdout.write(new TextEncoder().encode('c ${SECRET}\\n'))`, 'c [key]\n'],
  ['another encoding', `stdout.write(Buffer.from('d ${SECRET}\\n').toString('hex'), 'hex')`, 'd [key]\n'],
  ['an encoding that says nothing', `stdout.write('e é ${SECRET}\\n', 'utf8')`, 'e é [key]\n'],
  [
    'characters whose bytes come apart',
    `for (const byte of Buffer.from('é€😀\\n')) stdout.write(Buffer.of(byte))`,
    'é€😀\n',
  ],
  ['control characters', `stdout.write('\\u001b[31mred\\u001b[2J\\n')`, '\u001B[31mred\\u001b[2J\n'],
  [
    'a command to CI',
    `console.log('x\\n::stop-commands::y'); stdout.write('::z::\\n')`,
    'x\n\\::stop-commands::y\n\\::z::\n',
  ],
  [
    'a stream that leads to it',
    `import('node:stream').then(({ Readable }) => Readable.from(['f ${SECRET}\\n']).pipe(stdout))`,
    'f [key]\n',
  ],
  [
    'what is called when it is written',
    `stdout.write('g', () => stdout.write('h', 'utf8', () => stdout.write('i\\n')))`,
    'ghi\n',
  ],
  [
    'that it waits',
    `const fits = stdout.write('x'.repeat(200_000)); stdout.on('drain', () => stdout.write('\\n' + fits))`,
    `${'x'.repeat(200_000)}\nfalse`,
  ],
  ['what no stream takes', `try { stdout.write(7) } catch ({ code }) { stdout.write(code) }`, 'ERR_INVALID_ARG_TYPE'],
  [
    'an encoding that is none',
    `try { stdout.write('j', 'rot13') } catch ({ code }) { stdout.write(code) }`,
    'ERR_UNKNOWN_ENCODING',
  ],
])('a key in %s is not written, and all else is as it was', (_, source, expected) => {
  expect(run(false, source)).toEqual({ stdout: expected, stderr: '' });
});

test('standard error and warnings hold no key either', () => {
  const warning = `process.emitWarning('b ${SECRET}', { type: 'Odd ${SECRET}', code: 'C ${SECRET}', detail: 'd ${SECRET}' })`;
  const { stderr } = run(false, `stderr.write('a ${SECRET}\\n'); ${warning}`);
  expect(stderr).toMatch(/^a \[key\]\n\(node:\d+\) \[C \[key\]\] Odd \[key\]: b \[key\]\nd \[key\]\n/);
  expect(stderr).not.toContain(SECRET);
});

test('where records must not be shown, only lines of our own are written', () => {
  const { stdout, stderr } = run(
    true,
    `stdout.write('a record'); console.log('a record'); stderr.write('a record'); process.emitWarning('a record');
    writeOwn('our own\\n')`,
  );
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^What agents print is hidden.*\nour own\n/);
  expect(stderr).not.toContain('a record');
});

/** What listeners of a process are told of three things that nobody waits for. */
function tell(gated: boolean): readonly { readonly message: string; readonly stack: string }[] {
  const source = `
    const { guardErrors } = await import('${new URL('./confine.ts', import.meta.url).href}');
    const told = [];
    for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (error) => told.push(error));
    for (let turn = 0; turn < 2; turn++) guardErrors(${gated}, ['${SECRET}']);
    setTimeout(() => { throw new TypeError('thrown: ${SECRET}\\u001b[2J') });
    setTimeout(() => Promise.reject('rejected: ${SECRET}'));
    setTimeout(() => Promise.reject(Object.defineProperty(new Error('x'), 'message', { get() { throw 7 } })));
    setTimeout(() => console.log(JSON.stringify(told.map(({ message, stack }) => ({ message, stack })))), 50);`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' }));
}

test('what nobody waits for is told without keys and control characters, once, with its place', () => {
  const told = tell(false);
  expect(told.map(({ message }) => message.replace(/ \(thrown when.*/, ''))).toEqual([
    'thrown: [key]\\u001b[2J',
    "'rejected: [key]'",
    '',
  ]);
  expect(told[0]?.stack).toMatch(/^TypeError: thrown: \[key\].*\n\s+at /);
  expect(JSON.stringify(told)).not.toContain(SECRET);
});

test('where records must not be shown, nothing but its place is told', () => {
  for (const { message, stack } of tell(true)) {
    expect(message).toContain('Set EVAL_SHOW_GATED=1');
    expect(stack).not.toMatch(/thrown: |rejected/);
  }
});

test.each([
  ['a message', new Error('a\n::error::x')],
  ['a record', new RangeError('q.jsonl:1: "Level" must be 1, 2 or 3, got "##[error]x"')],
  ['a name', Object.assign(new Error('x'), { name: '::error::x' })],
  ['a cause', new Error('cannot be loaded', { cause: new Error('a\n ::error::x') })],
  ['a further field', Object.assign(new Error('##[error]x'), { received: '##[error]x' })],
])('%s is thrown without a command to CI', async (_, error) => {
  const thrown = await withoutCommands(() => Promise.reject(error)).catch((reason: Error) => reason);
  const { name, message, stack, cause, ...others } = thrown;
  const texts = cause instanceof Error ? [cause.message, cause.stack] : [];
  for (const text of [name, message, stack, ...texts]) expect(text ?? '').not.toMatch(COMMANDING);
  expect(message.replaceAll('\\', '')).toBe(error.message);
  expect(others).toEqual({});
});

test('any other error stays the same one, and what does not fail is given back', async () => {
  const error = new Error('std::move', { cause: new Error('## [x]') });
  await expect(withoutCommands(() => Promise.reject(error))).rejects.toBe(error);
  await expect(withoutCommands(() => Promise.resolve('::error::x'))).resolves.toBe('::error::x');
});

const SECRET_IN_ERROR = 'local-key-12345';

function makeLeaky(): Error {
  const cause = Object.assign(new TypeError(SECRET_IN_ERROR), { name: `Odd ${SECRET_IN_ERROR}` });
  return Object.assign(new RangeError(`no: ${SECRET_IN_ERROR}`, { cause }), {
    received: SECRET_IN_ERROR,
    headers: { key: SECRET_IN_ERROR },
  });
}

test('an error holds no key in name, message, stack, causes and further fields', () => {
  const hidden = hideInError(makeLeaky(), [SECRET_IN_ERROR]);
  expect(hidden).toMatchObject({ name: 'RangeError', message: 'no: [key]', cause: { name: 'Odd [key]' } });
  expect(hidden.stack).toMatch(/^RangeError: no: \[key\]\n\s+at makeLeaky/);
  expect(inspect(hidden, { depth: 9, showHidden: true })).not.toContain(SECRET_IN_ERROR);
});

test('what fails is thrown without keys, and what does not is given back', async () => {
  await expect(withoutKeys([SECRET_IN_ERROR], () => Promise.reject(SECRET_IN_ERROR))).rejects.toThrow('[key]');
  await expect(withoutKeys([SECRET_IN_ERROR], () => Promise.resolve(SECRET_IN_ERROR))).resolves.toBe(SECRET_IN_ERROR);
});

test('without any key an error stays the same one', async () => {
  const error = makeLeaky();
  await expect(withoutKeys([], () => Promise.reject(error))).rejects.toBe(error);
});

const SECRET_IN_ANSWER = 'local-key-12345';
const times = { startedAt: '', answeredAt: '', latencyMs: 5, attempts: 1, cached: false };

test('an answer and its trace hold no key', () => {
  const step = { text: SECRET_IN_ANSWER, reasoning: null, tool_calls: [], stop: null, usage: null };
  const asked: Asked = { ...times, outcome: 'answered', answer: { text: `It is ${SECRET_IN_ANSWER}`, trace: [step] } };
  expect(hideInAsked(asked, [SECRET_IN_ANSWER])).toMatchObject({
    answer: { text: 'It is [key]', trace: [{ text: '[key]' }] },
  });
});

test('a failure holds none in message, request id, progress, causes and stacks', () => {
  const cause = new Error(`wrong ${SECRET_IN_ANSWER}`, { cause: new TypeError(SECRET_IN_ANSWER) });
  const progress = { steps: 2, model: SECRET_IN_ANSWER };
  const error = new AgentError('agent_crash', `no: ${SECRET_IN_ANSWER}`, {
    cause,
    progress,
    status: 7,
    requestId: `r ${SECRET_IN_ANSWER}`,
    latencyMs: null,
  });
  const hidden = hideInAsked({ ...times, outcome: 'failed', error }, [SECRET_IN_ANSWER]);
  expect(hidden).toMatchObject({
    error: {
      kind: 'agent_crash',
      message: 'no: [key]',
      status: 7,
      requestId: 'r [key]',
      latencyMs: null,
      progress: { steps: 2, model: '[key]' },
      cause: { message: 'wrong [key]', cause: { name: 'TypeError', message: '[key]' } },
    },
  });
  const stacks = hidden.outcome === 'failed' && hidden.error.cause instanceof Error ? hidden.error.cause.stack : '';
  expect(stacks).toContain('wrong [key]');
  expect(stacks).not.toContain(SECRET_IN_ANSWER);
});
