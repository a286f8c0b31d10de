import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const SECRET = 'abcdefgh-0123456789-tuvwxyz';

/** What listeners of a process are told of three things that nobody waits for. */
function tell(gated: boolean): readonly { readonly message: string; readonly stack: string }[] {
  const source = `
    const { guardErrors } = await import('${new URL('./guard-errors.ts', import.meta.url).href}');
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
    'thrown: [key]\\u{1b}[2J',
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
