import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const SECRET = 'abcdefgh-0123456789-tuvwxyz';

/** What a process with guarded output prints. */
function run(isHidden: boolean, source: string) {
  const guard = `
    const { guardOutput, writeOwn } = await import('${new URL('./guard-output.ts', import.meta.url).href}');
    for (let suite = 0; suite < 2; suite++) guardOutput(${isHidden}, ['${SECRET}'], () => false);
    const { stdout, stderr } = process;`;
  const args = ['--input-type=module', '-e', guard + source];
  const ended = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { stdout: ended.stdout, stderr: ended.stderr };
}

test('hides keys in every form of printing, and changes nothing else', () => {
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
  expect(stdout.split('\n')).toEqual([
    ...lines,
    "{ key: '[key]' }",
    'ERR_INVALID_ARG_TYPE',
    'ghi',
    '',
  ]);
  expect(stderr).toMatch(/^e \[key\]\n\(node:\d+\) Warning: f \[key\]\n/);
});

/** Calls of all methods of Node's console with a text; `timeStamp` and the like print nothing. */
const CALLS = `
  const { Console } = await import('node:console');
  const { createRequire } = await import('node:module');
  const consoles = [
    console, new console.Console(stdout, stderr), new Console({ stdout: console._stdout, stderr: console._stderr }),
    createRequire(import.meta.url)('console'),
  ];
  const values = [text, { [text]: text }, [text]];
  for (const each of consoles) {
    const called = new Set();
    for (const name of Object.getOwnPropertyNames(each)) {
      if (typeof each[name] !== 'function' || /^[A-Z_]|^context$|^createTask$/.test(name)) continue;
      if (name === 'assert') each.assert(false, ...values);
      else if (/^time(?:End|Log)$/.test(name)) each.time(text + name), each[name](text + name, ...values);
      else if (name === 'table') each.table([{ [text]: text }]);
      else each[name](...values);
      called.add(name);
    }
    for (const name of ['log', 'dirxml', 'groupCollapsed', 'table', 'timeEnd']) if (!called.has(name)) throw name;
  }
  console._stdout.write(text); stdout.end(text + '\\n');`;

test('hides keys in every method of every console', () => {
  const { stdout, stderr } = run(false, `const text = '${SECRET}'; ${CALLS}`);
  expect(stdout + stderr).not.toContain(SECRET);
  expect((stdout + stderr).match(/\[key\]/g)?.length).toBeGreaterThan(100);
});

test('prints only lines of our own where records are gated', () => {
  const { stdout, stderr } = run(
    true,
    `stderr.write('a record'); process.emitWarning('a record'); writeOwn('our own\\n'); const text = 'a record'; ${CALLS}`,
  );
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^Output of agents is hidden.*\nour own\n$/);
});

/** What listeners of a process are told of three errors that nobody waits for. */
function tell(): readonly { readonly message: string; readonly stack: string }[] {
  const { stderr } = run(
    false,
    `const told = [];
    for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (error) => told.push(error));
    setTimeout(() => { throw new TypeError('thrown: ${SECRET}\\u001b[2J') });
    setTimeout(() => Promise.reject('rejected: ${SECRET}'));
    setTimeout(() => Promise.reject(Object.defineProperty(new Error('x'), 'message', { get() { throw 7 } })));
    setTimeout(() => writeOwn(JSON.stringify(told.map(({ message, stack }) => ({ message, stack })))), 50);`,
  );
  return JSON.parse(stderr);
}

test('reports an unhandled error without keys and control characters, with its place', () => {
  const told = tell();
  const messages = told.map(({ message }) =>
    message.replace(/ \(thrown where nobody awaited it\)$/, ''),
  );
  expect(messages).toEqual([
    'thrown: [key]\\u001b[2J',
    "'rejected: [key]'",
    'an unreadable value was thrown',
  ]);
  expect(told[0]?.stack).toMatch(/^TypeError: thrown: \[key\].*\n\s+at /);
  expect(JSON.stringify(told)).not.toContain(SECRET);
});
