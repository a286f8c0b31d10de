import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { APIS } from '../agents/apis.ts';
import { type Reply, type SeenRequest, startScriptedServer } from '../agents/scripted-server.ts';
import { ROOT, readRows, runVitest, writeReports } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';
import { startViva } from '../run-shell.ts';
import { faultSettings } from './run-faults.ts';

/** Keys in the forms of their providers; none of them opens anything. */
const SECRETS = {
  OPENAI_API_KEY: 'sk-proj-MARKERopenai0123456789abcdef',
  ANTHROPIC_API_KEY: 'sk-ant-api03-MARKERanthropic0123456789',
  HF_TOKEN: 'hf_MARKERhubabcdefghij0123456789',
  GITHUB_TOKEN: 'ghp_MARKERgithubabcdefghijkl0123456789',
  SOME_SERVICE_KEY: 'MARKER_of_some_service_0123456789_abcdef',
  AWS_ACCESS_KEY_ID: 'MARKERAKID0123456789',
  DB_PASS: 'MARKpass1',
  GITHUB_PAT: 'MARKERpat-12345',
  MY_CREDENTIAL: 'MARKERcredential-1',
  OPENAI_API_KEY_2: 'MARKERsecond-12345',
  SHORT_API_KEY: 'mark12345',
  LETTERS_API_KEY: 'markerletters',
  CUT_KEY: 'Qx7-aB3dE5fG7hJ9kL1m',
} as const;
const PASSWORD = 'MARKERpassphrase-77';
const MCP_KEY = 'MARKER-of-the-mcp-server-0123456789';
const PRIVATE = 'MARKERofAPrivateKey0123456789abcdefABCDEF+/0123456789abcdefABCDE';
const HEADER = 'MARKER-of-a-header-0123456789';
const MARKERS: readonly string[] = [...Object.values(SECRETS), PASSWORD, MCP_KEY, PRIVATE, HEADER];

/** Variables in which a key is only a part. */
const CARRIERS = {
  GCP_SERVICE_ACCOUNT: JSON.stringify({
    private_key: `-----BEGIN PRIVATE KEY-----\n${PRIVATE}\n-----END PRIVATE KEY-----`,
  }),
  OTEL_EXPORTER_OTLP_HEADERS: `x-team=${HEADER}`,
  SLACK_WEBHOOK_URL: `https://127.0.0.1:9/${HEADER}`,
};

const QUESTIONS = ['answer', 'error', 'cut', 'tool', 'later'];

/** A server that says the key which it was sent, and that of another provider, wherever it can. */
function reply({ path, headers, body }: SeenRequest): Reply {
  const api = APIS.find(({ kind }) => kind === kindOf(path));
  const text = JSON.stringify(body);
  const told = `${headers.authorization ?? headers['x-api-key']} ${Object.values(SECRETS).join(' ')}`;
  if (api === undefined) return { status: 404, body: { error: { message: told } } };
  if (text.includes('What is answer?')) return api.text(`FINAL ANSWER: ${told}`);
  if (text.includes('What is error?')) {
    const named = {
      'x-request-id': SECRETS.SOME_SERVICE_KEY,
      'request-id': SECRETS.SOME_SERVICE_KEY,
    };
    return { status: 400, headers: named, body: { error: { message: told, type: told } } };
  }
  if (text.includes('What is cut?'))
    return {
      status: 400,
      body: { error: { message: `${'x'.repeat(560)} ${SECRETS.SOME_SERVICE_KEY}` } },
    };
  // The tool's result is the environment of the MCP server.
  return text.includes('API_KEY') ? api.text(`FINAL ANSWER: ${text}`) : api.call('odd__values', {});
}

function kindOf(path: string): string {
  if (path.includes('chat/completions')) return 'openai-chat';
  return path.includes('messages') ? 'anthropic' : 'openai';
}

