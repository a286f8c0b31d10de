import { describe, expect, test } from 'vitest';
import { heldReason, readNamedTests, unnamedReason } from './held-runs.ts';

describe('readNamedTests', () => {
  test.each([
    [['run', 'evals'], true],
    [['run', 'evals/gaia'], true],
    [['watch', './evals/'], true],
    [['run', '/home/me/project/evals/gaia/gaia.eval.ts'], true],
    [['run', '--project', 'evals'], true],
    [['run', '--project=evals'], true],
    [[], false],
    [['run'], false],
    [['run', 'src/my-evals.test.ts'], false],
    [['run', '--project', 'unit'], false],
    [['run', '--outputFile=evals/x.json'], false],
    [['run', '-t', 'evals/gaia'], false],
    [['related', 'evals/gaia/prompt.md'], false],
  ])('%j: %j', (argv, named) => {
    expect(readNamedTests(argv).namesEvals).toBe(named);
  });
});

test('readNamedTests gives what files must match, without line numbers and the values of options', () => {
  const argv = ['watch', 'evals/mcq', 'src/a.test.ts:12', '-t', 'level 1', '--project', 'evals'];
  expect(readNamedTests(argv).filters).toEqual(['evals/mcq', 'src/a.test.ts']);
});

describe('heldReason', () => {
  const paid = { agents: [{ kind: 'module', target: 'a.ts', text: 'module:a.ts' }], agentsNamed: true } as const;
  const free = { agents: [{ kind: 'replay', target: '', text: 'replay' }], agentsNamed: false } as const;
  const unlimited = { limit: null, maxCost: null };

  test.each([
    ['a replay', { ...free, ...unlimited }, false, true, null],
    ['no agent', { agents: null, agentsNamed: false, ...unlimited }, false, true, null],
    ['a paid agent that is named, with the evals', { ...paid, ...unlimited }, true, false, null],
    [
      'a paid agent of the committed defaults',
      { ...paid, agentsNamed: false, ...unlimited },
      true,
      false,
      'set EVAL_AGENT',
    ],
    ['a paid agent without the evals', { ...paid, ...unlimited }, false, false, 'name the evals'],
    ['a paid agent in watch mode', { ...paid, ...unlimited }, true, true, 'set EVAL_LIMIT or EVAL_MAX_COST'],
    ['a paid agent in watch mode with a limit', { ...paid, ...unlimited, limit: 5 }, true, true, null],
    ['a paid agent in watch mode with a budget', { ...paid, ...unlimited, maxCost: 1 }, true, true, null],
  ])('of %s', (_, config, named, watch, reason) => {
    const held = heldReason(config, named, watch);
    if (reason === null) expect(held).toBeNull();
    else expect(held).toContain(reason);
  });

  test('writes out what a terminal obeys in the name of an agent', () => {
    const agents = [{ kind: 'module', target: 'a', text: 'module:a\u001b[2J' }] as const;
    const held = heldReason({ agents, agentsNamed: false, ...unlimited }, true, false);
    expect(held).toBe('module:a\\u001b[2J may cost money: set EVAL_AGENT=module:a\\u001b[2J to run it.');
    expect(unnamedReason({ agents })).toMatch(/^module:a\\u001b\[2J may cost money/);
  });
});
