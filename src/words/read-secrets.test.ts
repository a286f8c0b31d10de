import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { readSecrets } from './read-secrets.ts';
import { HIDDEN, redact } from './secrets.ts';

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
  expect(readSecrets(env)).toEqual([
    'a-pass-phrase-without-digits',
    'hf_abcdefgh12345678',
    'local-key-12345',
  ]);
});

test.each([
  ['AWS_ACCESS_KEY_ID', 'MARK0123456789AB'],
  ['DB_PASS', 'mark12345'],
  ['PGPASSWORD', 'Tr!cky&Pa'],
  ['SHORT_API_KEY', 'mark12345'],
  ['NPM_AUTH', '/Zm9v/YmFy+0=='],
])('%s=%s is a secret', (name, value) => {
  expect(readSecrets({ [name]: value })).toEqual([value]);
});

test.each([
  ['SLACK', `${'xoxb'}-1234567890-abcdefABCDEF`],
  ['STRIPE', `${'sk_live'}_0123456789abcdefABCDEF`],
  ['BOT', `${'ghp'}_0123456789abcdefABCDEF0123456789abcd`],
  ['CLOUD', `${'AKIA'}IOSFODNNABCDEFGH`],
  ['HUB', `${'hf'}_abcdefGHIJKLMNOPQRSTUV`],
])('%s=%s is a secret by its form, also within a command', (name, value) => {
  expect(readSecrets({ [name]: value })).toEqual([value]);
  expect(readSecrets({ [name]: `curl -u "${value}:" https://host/v1` })).toEqual([value]);
});

test.each([
  ['REPOSITORY', 'sk-learn-contributors-of-today'],
  ['KEYBOARD', 'mark12345'],
  ['PATH', '/usr/bin:/bin'],
  ['SSH_AUTH_SOCK', '/tmp/ssh-12345/agent.1'],
  ['GOOGLE_APPLICATION_CREDENTIALS', '/home/me/key-12345.json'],
  ['SSH_KEY', '~/.ssh/id_ed25519'],
  ['SHORT_API_KEY', 'mark123'],
  ['DB_PASS', 'elephants'],
  ['OPENAI_API_KEY', 'sk-no-key-required'],
])('%s=%s is no secret', (name, value) => {
  expect(readSecrets({ [name]: value })).toEqual([]);
});

test('the password of an address is a secret, whatever its name', () => {
  const env = {
    OPENAI_BASE_URL: 'https://me:pass%20phrase-77@host/v1',
    DATABASE_URL: 'postgres://me:p@ssw0rd-p@ssw0rd@db:5432/x',
    HTTP_PROXY: 'http://proxy:8080',
    SITE: 'http://me:password@host',
    NOTE: 'see a:longer-than-that@b',
  };
  expect(readSecrets(env)).toEqual(['p@ssw0rd-p@ssw0rd', 'pass%20phrase-77', 'pass phrase-77']);
});

const MARK = 'mAr7kEr-0123456789-abCd';

test.each([
  ['GCP_CREDENTIALS_JSON', JSON.stringify({ type: 'x', client_secret: MARK })],
  ['SETTINGS', JSON.stringify({ inner: JSON.stringify({ 'access-token': MARK }) })],
  ['SETTINGS_B64', Buffer.from(JSON.stringify({ password: MARK })).toString('base64')],
  ['OTEL_EXPORTER_OTLP_HEADERS', `x-team=${MARK},content-type=application/json`],
  ['OTEL_EXPORTER_OTLP_HEADERS', `content-type=application/json,Authorization=Bearer%20${MARK}`],
  ['ANTHROPIC_CUSTOM_HEADERS', `Accept: application/json\nX-Team: ${MARK}`],
  ['EXTRA_HEADERS', JSON.stringify({ 'X-Team': MARK })],
  ['DB_CONNECTION_STRING', `Server=tcp:db,1433;User ID=me;Password="${MARK}";Encrypt=True`],
  ['DB_CONNECTION_STRING', MARK],
  [
    'AzureWebJobsStorage',
    `AccountName=a;SharedAccessKeyName=Root-of-all;SharedAccessKey=${MARK};X=y`,
  ],
  ['SLACK_WEBHOOK_URL', `https://hooks.example.com/${MARK}`],
  ['SENTRY_DSN', `https://${MARK}@o1.example.com/42`],
  ['HTTP_BASIC', `someone:${MARK}`],
  ['LIFECYCLE_SCRIPT', `SOME_TOKEN=${MARK} vitest run --sort=created`],
])('the key in %s=%s is a secret, and what is beside it stays', (name, value) => {
  const secrets = readSecrets({ [name]: value });
  expect(redact(`it is ${MARK}.`, secrets)).toBe(`it is ${HIDDEN}.`);
  const beside =
    'application/json https://hooks.example.com o1.example.com Server=tcp:db,1433 Root-of-all someone';
  expect(redact(beside, secrets)).toBe(beside);
});

test.each([
  ['REDIS_DSN', 'redis://localhost:6379/production-2'],
  ['MONGO_CONNECTION_STRING', 'mongodb://localhost:27017/production-2'],
  ['EXTRA_HEADERS', 'user-agent=Mozilla/5.0 (X11; Linux),accept=application/json'],
  ['SETTINGS', '{"max_tokens": "160000", "tokenizer": "cl100k-base-2", "key_name": "first-one-1"}'],
])('%s=%s has no secret', (name, value) => {
  expect(readSecrets({ [name]: value })).toEqual([]);
});

const PEM = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
}).privateKey;
const LINES = PEM.trim().split('\n').slice(1, -1);
const INSIDE = LINES.join('');

const HELD = {
  'as it is': PEM,
  'with written line breaks': PEM.trim().replaceAll('\n', '\\n'),
  'in one line': `-----BEGIN RSA PRIVATE KEY-----${INSIDE}-----END RSA PRIVATE KEY-----`,
  'in JSON': JSON.stringify({ type: 'service_account', private_key: PEM }),
  'in base64': Buffer.from(PEM).toString('base64'),
  'with headers': PEM.replace(
    '-\n',
    '-\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n',
  ),
};
const PRINTED = {
  'as it is': PEM,
  'with CRLF': PEM.replaceAll('\n', '\r\n'),
  'with written line breaks': PEM.replaceAll('\n', '\\n'),
  'in JSON in JSON': JSON.stringify(JSON.stringify(PEM)),
  indented: PEM.replaceAll('\n', '\n        '),
  'in one line': INSIDE,
  'in lines of 76': INSIDE.replace(/.{76}/g, '$&\n'),
  'in base64': Buffer.from(PEM).toString('base64'),
};
const ways = Object.entries(HELD).flatMap(([held, value]) =>
  Object.entries(PRINTED).map(([printed, text]) => ({ held, value, printed, text })),
);

test.each(ways)(
  'a private key held $held and printed $printed is hidden in each line',
  ({ value, text }) => {
    const hidden = redact(text, readSecrets({ GCP_SA: value }));
    const windows = (from: string) =>
      Array.from({ length: from.length - 7 }, (_, at) => from.slice(at, at + 8));
    const base64 = value.includes('ENCRYPTED')
      ? ''
      : Buffer.from(PEM).toString('base64').slice(60, -60);
    expect(
      [...windows(INSIDE), ...windows(base64)].filter((part) => hidden.includes(part)),
    ).toEqual([]);
    expect(redact('It is ENCRYPTED with AES-128-CBC.', readSecrets({ GCP_SA: value }))).toContain(
      'ENCRYPTED with AES',
    );
  },
);
