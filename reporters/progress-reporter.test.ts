import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { toResult } from '../src/figures/result.fixture.ts';
import type { SampleResult, State } from '../src/words/row.ts';
import { LiveLine, SuiteProgress, type TerminalStream } from './progress-reporter.ts';

/** A row of a call of this run. */
const asked = (state: State = 'correct', fields: Partial<SampleResult> = {}) =>
  ({ ...toResult(state, { agent: 'a', cost_usd: null, slots: 20 }), ...fields }) as SampleResult;
const cached = (fields: Partial<SampleResult> = {}) =>
  ({ ...toResult('correct', { agent: 'a', cached: true }), ...fields }) as SampleResult;
/** Tests that have written these rows end. */
const end = (suite: SuiteProgress, ...rows: readonly SampleResult[]) => {
  for (const row of rows) {
    suite.add(row);
    suite.end();
  }
};
const times = (count: number, act: () => void) => {
  for (let index = 0; index < count; index++) act();
};

test.each<[string, (suite: SuiteProgress) => void, number, string]>([
  ['nothing is known at the start', () => {}, 500, 'gaia 0/165'],
  [
    'only what has a verdict counts in accuracy',
    (suite) => {
      end(suite, asked(), asked('incorrect'), asked('ungraded', { target: null }));
      end(suite, asked('errored', { target: null }), asked('not_run'));
      suite.end();
    },
    0,
    'gaia 6/165  50.0 % correct so far  about 0 s left',
  ],
  [
    'several agents are named, in their order, by the file where they have one',
    (suite) => {
      for (const agent of ['module:./x/agent.ts', 'c']) suite.expect({ agent });
      end(suite, asked('incorrect', { agent: 'c' }), cached({ agent: 'module:./x/agent.ts' }));
    },
    0,
    'gaia 2/167  a -, agent.ts 100.0 %, c 0.0 % correct so far',
  ],
  [
    'what came from the cache costs nothing now',
    (suite) => {
      end(suite, cached({ cost_usd: 5 }));
      end(suite, asked('correct', { cost_usd: 0.5 }), asked('correct', { cost_usd: 0.25 }));
    },
    0,
    'gaia 3/165  100.0 % correct so far  $0.75 spent',
  ],
  [
    'answers from the cache say nothing of the rest',
    (suite) => {
      times(55, () => end(suite, cached()));
      times(10, () => end(suite, asked()));
    },
    10_000,
    'so far  about 2 min left',
  ],
  [
    'a short rest is told in seconds',
    (suite) => times(125, () => end(suite, asked())),
    125_000,
    'so far  about 40 s left',
  ],
])('%s', (_, act, now, line) => {
  const suite = new SuiteProgress('gaia', 0);
  times(165, () => suite.expect({ agent: 'a' }));
  act(suite);
  expect(suite.describeProgress(now)).toMatch(new RegExp(`${line.replaceAll(/[$./]/g, '\\$&')}$`));
});

/** A terminal of so many columns: what is on its screen, line by line. */
function makeTerminal(columns = 80) {
  let written = '';
  const write = (chunk: string | Uint8Array) => {
    written += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
    return true;
  };
  const stream: TerminalStream = { columns, write };
  // Clearing a line takes away what is on it.
  const screen = () => written.split('\n').map((line) => line.split('\r\u001B[2K').at(-1) ?? '');
  return { stream, screen };
}

test('the live line makes room for other output, comes back below it, and is cleared at the end', () => {
  const { stream, screen } = makeTerminal();
  const { write } = stream;
  const line = new LiveLine(stream, [stream]);
  line.update('1/3');
  stream.write('a message\n');
  expect(screen()).toEqual(['a message', '1/3']);
  line.update('2/3');
  expect(screen()).toEqual(['a message', '2/3']);
  line.stop();
  expect(screen()).toEqual(['a message', '']);
  expect(stream.write).toBe(write);
});

test('the live line is cut to the width of the terminal, since a wrapped line could not be cleared', () => {
  const { stream, screen } = makeTerminal(30);
  new LiveLine(stream, [stream]).update('x'.repeat(100));
  expect(screen()).toEqual(['x'.repeat(29)]);
});

test('the live line is cleared when the process ends, as after Ctrl-C', () => {
  const code = `import { LiveLine } from './progress-reporter.ts';
    new LiveLine(process.stderr, []).update('gaia 6/48');
    process.exit();`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  expect(stderr).toBe('\r\u001B[2Kgaia 6/48\r\u001B[2K');
});
