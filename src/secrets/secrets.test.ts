import { expect, test } from 'vitest';
import { hideSecretsIn } from './hide-secrets.ts';
import { readSecrets } from './read-secrets.ts';

test('the secrets of an environment are its keys, tokens and passwords', () => {
  const env = {
    OPENAI_API_KEY: 'local-key-12345',
    HF_TOKEN: ' hf_abcdefgh12345678 ',
    DB_PASSWORD: 'a-pass-phrase-without-digits',
    ANTHROPIC_API_KEY: undefined,
    OLLAMA_API_KEY: 'not-needed',
    EVAL_CACHE_KEY: 'the-second-attempt-2',
    KEYBOARD: 'a-keyboard-layout-12',
  };
  expect(readSecrets(env)).toEqual(['a-pass-phrase-without-digits', 'hf_abcdefgh12345678', 'local-key-12345']);
});

test('a secret is hidden wherever it stands in a value', () => {
  const value = { text: 'it is s3cret"quoted', trace: [{ result: 's3cret"quoted' }], steps: 2, usage: null };
  expect(hideSecretsIn(value, ['s3cret"quoted'])).toEqual({
    text: 'it is [key]',
    trace: [{ result: '[key]' }],
    steps: 2,
    usage: null,
  });
});

test('a value without a secret stays the same one', () => {
  const value = { text: 'x' };
  expect(hideSecretsIn(value, ['s3cret'])).toBe(value);
  expect(hideSecretsIn(undefined, ['s3cret'])).toBeUndefined();
});
