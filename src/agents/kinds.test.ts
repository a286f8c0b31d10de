import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../settings.ts';
import { createAgents, parseAgentSpecs } from './kinds.ts';
import { registerOwnKinds } from './register-kinds.ts';

test.each([
  ['replay:a.jsonl, replay:b.jsonl', ['replay a.jsonl', 'replay b.jsonl']],
  ['replay:what?.jsonl', ['replay what?.jsonl']],
  [
    'openai-chat:llama3:8b?temperature=0&base_url=http%3A%2F%2F127.0.0.1/v1?x,anthropic:c?temperature=0&temperature=1',
    [
      'openai-chat llama3:8b temperature=0 base_url=http://127.0.0.1/v1?x',
      'anthropic c temperature=0 temperature=1',
    ],
  ],
  ['command:sh -c "a, b" | c?d=1,replay', ['command sh -c "a, b" | c?d=1', 'replay ']],
  ['gpt-5', undefined],
  ['', undefined],
])('parses %j', (value, expected) => {
  const specs = parseAgentSpecs(value);
  const parts = specs?.map(({ kind, target, params = [] }) =>
    [kind, target, ...params.map((pair) => pair.join('='))].join(' '),
  );
  expect(parts).toEqual(expected);
  if (specs)
    expect(specs.map(({ text }) => text).join()).toBe(value.replace(', replay', ',replay'));
});

async function create(text: string) {
  const [spec] = parseAgentSpecs(text) ?? [];
  if (spec === undefined) throw new Error(`${text} names no agent.`);
  return createAgents(spec, { suite: 'gaia', ids: [], predictions: '' });
}

describe('the parameters of a spec', () => {
  test.each([
    [
      'openai:m?temprature=0',
      '"temprature" ("0") is not a parameter of openai. Did you mean temperature?',
    ],
    ['openai:m?__proto__=0', '"__proto__" ("0") is not a parameter of openai.'],
    ['anthropic:m?web_search=web_search_1', 'must be on, off, web_search_20250305'],
    ['openai:m?temperature=hot', 'parameter temperature must be a number from 0 to 2, got "hot".'],
    [
      'anthropic:m?temperature=1.5',
      'parameter temperature must be a number from 0 to 1, got "1.5".',
    ],
    [
      'openai:m?reasoning_effort=most',
      'must be none, minimal, low, medium, high, xhigh or max, got "most".',
    ],
    [
      'openai-chat:m?base_url=localhost',
      'must be an http or https address without user and password',
    ],
    ['openai:m?stream=yes', 'parameter stream must be on or off, got "yes".'],
    [
      'openai:',
      'EVAL_AGENT=openai:: no model is named. Write it after the colon, as in openai:MODEL.',
    ],
    ['openai:m\u001b[2J?x=1', 'EVAL_AGENT=openai:m\\u001b[2J?x=1: "x"'],
    [
      'openai:sk-abcdef123456',
      'the name of the model is an API key. Name a model here, and put keys into the environment.',
    ],
    [
      'anthropic:m?thinking=disabled&thinking_budget=2048',
      'contradict each other. Keep one of them.',
    ],
  ])('%s is refused before any call', async (text, message) => {
    await expect(create(text)).rejects.toThrow(message);
  });

  test('show no password of a base URL where they are refused', async () => {
    const refused = create('openai:m?base_url=http://me:pass-phrase-77@127.0.0.1:9');
    await expect(refused).rejects.toThrow('without user and password');
    await expect(refused).rejects.not.toThrow('pass-phrase');
  });

  test('change the fingerprint, as the server and the tools do', async () => {
    const fingerprints = await Promise.all(
      [
        'openai:m',
        'openai:m?temperature=0',
        'openai:n',
        'openai-chat:m',
        'openai:m?base_url=http://127.0.0.1:9/v1',
        'openai:m?tools=off',
        'openai:m?fetch_page=off',
        'openai:m?web_search=on',
        'openai:m?web_search=on&tools=off',
        'openai:m?code_execution=on',
      ].map(async (text) => (await create(text))[0]?.fingerprint),
    );
    expect(new Set(fingerprints).size).toBe(10);
  });
});

test.each<[object, string]>([
  [{ openai: () => '' }, '"openai" is built in. Choose another name.'],
  [{ 'My kind': () => '' }, '"My kind" needs another name: small letters, digits and "-"'],
  [{ mine: './mine.ts' }, '"mine" must be a function (target, setting) => agent, or {create, free'],
  [{ mine: { create: () => '', free: 'yes' } }, '"mine" must be a function'],
])('the own kind %j is refused', (own, problem) => {
  const problems = [expect.stringContaining(`"agents" of viva(): the kind ${problem}`)];
  expect(registerOwnKinds({ ...own })).toEqual(problems);
  expect(parseAgentSpecs('mine:x')).toBeUndefined();
});

test('an unknown kind is answered with all kinds, own ones too, and the nearest', () => {
  registerOwnKinds({ mine: () => '' });
  onTestFinished(() => void globalThis.vivaKinds?.delete('mine'));
  expect(() => readConfig({ EVAL_AGENT: 'mien:x' })).toThrow(
    /command:LINE or mine:TARGET, .*got "mien:x"\. Did you mean mine\?/,
  );
});
