import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { toResult } from '../metrics/result.fixture.ts';
import type { Progress, SampleResult, TraceStep } from '../types.ts';
import { type StreamOptions, streamSteps } from './printing.ts';

const SECRET = 'abcdefgh-0123456789-tuvwxyz';

/** What a process prints whose output is guarded. */
function run(gated: boolean, source: string) {
  const guard = `
    const { guardOutput, writeOwn } = await import('${new URL('./printing.ts', import.meta.url).href}');
    for (let suite = 0; suite < 2; suite++) guardOutput(${gated}, ['${SECRET}']);
    const { stdout, stderr } = process;`;
  const args = ['--input-type=module', '-e', guard + source];
  const ended = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { stdout: ended.stdout, stderr: ended.stderr };
}

test('keys in what is printed are hidden, in every form of writing, and all else is as it was', () => {
  const { stdout, stderr } = run(
    false,
    `stdout.write('a ${SECRET}\\n');
    stdout.write(Buffer.from('b ${SECRET}\\n'));
    stdout.write(new TextEncoder().encode('c ${SECRET}\\n'));
    stdout.write(Buffer.from('d ${SECRET}\\n').toString('hex'), 'hex');
    for (const byte of Buffer.from('é€😀\\n')) stdout.write(Buffer.of(byte));
    stdout.write('\\u001b[31mred\\u001b[2J\\n');
    console.log('x\\n::stop-commands::y');
    console.dir({ key: '${SECRET}' });
    stderr.write('e ${SECRET}\\n');
    process.emitWarning('f ${SECRET}');
    try { stdout.write(7) } catch ({ code }) { stdout.write(code + '\\n') }
    stdout.write('g', () => stdout.write('h', 'utf8', () => stdout.write('i\\n')));`,
  );
  const lines = [
    'a [key]',
    'b [key]',
    'c [key]',
    'd [key]',
    'é€😀',
    '\u001B[31mred\\u001b[2J',
    'x',
    '\\::stop-commands::y',
  ];
  expect(stdout.split('\n')).toEqual([...lines, "{ key: '[key]' }", 'ERR_INVALID_ARG_TYPE', 'ghi', '']);
  expect(stderr).toMatch(/^e \[key\]\n\(node:\d+\) Warning: f \[key\]\n/);
});

test('where records are gated, only lines of our own are written', () => {
  const { stdout, stderr } = run(
    true,
    `stdout.write('a record'); console.log('a record'); console.table(['a record']); stderr.write('a record');
    process.emitWarning('a record'); writeOwn('our own\\n')`,
  );
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^What agents print is hidden.*\nour own\n/);
  expect(stderr).not.toContain('a record');
});

/** What listeners of a process are told of three things that nobody waits for. */
function tell(gated: boolean): readonly { readonly message: string; readonly stack: string }[] {
  const { stderr } = run(
    gated,
    `const told = [];
    for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (error) => told.push(error));
    setTimeout(() => { throw new TypeError('thrown: ${SECRET}\\u001b[2J') });
    setTimeout(() => Promise.reject('rejected: ${SECRET}'));
    setTimeout(() => Promise.reject(Object.defineProperty(new Error('x'), 'message', { get() { throw 7 } })));
    setTimeout(() => writeOwn(JSON.stringify(told.map(({ message, stack }) => ({ message, stack })))), 50);`,
  );
  return JSON.parse(stderr);
}

