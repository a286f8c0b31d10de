import { describe, expect, test } from 'vitest';
import { secretsOfAddress, secretsOfProgram, secretsOfVariables } from './server-secrets.ts';

const MARKER = 'MARKER-0123456789';
const KEY_OF_A_FORM = 'sk-MARKER0123456789';

describe('on the command line of a server', () => {
  test.each([
    [['--api-key', MARKER]],
    [[`--api-key=${MARKER}`]],
    [['-e', `GITHUB_TOKEN=${MARKER}`]],
    [['--header', `Authorization: Bearer ${MARKER}`]],
    [['--header', `X-Api-Key:${MARKER}`]],
    [['--config', `{"apiKey": "${MARKER}", "mode": "a"}`]],
    [[`postgres://me:${MARKER}@host/db`]],
    [[`--url=postgres://me:${MARKER}@host/db`]],
    [[`https://host/mcp?api_key=${MARKER}`]],
    [[`--url=https://host/mcp?auth=${MARKER}`]],
  ])('a key is known in %j', (args) => {
    expect(secretsOfProgram({ env: {}, args })).toContain(MARKER);
  });

  test('what has the form of a key is known as one', () => {
    expect(secretsOfProgram({ env: {}, args: ['x', KEY_OF_A_FORM] })).toEqual([KEY_OF_A_FORM]);
  });

  test.each([
    [['-y', '@scope/server-filesystem', '/tmp/a/folder']],
    [['--key-file', '/home/me/the.key']],
    [['--key-file=/home/me/the.key']],
    [['--max-tokens', '16000000']],
    [['--token', 'none']],
    [['--api-key', '--verbose-output']],
    [['--url', 'https://host/mcp?mode=read-only-1']],
    [['--mode=read-only-1', 'C:\\data\\folder-1']],
  ])('nothing of %j is one', (args) => {
    expect(secretsOfProgram({ env: {}, args })).toEqual([]);
  });
});

test('the keys of a server are those of its variables, addresses and headers', () => {
  const env = { API_KEY: MARKER, DATABASE_URL: 'postgres://me:MARKER-of-the-database@host/db', MODE: 'read-only-1' };
  expect(secretsOfProgram({ env, args: [] })).toEqual(expect.arrayContaining([MARKER, 'MARKER-of-the-database']));
  const header = 'MARKER-of-the-header';
  const address = { url: `https://h/mcp?token=${MARKER}`, headers: { A: `Bearer ${header}` } };
  expect(new Set(secretsOfAddress(address))).toEqual(new Set([`Bearer ${header}`, header, MARKER]));
});

test('a variable with the name of a key holds one wherever it stands', () => {
  expect(
    secretsOfVariables(['MY_TOKEN', 'GIT_AUTHOR_NAME', 'NONE_KEY'], { MY_TOKEN: MARKER, GIT_AUTHOR_NAME: 'marker-77' }),
  ).toEqual([MARKER]);
});
