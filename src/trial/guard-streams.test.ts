import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const SECRET = 'abcdefgh-0123456789-tuvwxyz';

/** What a process prints whose console and streams are guarded. */
function run(gated: boolean, source: string) {
  const load = (name: string) => `await import('${new URL(name, import.meta.url).href}')`;
  const guard = `
    const { guardConsole } = ${load('./guard-console.ts')};
    const { guardErrors } = ${load('./guard-errors.ts')};
    const { writeOwn } = ${load('./guard-streams.ts')};
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
  ['control characters', `stdout.write('\\u001b[31mred\\u001b[2J\\n')`, '\u001B[31mred\\u{1b}[2J\n'],
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
