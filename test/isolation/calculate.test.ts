import { describe, expect, test } from 'vitest';
import { calculate, runQuickjs } from '../../src/tools/calculate.ts';

const SIGNAL = new AbortController().signal;

async function run(code: string): Promise<string> {
  return String(
    await calculate.run(new Map([['code', code]]), { signal: SIGNAL, attachments: [] }),
  );
}

/** Ways to what is outside of the machine, as code looks for them. */
const WAYS_OUT = {
  'a constructor of a constructor':
    'this.constructor.constructor("return typeof process + typeof require")()',
  'a constructor of what the host gave':
    'console.log.constructor("return typeof process + typeof require")()',
  'a constructor of the data':
    'Object.getPrototypeOf(String(data)).constructor.constructor("return typeof process")()',
  'indirect eval': '(0, eval)("typeof process + typeof module + typeof exports")',
  'a generator': '(function* () {}).constructor("yield typeof process")().next().value',
  'an async function': 'typeof (async () => {}).constructor("return process")().exitCode',
  'names of hosts':
    '[typeof fetch, typeof XMLHttpRequest, typeof WebSocket, typeof Deno, typeof Bun, typeof std, typeof os].join("")',
  timers:
    '[typeof setTimeout, typeof setInterval, typeof queueMicrotask, typeof setImmediate].join("")',
  'machines in the machine':
    '[typeof WebAssembly, typeof Worker, typeof importScripts, typeof Atomics].join("")',
  'a frame of the stack': 'String(new Error("x").stack).includes("/") ? "a path" : "undefined"',
} as const;

describe('calculate', () => {
  test('code finds no way out of its machine', async () => {
    const probes = Object.entries(WAYS_OUT).map(
      ([name, code]) => `[${JSON.stringify(name)}, () => ${code}]`,
    );
    const program = `const found = [];
for (const [name, look] of [${probes.join(',\n')}]) {
  let seen;
  try { seen = String(look()) } catch (error) { seen = 'undefined' }
  if (seen.replaceAll('undefined', '') !== '') found.push(name + ': ' + seen);
}
found`;
    expect(await run(program)).toBe('= []');
  });

  test('loads no module, and runs nothing once the program has ended', async () => {
    const program = `import('node:fs').then(() => console.log('a module'), () => console.log('no module'));
(async () => { await 1; while (true) {} })();
Promise.resolve().then(() => { while (true) {} });
new FinalizationRegistry(() => { while (true) {} }).register({}, 1);
'ended'`;
    expect(await run(program)).toBe('= ended');
  });

  test('keeps nothing of one call for the next', async () => {
    await run(
      'globalThis.kept = 1; Array.prototype.kept = 1; console.log = 0; Object.freeze(Object.prototype)',
    );
    expect(await run('[typeof kept, typeof [].kept, typeof console.log]')).toBe(
      '= ["undefined","undefined","function"]',
    );
  });

  test.each([
    [
      'a loop inside a built-in function',
      'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
    ],
    ['a regular expression without end', '/^(a+)+$/.test("a".repeat(50) + "b")'],
    ['a getter of what is shown', '({ toJSON() { while (true) {} } })'],
  ])('outlives its time in no way: %s', async (_, code) => {
    const ended = runQuickjs({ code, data: null }, SIGNAL, { runMs: 200, graceMs: 800 });
    await expect(ended).rejects.toThrow(
      /ran for more than 0\.2 seconds|interrupted|cannot be shown/,
    );
  });

  test.each([
    ['recursion in a parser', 'JSON.parse("[".repeat(1e6))'],
    ['a text of half a gigabyte', '"x".repeat(2 ** 29).length'],
    ['a number of a million digits', '(3n ** 5000000n).toString().length'],
  ])('fails alone at its limit: %s', async (_, code) => {
    await expect(run(code)).rejects.toThrow(
      /without a result|ran for more than|out of memory|too large|stack overflow/,
    );
  });
});
