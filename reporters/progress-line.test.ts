import { expect, test } from 'vitest';
import { LiveLine, type Progress, renderProgress, type TerminalStream } from './progress-line.ts';

const START: Progress = {
  suite: 'gaia',
  total: 165,
  done: 0,
  agents: [{ agent: 'a', judged: 0, correct: 0 }],
  asked: 0,
  running: 0,
  spent: null,
  slowed: [],
  startedAt: 0,
};

/** Agents as "name right/judged". */
function tally(...agents: readonly string[]): Progress['agents'] {
  return agents.map((text) => {
    const [, agent = '', correct, judged] = /^(.*) (\d)\/(\d)$/.exec(text) ?? [];
    return { agent, correct: Number(correct), judged: Number(judged) };
  });
}

test.each<[string, Partial<Progress>, number, string]>([
  ['nothing is known at the start', { running: 20 }, 500, 'gaia 0/165  20 running'],
  ['two answers tell nothing of the rest', { done: 2, asked: 2 }, 9000, 'gaia 2/165'],
  ['what is left takes as long as what was done', { done: 15, asked: 15 }, 30_000, 'gaia 15/165  about 5 min left'],
  ['recalled answers say nothing of the rest', { done: 65, asked: 10 }, 10_000, 'gaia 65/165  about 2 min left'],
  ['seconds', { done: 125, asked: 125 }, 125_000, 'gaia 125/165  about 40 s left'],
  ['hours', { done: 15, asked: 15 }, 900_000, 'gaia 15/165  about 2.5 h left'],
  ['nothing is left at the end', { done: 165, asked: 165 }, 9000, 'gaia 165/165'],
  ['accuracy is of what has a verdict', { done: 4, agents: tally('a 2/3') }, 0, 'gaia 4/165  66.7 % right so far'],
  [
    'several agents are named, by the file where they have one',
    { done: 4, agents: tally('replay 2/3', 'module:./x/agent.ts 0/1', 'c 0/0') },
    0,
    'gaia 4/165  replay 66.7 %, agent.ts 0.0 %, c - right so far',
  ],
  [
    'names that would look the same are whole',
    { done: 2, agents: tally('module:a/x.ts 1/1', 'module:b/x.ts 0/1') },
    0,
    'gaia 2/165  module:a/x.ts 100.0 %, module:b/x.ts 0.0 % right so far',
  ],
  [
    'many agents are a range',
    { done: 7, agents: tally('a 1/2', 'b 2/2', 'c 1/4', 'd 0/0') },
    0,
    'gaia 7/165  4 agents, 25.0 % to 100.0 % right so far',
  ],
  ['a known cost is shown', { done: 1, spent: 0.0123 }, 0, 'gaia 1/165  $0.012 spent'],
  [
    'a lowered limit is shown',
    { done: 1, running: 5, slowed: [{ provider: 'a', slots: 5 }] },
    0,
    'gaia 1/165  5 running  rate limit: 5 at once',
  ],
  [
    'of several agents it is said whose limit that is',
    { done: 1, agents: tally('openai:m 0/0', 'c 0/0'), slowed: [{ provider: 'openai', slots: 5 }] },
    0,
    'gaia 1/165  rate limit: openai 5 at once',
  ],
])('%s', (_, change, now, line) => {
  expect(renderProgress({ ...START, ...change }, now)).toBe(line);
});

/** A terminal of so many columns: what is on its screen, line by line. */
function makeTerminal(columns = 80) {
  let written = '';
  const write = (chunk: string | Uint8Array) => {
    written += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
    return true;
  };
  const stream: TerminalStream = { columns, write };
  // Clearing a line takes away what stands on it.
  const screen = () => written.split('\n').map((line) => line.split('\r\u001B[2K').at(-1) ?? '');
  return { stream, screen };
}

test('draws one line over and over', () => {
  const { stream, screen } = makeTerminal();
  const line = new LiveLine(stream, [stream]);
  line.show('1/3');
  line.show('2/3');
  expect(screen()).toEqual(['2/3']);
});

test('gives way to what others write, and comes back below it', () => {
  const { stream, screen } = makeTerminal();
  const line = new LiveLine(stream, [stream]);
  line.show('1/3');
  stream.write('a message\n');
  expect(screen()).toEqual(['a message', '1/3']);
  line.show('2/3');
  expect(screen()).toEqual(['a message', '2/3']);
});

test('waits for the end of a line that somebody has begun', () => {
  const { stream, screen } = makeTerminal();
  const line = new LiveLine(stream, [stream]);
  line.show('1/3');
  stream.write('a mess');
  line.show('2/3');
  stream.write(new TextEncoder().encode('age\n'));
  line.show('3/3');
  expect(screen()).toEqual(['a message', '3/3']);
});

test('is cut to the width of the terminal, since a wrapped line could not be cleared', () => {
  const { stream, screen } = makeTerminal(30);
  new LiveLine(stream, [stream]).show('x'.repeat(100));
  expect(screen()).toEqual(['x'.repeat(29)]);
});

test('leaves nothing behind', () => {
  const { stream, screen } = makeTerminal();
  const { write } = stream;
  const line = new LiveLine(stream, [stream]);
  line.show('1/3');
  line.stop();
  expect(screen()).toEqual(['']);
  expect(stream.write).toBe(write);
});
