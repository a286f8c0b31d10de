import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { makeFile, makeFolder } from '../../test/make-folder.ts';
import { ask } from '../run/ask.ts';
import { CALL } from '../run/lanes.fixture.ts';
import type { Agent } from '../words/answer.ts';
import { textsOf, toAsked } from '../words/types.fixture.ts';
import { createModuleAgent, importModule } from './module.ts';

const question = toAsked('why?');

async function load(source: string, name = 'agent.ts'): Promise<Agent> {
  return createModuleAgent(toSpec(makeFile(name, source)));
}

function toSpec(target: string) {
  return { kind: 'module', target, text: `module:${target}` } as const;
}

const askAgent = (agent: Agent) => ask(agent, question, { ...CALL, trial: 2, maxSteps: 7 });

describe('a module', () => {
  test.each([
    ['a plain function', 'export default () => "17"', '17'],
    [
      'an async function',
      'export default async (question: { id: string }) => ({ output: question.id })',
      'q',
    ],
    [
      'an instance that comes after a top-level await',
      'class Mine { say = "17"; async answer() { return this.say } }\nexport default await new Mine()',
      '17',
    ],
  ])('answers by %s', async (_, source, output) => {
    expect(await askAgent(await load(source))).toMatchObject({
      outcome: 'answered',
      answer: { output },
    });
  });

  test('has the name that the module exports, otherwise that of EVAL_AGENT, and may have its prices', async () => {
    const named = await load('export default { name: "Mine", priced: true, answer: () => "" }');
    expect(named).toMatchObject({ name: 'Mine', priced: true });
    const name = expect.stringMatching(/^module:.*agent\.ts$/);
    expect(await load('export default () => ""')).toMatchObject({ name, priced: false });
  });

  test.each([
    ['{ cost: 1 }', '"cost" in what the agent reported is not read: write costUsd (US dollars).'],
    ['"x"', 'A mistake in what the agent reported: it must be an object, got "x".'],
  ])('that reports %s answers, and a line below the tables says so', async (said, message) => {
    const agent = await load(`export default (_, c) => { c.onProgress(${said}); return '17' }`);
    for (const _ of [1, 2])
      expect(await askAgent(agent)).toMatchObject({
        outcome: 'answered',
        answer: { output: '17' },
      });
    const told = agent.remarks?.().filter(({ kind }) => kind === 'unread') ?? [];
    expect(textsOf(told)).toEqual([message]);
    expect(JSON.stringify(agent.remarks?.(true))).not.toContain(message);
  });

  test('receives signal, step limit, trial, deadline and work folder', async () => {
    const agent = await load(
      'export default (_, { signal, maxSteps, trial, deadlineMs, workdir }) =>' +
        ' JSON.stringify([signal.aborted, maxSteps, trial, Math.round(deadlineMs / 1000), typeof workdir])',
    );
    expect(await askAgent(agent)).toMatchObject({
      answer: { output: '[false,7,2,60,"string"]' },
    });
  });

  test.each([
    ['rejects', 'async () => { throw new TypeError("broken") }', 'TypeError: broken'],
    ['throws a string', '() => { throw "broken" }', "'broken'"],
    ['throws when read', '() => ({ get output() { throw new Error("trap") } })', 'Error: trap'],
  ])('that %s is a crash of the agent', async (_, source, message) => {
    const error = { kind: 'agent_crash', message: expect.stringContaining(message) };
    expect(await askAgent(await load(`export default ${source}`))).toMatchObject({ error });
  });
});

describe('what is not an agent is refused before any call:', () => {
  test.each([
    ['a missing file', '', 'no such file, got'],
    [
      'no default export',
      'export const answer = () => ""',
      'the default export must be a function or an object {name?',
    ],
    [
      'an object without a function',
      'export default { answer: "17" }',
      '"answer" of the default export must be a func',
    ],
    [
      'a wrong mark',
      'export default { priced: "yes", answer() {} }',
      '"priced" of the default export must be true or',
    ],
    ['a syntax error', 'export default (x: string => x', 'agent.ts:1:31). Correct it'],
    [
      'a missing import',
      'import "./none.ts"; export default () => ""',
      'the file cannot be loaded (',
    ],
    ['an error while loading', 'throw new RangeError("too\\u001b[2J far")', 'RangeError: too far'],
  ])('%s', async (_, source, message) => {
    const folder = makeFolder(source === '' ? {} : { 'agent.ts': source });
    const loading = createModuleAgent(toSpec(join(folder, 'agent.ts')));
    const error = await loading.then(
      () => new Error('was loaded'),
      (refusal: Error) => refusal,
    );
    expect(error.message).toContain(message);
    expect(error.message).toMatch(/^EVAL_AGENT=module:/);
    expect(error.message).not.toContain('\u001b');
  });
});

function toUrl(source: string): string {
  const folder = makeFolder({ 'agent.mjs': source });
  return pathToFileURL(join(folder, 'agent.mjs')).href;
}

test.each([
  ['awaits for ever', 'await new Promise(() => {}); export default () => ""'],
  ['exports a "then" that never calls back', 'export function then() {}; export default () => ""'],
])('a module that %s is not waited for without end', async (_, source) => {
  const problem = 'its import has not ended after 0.2 s: a top-level await is still waiting';
  await expect(importModule(toUrl(source), 200)).rejects.toThrow(problem);
});
