import { expect, test } from 'vitest';
import { evaluate } from '../src/figures/evaluate-run.ts';
import { toResult } from '../src/figures/result.fixture.ts';
import type { AgentNote, SuiteManifest } from '../src/store/manifest.ts';
import { readRun } from '../src/store/run-reader.ts';
import type { Note } from '../src/words/sample.ts';
import { makeRun } from '../test/make-run.ts';
import { toDetails, toEndLines, toRemarks } from './run-remarks.ts';

const ROWS = ['a', 'b', 'c'].flatMap((agent) => [
  toResult('correct', { agent }),
  toResult('correct', { agent, suite: 'mcq' }),
]);

const toNote = (text: string): Note => ({ kind: 'layout', text });
const of = (agent: string, text: string): AgentNote => ({ agent, kind: 'own delay', text });

/** What is said of runs whose suites all have these notes. */
function sayOf(suite: Partial<SuiteManifest>, rows = ROWS): readonly string[] {
  const outcome = evaluate(readRun(makeRun(rows, { suite })), { calibrationOf: () => null });
  return toRemarks(outcome).map(({ text }) => text);
}

test.each<[string, readonly AgentNote[], readonly string[]]>([
  [
    'in the order of suites, and of agents in each',
    [of('b', '1'), of('a', '2'), of('a', '3')],
    ['gaia, a: 2', 'gaia, a: 3', 'gaia, b: 1', 'mcq, a: 2', 'mcq, a: 3', 'mcq, b: 1'],
  ],
  [
    'once where they are the same of all agents, before those of one',
    [of('a', 'x'), ...['a', 'b', 'c'].map((agent) => of(agent, 'same'))],
    [
      'gaia, each of the 3 agents: same',
      'gaia, a: x',
      'mcq, each of the 3 agents: same',
      'mcq, a: x',
    ],
  ],
  [
    'once where they are the same of some agents, with their names',
    [of('b', 'same'), of('c', 'same')],
    ['gaia, b and c each: same', 'mcq, b and c each: same'],
  ],
])('remarks come %s', (_, agent_notes, lines) => {
  expect(sayOf({ agent_notes })).toEqual(lines);
});

test('the only agent of a suite is named if its name says something', () => {
  const say = (agent: string) =>
    sayOf({ agent_notes: [of(agent, 'x')] }, [toResult('correct', { agent })]);
  expect([say('gaia agent'), say('openai:m')].flat()).toEqual(['gaia: x', 'gaia, openai:m: x']);
});

test('remarks of several prompts name them', () => {
  const rows = ['1', '2'].map((prompt_hash) =>
    toResult('correct', { prompt: `x.md@${prompt_hash}`, prompt_hash, attempts: 2 }),
  );
  const [line] = sayOf({}, rows);
  expect(line).toMatch(/^gaia, each of the 2 prompts: 1 of 1 answer is a retry /);
});

test('notes come before warnings, these before gates, and the run folder, the report and the exit code last', () => {
  const gates = [0.5, 1].map((min_accuracy) => {
    return { suite: 'gaia', dataset: 'made-up', group: 'all', min_accuracy };
  });
  const rows = [toResult('correct'), toResult('incorrect', { id: 'b', attempts: 2 })];
  const folder = makeRun(rows, {
    name: 'a run',
    end: { gates, errors: ['a hook failed'] },
    suite: { notes: [toNote('a layout'), { kind: 'source', text: 'a source' }] },
  });
  const outcome = evaluate(readRun(folder), { calibrationOf: () => null });
  const lines = [...toRemarks(outcome), ...toEndLines(outcome)].map(({ text }) => text);
  expect(lines.map((line) => line.split(':', 2).join(':').slice(0, 30))).toEqual([
    'gaia: a layout',
    'gaia, replay: 1 of 2 answers i',
    'RUN ERROR: a hook failed',
    'gate holds: gaia (made-up)',
    'GATE MISSED: gaia (made-up)',
    `Run folder: ${folder}`.slice(0, 30),
    'Report: file',
    'exit 1: run error',
  ]);
  expect(lines.at(-2)).toMatch(/^Report: file:\/\/\/.+\/a%20run\/report\.html$/);
  expect(toDetails(outcome)).toEqual([{ text: 'gaia: a source', level: 'note' }]);
});
