import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig, readSettings } from './settings.ts';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('readConfig', () => {
  test('has a complete set of defaults', () => {
    const { cache, concurrency, dir, split, tools, trials, ...others } = readConfig({});
    expect({ cache, concurrency, dir, split, tools, trials }).toEqual({
      cache: 'on',
      concurrency: 20,
      dir: '.evals',
      split: 'validation',
      tools: 'off',
      trials: 1,
    });
    // All else is empty, off or not set.
    expect(Object.values(others).filter((value) => value && value !== others.prices)).toEqual([]);
  });

  test.each([
    ['EVAL_LIMIT', ' 20 ', { limit: 20 }],
    ['EVAL_LIMIT', '', { limit: null }],
    ['EVAL_LEVEL', '1, 3', { levels: ['1', '3'] }],
    ['EVAL_PROMPT', 'a.md', { prompts: [{ suite: null, path: 'a.md' }] }],
    [
      'EVAL_PROMPT',
      'mcq=a.md, b.md',
      {
        prompts: [
          { suite: 'mcq', path: 'a.md' },
          { suite: null, path: 'b.md' },
        ],
      },
    ],
    ['EVAL_IDS', 'a*,b?', { ids: ['a*', 'b?'] }],
    ['EVAL_MIN_ACCURACY', '.5', { minAccuracy: 0.5 }],
    ['EVAL_SHOW_GATED', '1', { showGated: true }],
    [
      'EVAL_MCQ_FIELDS',
      '{"answer": "gold", "counts": 1}',
      { mcqFields: { answer: 'gold', counts: 1 } },
    ],
    ['CI', 'true', { ci: true }],
    ['CI', 'false', { ci: false }],
  ])('reads %s=%s', (name, value, expected) => {
    expect(readConfig({ [name]: value })).toMatchObject(expected);
  });

  test.each([
    ['EVAL_LEVEL', '4'],
    ['EVAL_MIN_ACCURACY', '60%'],
    ['EVAL_SPLIT', 'train'],
    ['EVAL_AGENT', 'mine:x'],
    ['EVAL_MCQ_FIELDS', '[]'],
  ])('refuses %s=%s and says what is allowed', (name, value) => {
    const [problem, ...others] = problemsOf({ [name]: value });
    expect(problem).toMatch(
      new RegExp(`^${name} must be .+, got ${RegExp.escape(JSON.stringify(value))}\\.$`),
    );
    expect(others).toEqual([]);
  });

  test.each([
    [
      'EVAL_TIMEOUT',
      'a number of seconds from 0.001 to 2147483',
      ['0.001', '2147483'],
      ['0.0009', '2147484', '1e3'],
    ],
    ['EVAL_TRIALS', 'a whole number from 1 to 1000', ['1', '1000'], ['0', '1001', '99999999999']],
    [
      'EVAL_MAX_COST',
      'US dollars from 0.000001 to 1000000',
      ['0.000001', '1000000'],
      ['0', '1000000.1'],
    ],
    ['EVAL_MIN_ACCURACY', 'a number from 0 to 1', ['0', '1'], ['1.01', '-0']],
    [
      'EVAL_SEED',
      'a whole number of at most 15 digits',
      ['0', '999999999999999'],
      ['1000000000000000'],
    ],
  ])('%s takes %s', (name, allowed, taken, refused) => {
    expect(taken.map((value) => problemsOf({ [name]: value }))).toEqual(taken.map(() => []));
    const problems = refused.map((value) => [`${name} must be ${allowed}, got "${value}".`]);
    expect(refused.map((value) => problemsOf({ [name]: value }))).toEqual(problems);
  });

  test('may be read in part: the values of others are not looked at, their names are', () => {
    const env = { EVAL_DIR: 'd', EVAL_LIMIT: 'x', EVAL_AGENT: 'mine:y', CI: 'true' };
    expect(readSettings(env, ['dir'])).toMatchObject({
      dir: 'd',
      limit: null,
      agents: null,
      ci: true,
    });
    expect(() => readSettings({ EVAL_LIMTI: '1' }, ['dir'])).toThrow('EVAL_LIMTI ("1") is not');
  });

  test.each([
    ['EVAL_AGENT', 'gpt-5', 'Write openai:gpt-5.'],
    ['EVAL_JUDGE', 'gpt-5,claude-x', 'Write openai:gpt-5,anthropic:claude-x.'],
    ['EVAL_USER', 'gpt-5', 'Write openai:gpt-5.'],
    ['EVAL_AGENT', 'opnai:gpt-5', 'Did you mean openai?'],
  ])('says for %s=%s what to write', (name, value, said) => {
    expect(problemsOf({ [name]: value })[0]).toMatch(
      new RegExp(`, got ${RegExp.escape(JSON.stringify(value))}\\. ${RegExp.escape(said)}$`),
    );
  });

  test('names the nearest setting for an unknown one', () => {
    expect(problemsOf({ EVAL_LEVELS: '1' })[0]).toMatch(
      /^EVAL_LEVELS \("1"\) is not a setting\. Did you mean EVAL_LEVEL\?$/,
    );
  });

  test('lists every problem at once', () => {
    expect(problemsOf({ EVAL_LIMIT: 'x', EVAL_SPLIT: 'z' })).toHaveLength(2);
  });

  test('lets the environment win over committed defaults', () => {
    const config = readConfig({ EVAL_LIMIT: '3' }, { limit: 10, seed: 7 });
    expect(config).toMatchObject({ limit: 3, seed: 7 });
  });

  test.each([
    [{ limit: 0 }, 'vitest.config.ts: "limit" must be'],
    [{ cache: 'no' as 'off' }, 'vitest.config.ts: "cache" must be on, off'],
    [
      { seed: 7, limt: 5 },
      'vitest.config.ts: "limt" in "defaults" is not a setting. Did you mean limit?',
    ],
    [{ judges: 'gpt-5' }, 'vitest.config.ts: "judges" must be openai:MODEL'],
    [{ user: 'replay:a.jsonl' }, 'vitest.config.ts: "user" must be openai:MODEL'],
  ])('refuses committed %j', (defaults, problem) => {
    expect(() => readConfig({}, defaults)).toThrow(problem);
  });

  test('reads committed agents, judges and users as the environment names them', () => {
    const names = { agents: 'openai:a,openai:b', judges: 'openai:c', user: 'module:./d.ts' };
    const [EVAL_AGENT, EVAL_JUDGE, EVAL_USER] = [names.agents, names.judges, names.user];
    const { agents, judges, user } = readConfig({ EVAL_AGENT, EVAL_JUDGE, EVAL_USER });
    expect(readConfig({}, names)).toMatchObject({ agents, judges, user, agentsNamed: false });
    expect(readConfig({ EVAL_USER: 'openai:e' }, names).user).toMatchObject({ target: 'e' });
  });

  test('reads committed settings of every kind', () => {
    const defaults = {
      limit: 5,
      timeoutSeconds: 0.1 + 0.2,
      minAccuracy: 1 / 3,
      cache: 'off',
      dryRun: true,
    } as const;
    expect(readConfig({}, defaults)).toMatchObject(defaults);
  });
});