test('no key is in anything that a run writes, prints or sends on', async () => {
  const server = await startScriptedServer(reply);
  const out = makeFolder();
  const command = join(ROOT, 'test/mcp/odd-server.ts');
  const log = join(makeFolder(), 'starts');
  const odd = {
    command: process.execPath,
    args: [command, 'key everywhere', log],
    env: { API_KEY: MCP_KEY },
  };
  const folder = makeFolder({ 'mcp.json': JSON.stringify({ mcpServers: { odd } }), ...CUT });
  const fixtures = './test/fixtures/faults-secrets';
  const agents = [
    'openai:m',
    'openai-chat:m',
    'anthropic:m',
    `command:sh ${fixtures}/agent.sh`,
    `module:${fixtures}/agent.ts`,
    ...Object.keys(CUT).map(
      (name) => `${name.endsWith('.sh') ? 'command:sh ' : 'module:'}${folder}/${name}`,
    ),
  ];
  const children = join(out, 'children');
  const env = {
    ...faultSettings(QUESTIONS, agents.join()),
    ...SECRETS,
    ...CARRIERS,
    EVAL_MCP: join(folder, 'mcp.json'),
    EVAL_KEEP_WORKDIR: 'all',
    EVAL_STREAM: '1',
    OPENAI_BASE_URL: `${server.url}/v1?api-key=${PASSWORD}`,
    ANTHROPIC_BASE_URL: server.url,
    DATABASE_URL: `postgres://me:${PASSWORD}@127.0.0.1:9/none`,
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: join(out, 'step-summary.md'),
    FAULT_CHILDREN: children,
  };
  const reporters = writeReports(out, 'json', 'junit', 'blob');
  const run = await runVitest(['run', 'evals/gaia', '--reporter=default', ...reporters], env);

  const rows = readRows(join(run.dir, 'latest'));
  expect(rows).toHaveLength(QUESTIONS.length * agents.length);
  expect(
    rows.filter(({ output, error }) => /\[key\]/.test(`${output} ${error?.message}`)).length,
  ).toBeGreaterThan(10);
  expect(rows.filter(({ error }) => error?.request_id === '[key]').length).toBeGreaterThan(3);
  expect(run.report).toContain('nobody waits for this: [key]');
  for (const text of [
    'it starts with [key]',
    'it writes [key]',
    '[[key]] Warning: it warns of [key]',
  ]) {
    expect(run.output).toContain(text);
  }

  // A work folder is kept without the files that contain a key.
  const kept = readdirSync(join(run.dir, 'latest/workspace'), { recursive: true }).map(String);
  expect(kept.filter((path) => path.endsWith('env.txt'))).toEqual([]);
  expect(kept.length).toBeGreaterThanOrEqual(QUESTIONS.length);
  expect(readdirSync(out).toSorted()).toEqual([
    'blob',
    'children',
    'json',
    'junit',
    'step-summary.md',
  ]);
  const leaks = [
    ...leaksIn(run.output).map((leak) => `output: ${leak}`),
    ...leaksBelow(run.dir),
    ...leaksBelow(out),
  ];
  expect(leaks).toEqual([]);
  // No model is told another's key, and no child has one that it does not need.
  const bodies = server.requests.map(({ body }) => JSON.stringify(body));
  expect(bodies.filter((body) => /API_KEY[\\":]+\[key\]/.test(body)).length).toBeGreaterThan(0);
  expect(bodies.flatMap(leaksIn)).toEqual([]);
  // All agents share one server.
  expect(readFileSync(log, 'utf8').trim().split('\n')).toHaveLength(1);
  expect(new Set(readFileSync(children, 'utf8').trim().split('\n'))).toEqual(new Set(['checked']));
});

/** Agents whose messages viva cuts within a key. */
const CUT = {
  'stderr.sh': `printf '%s ' "$CUT_KEY" >&2; head -c 1980 /dev/zero | tr '\\0' y >&2; exit 3`,
  'value.mjs':
    "export default () => ({ output: 'x', costUsd: 'y'.repeat(101) + process.env.CUT_KEY + 'z'.repeat(400) });",
  'json.mjs':
    "export default () => ({ output: 'x', costUsd: { a: 'y'.repeat(95) + process.env.CUT_KEY } });",
  'name.mjs': "export default () => ({ output: 'x', ['y'.repeat(41) + process.env.CUT_KEY]: 1 });",
};

/** Says its key as it is loaded, past `console`. */
const KEY = 'process.env.SOME_SERVICE_KEY';
const PRINTS = `process.stdout.write('it writes ' + ${KEY} + '\\n'); process.emitWarning('w ' + ${KEY}); console.log(${KEY});`;

test('doctor shows no key of modules that have one in their name, fail at their import or export no agent', async () => {
  const folder = makeFolder({
    'named.mjs': `${PRINTS} export default { name: 'agent ' + ${KEY}, answer: () => 'FINAL ANSWER: 17' };`,
    'fails.mjs': `${PRINTS} throw new Error('boot ' + ${KEY}, { cause: new TypeError(${KEY}) });`,
    'none.mjs': `${PRINTS} export default 'no agent ' + ${KEY};`,
  });
  const agents = ['named', 'fails', 'none'].map((name) => `module:${folder}/${name}.mjs`);
  const env = { ...faultSettings(['a'], agents.join()), ...SECRETS };
  const { output: text } = await startViva(['doctor', '--yes'], { cwd: ROOT, env });
  expect(text.match(/it writes \[key\]/g)).toHaveLength(3);
  expect(text).toContain('agent [key] answered in');
  expect(text).toMatch(/fails\.mjs: .+boot \[key\]/);
  expect(leaksIn(text)).toEqual([]);
});

function leaksBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const content = entry.isFile() ? readFileSync(path, 'utf8') : '';
    return leaksIn(`${entry.name} ${content}`).map((leak) => `${entry.name}: ${leak}`);
  });
}

/**
 * What a text has of a key: the whole key, or more than half of it, also where Markdown or JSON
 * escapes a part.
 */
function leaksIn(text: string): readonly string[] {
  const halves = [SECRETS.CUT_KEY.slice(0, 10), SECRETS.CUT_KEY.slice(-10)];
  const pieces = [
    ...halves,
    ...MARKERS.flatMap((marker) => [marker.slice(0, 24), marker.slice(-24), marker]),
  ];
  const plain = text.replaceAll('\\', '');
  return pieces.filter((piece) => text.includes(piece) || plain.includes(piece));
}