test('what nobody waits for is told without keys and control characters, with its place', () => {
  const told = tell(false);
  const messages = told.map(({ message }) => message.replace(/ \(thrown when.*/, ''));
  expect(messages).toEqual(['thrown: [key]\\u001b[2J', "'rejected: [key]'", '']);
  expect(told[0]?.stack).toMatch(/^TypeError: thrown: \[key\].*\n\s+at /);
  expect(JSON.stringify(told)).not.toContain(SECRET);
});

test('where records are gated, nothing but its place is told', () => {
  for (const { message, stack } of tell(true)) {
    expect(message).toContain('Set EVAL_SHOW_GATED=1');
    expect(stack).not.toMatch(/thrown: |rejected/);
  }
});

const SAID: TraceStep = { text: 'Let me\ncount.', reasoning: null, tool_calls: [], stop: 'end', usage: null };
const call = { name: 'calculate', arguments: '{"expression":"9+9"}', result: null, failed: false };

function streamAll(reports: readonly (readonly TraceStep[])[], options = {}): readonly string[] {
  const lines: string[] = [];
  const stream = streamSteps({ name: 'q1', gated: false, secrets: [], ...options }, (line) => lines.push(line));
  for (const trace of reports) stream.onProgress({ trace });
  return lines;
}

test('EVAL_STREAM shows what is new in each report, and nothing twice', () => {
  const asked = { ...SAID, tool_calls: [call] };
  const told = { ...SAID, tool_calls: [{ ...call, result: '18' }] };
  expect(streamAll([[SAID], [asked], [told], [told, { ...SAID, text: 'It is 18.', reasoning: 'sure' }]])).toEqual([
    'q1 step 1: says: Let me count.\n',
    'q1 step 1: calls calculate {"expression":"9+9"}\n',
    'q1 step 1: calculate gave: 18\n',
    'q1 step 2: thinks: sure\n',
    'q1 step 2: says: It is 18.\n',
  ]);
});

test.each<[string, Partial<TraceStep>, string]>([
  ['a failed call', { tool_calls: [{ ...call, result: 'no', failed: true }], text: '' }, 'calculate failed: no'],
  ['control characters', { text: 'a\u001b[31mb\u202ec' }, 'says: a\\u001b[31mb\\u202ec'],
  ['a long text, cut', { text: 'x'.repeat(5000) }, `says: ${'x'.repeat(285)}…`],
])('EVAL_STREAM shows %s', (_, step, text) => {
  expect(streamAll([[{ ...SAID, ...step }]]).at(-1)).toBe(`q1 step 1: ${text}\n`);
});

test('EVAL_STREAM shows no keys, and of gated records no text', () => {
  const shown = streamAll([[{ ...SAID, text: 'key-123456 is it' }]], { secrets: ['key-123456'] });
  expect(shown.join('')).not.toContain('123456');
  expect(streamAll([[{ ...SAID, tool_calls: [call] }]], { gated: true })).toEqual([
    'q1 step 1: says: (13 characters)\n',
    'q1 step 1: calls calculate (20 characters)\n',
  ]);
});

function streamResult(result: SampleResult, { trace = [], ...options }: Partial<StreamOptions & Progress> = {}) {
  const lines: string[] = [];
  const stream = streamSteps({ name: 'q1 | a', gated: false, secrets: [], ...options }, (line) => lines.push(line));
  stream.onAsked();
  stream.onProgress({ trace });
  stream.onResult(result);
  return lines.filter((line) => !line.includes('step'));
}

test.each<[string, SampleResult, Partial<StreamOptions & Progress>, string]>([
  ['an answer', toResult('incorrect', { latency_ms: 1234 }), {}, 'incorrect after 1.2 s: text'],
  ['no answer', toResult('no_answer', { latency_ms: 50 }), {}, 'no_answer (empty) after 0.1 s'],
  ['a failure', toResult('errored'), {}, 'errored (network): down'],
  ['an answer that was the last step', toResult('correct'), { trace: [{ ...SAID, text: 'text\n' }] }, 'correct'],
  ['an answer after another step', toResult('correct'), { trace: [SAID] }, 'correct: text'],
])('EVAL_STREAM shows that an agent is asked, and what came of it: %s', (_, result, options, text) => {
  expect(streamResult(result, options)).toEqual(['q1 | a: asked\n', `q1 | a: ${text}\n`]);
});
