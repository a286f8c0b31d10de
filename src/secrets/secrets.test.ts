import { expect, test } from 'vitest';
import { hideSecrets, hideSecretsIn, readSecrets } from '../text/secrets.ts';

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

test.each([
  ['AWS_ACCESS_KEY_ID', 'MARK0123456789AB'],
  ['DB_PASS', 'mark12345'],
  ['PGPASSWORD', 'Tr!cky&Pa'],
  ['MYSQL_PWD', 'mark12345'],
  ['GITHUB_PAT', 'mark12345'],
  ['MY_CREDENTIAL', 'mark12345'],
  ['MY_CREDENTIALS', 'mark12345'],
  ['OPENAI_API_KEY_2', 'mark12345'],
  ['SHORT_API_KEY', 'mark12345'],
  ['LETTERS_API_KEY', 'markerletters'],
  ['NPM_AUTH', '/Zm9v/YmFy+0=='],
])('%s=%s is a secret', (name, value) => {
  expect(readSecrets({ [name]: value })).toEqual([value]);
});

test.each([
  ['KEYBOARD', 'mark12345'],
  ['PATH', '/usr/bin:/bin'],
  ['PWD', '/work/of/12345'],
  ['GIT_AUTHOR_NAME', 'mark12345'],
  ['TOKENIZERS_PARALLELISM', 'true'],
  ['MAX_TOKENS', '16000000'],
  ['SSH_AUTH_SOCK', '/tmp/ssh-12345/agent.1'],
  ['SSH_ASKPASS', 'ask-me-12345'],
  ['TOKEN_URL', 'https://host/token/12345'],
  ['GOOGLE_APPLICATION_CREDENTIALS', '/home/me/key-12345.json'],
  ['SSH_KEY', '~/.ssh/id_ed25519'],
  ['VERIFY_TOKEN', 'true'],
  ['SHORT_API_KEY', 'mark123'],
  ['DB_PASS', 'elephants'],
  ['SIGNING_KEY', '2025-10-12'],
  ['OPENAI_API_KEY', 'sk-no-key-required'],
])('%s=%s is none', (name, value) => {
  expect(readSecrets({ [name]: value })).toEqual([]);
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

test('so is the password of an address, whatever its name', () => {
  const env = {
    OPENAI_BASE_URL: 'https://me:pass%20phrase-77@host/v1',
    DATABASE_URL: 'postgres://me:p@ssw0rd-p@ssw0rd@db:5432/x',
    HTTP_PROXY: 'http://proxy:8080',
    SITE: 'http://me:password@host',
    NOTE: 'see a:longer-than-that@b',
  };
  expect(readSecrets(env)).toEqual(['p@ssw0rd-p@ssw0rd', 'pass%20phrase-77', 'pass phrase-77']);
});

const SECRET = 'abcdefgh-0123456789-tuvwxyz';

test.each([
  [`it is ${SECRET}, ${SECRET}`, 'it is [key], [key]'],
  [`cut off: ${SECRET.slice(0, 20)}`, 'cut off: [key]'],
  [`${SECRET.slice(9)} was cut off`, '[key] was cut off'],
  [`${SECRET.slice(0, 19)}...${SECRET.slice(-19)}`, '[key]...[key]'],
  [`${SECRET.slice(0, 15)}****`, 'abcdefgh-012345****'],
])('a secret that was cut off is hidden too: %s', (text, hidden) => {
  expect(hideSecrets(text, [SECRET])).toBe(hidden);
  expect(hideSecretsIn({ trace: [{ text }] }, [SECRET])).toEqual({ trace: [{ text: hidden }] });
});

test('a short secret hides nothing but itself: its parts may be words of an answer', () => {
  expect(hideSecrets('local-key of local-key-12345', ['local-key-12345'])).toBe('local-key of [key]');
});

test('a value without a secret stays the same one', () => {
  const value = { text: 'x' };
  expect(hideSecretsIn(value, ['s3cret'])).toBe(value);
  expect(hideSecretsIn(undefined, ['s3cret'])).toBeUndefined();
});
