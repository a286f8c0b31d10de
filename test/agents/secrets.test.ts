import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, runVitest } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';
import { APIS } from './apis.ts';
import { SECRET } from './ask-agent.ts';
import { startScriptedServer } from './scripted-server.ts';

const OTHER = 'other-provider-0123456789';
const PASSWORD = 'pass-phrase-77';
const SHORT = 'Qx7-aB3dE5fG7hJ9kL1m';

/** Runs one question and gives everything that a user may pass on: output, names of files and folders, contents. */
async function runShown(env: Readonly<Record<string, string>>) {
  const keys = { OPENAI_API_KEY: SECRET, ANTHROPIC_API_KEY: SECRET, OTHER_API_KEY: OTHER };
  const run = await runVitest(['run', 'evals/gaia'], { EVAL_LIMIT: '1', ...keys, ...env });
  const entries = readdirSync(run.dir, { recursive: true, withFileTypes: true });
  const names = entries.map((entry) => join(entry.parentPath, entry.name));
  const files = entries.filter((entry) => entry.isFile());
  const contents = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  return { ...run, shown: [run.output, ...names, ...contents].join('\n') };
}

describe('a key or password', { timeout: 60_000 }, () => {
  test.each([
    ['answer', `echo "FINAL ANSWER: $OTHER_API_KEY"`],
    ['JSON', `printf '{"text": "%s"}' "$OTHER_API_KEY"`],
    ['message', `echo "it was $OTHER_API_KEY" >&2; exit 1`],
  ])('of any provider is hidden in the %s of a command', async (_, line) => {
    const { shown } = await runShown({ EVAL_AGENT: `command:${line}` });
    expect(shown).toContain('[key]');
    expect(shown).not.toContain(OTHER);
  });

  test.each([
    [
      'the start of what a command wrote',
      toScript(`printf '%s ' "$SHORT_KEY" >&2; head -c 1980 /dev/zero | tr '\\0' y >&2; exit 3`),
    ],
    [
      'the end of a quoted value',
      toModule(`{ text: 'x', cost: 'y'.repeat(101) + process.env.SHORT_KEY + 'z'.repeat(400) }`),
    ],
    [
      'the end of a quoted value, as JSON',
      toModule(`{ text: 'x', cost: { a: 'y'.repeat(95) + process.env.SHORT_KEY } }`),
    ],
    ['the end of a name', toModule(`{ text: 'x', ['y'.repeat(41) + process.env.SHORT_KEY]: 1 }`)],
  ])('that is short is hidden where a limit has cut it: %s', async (_, [name, source]) => {
    const kind = name.endsWith('.sh') ? 'command:sh ' : 'module:';
    const agent = `${kind}${join(makeFolder({ [name]: source }), name)}`;
    const { shown } = await runShown({ EVAL_AGENT: agent, SHORT_KEY: SHORT });
    expect(shown).toContain('[key]');
    expect(shown).not.toContain(SHORT.slice(0, 10));
    expect(shown).not.toContain(SHORT.slice(-10));
  });

  test.each(APIS)('is hidden in what $kind is told by its server, also that of another provider', async (api) => {
    const server = await startScriptedServer([
      api.calculate(JSON.stringify(`${OTHER} ${SECRET}`)),
      { status: 400, body: { error: { message: `${OTHER} and ${SECRET} are wrong` } } },
    ]);
    const base = `base_url=${api.base(server.url)}`;
    const { shown } = await runShown({ EVAL_AGENT: `${api.kind}:m?${base}` });
    expect(shown).toContain('[key] and [key] are wrong');
    expect(shown).toContain('= [key] [key]');
    expect(shown).not.toContain(OTHER);
    expect(shown).not.toContain(SECRET);
  });

  test.each(APIS)('in the base URL of $kind is refused and not shown', async ({ kind, base }) => {
    const url = base(`http://me:${PASSWORD}@127.0.0.1:9`);
    const byName = await runShown({ EVAL_AGENT: `${kind}:m?base_url=${encodeURIComponent(url)}` });
    const environment = { OPENAI_BASE_URL: url, ANTHROPIC_BASE_URL: url };
    const byEnvironment = await runShown({ EVAL_AGENT: `${kind}:m`, ...environment });
    for (const { code, output, shown } of [byName, byEnvironment]) {
      expect(code).toBe(1);
      expect(output).toContain('http://[key]@127.0.0.1:9');
      expect(shown).not.toContain(PASSWORD);
    }
    expect(byEnvironment.output).toContain('holds a user or password');
  });

  test('in the query of a base URL works and is not shown', async () => {
    const [api] = APIS;
    const server = await startScriptedServer([api?.text('FINAL ANSWER: 1') ?? { fault: 'reset' }]);
    const agent = `openai:m?base_url=${server.url}/v1?api-key=${PASSWORD}`;
    const { shown } = await runShown({ EVAL_AGENT: agent });
    expect(server.requests[0]?.path).toBe(`/v1/responses?api-key=${PASSWORD}`);
    expect(shown).toContain('api-key=[key]');
    expect(shown).not.toContain(PASSWORD);
  });

  test('is not shown by the doctor either', () => {
    const words = [join(ROOT, 'src/cli/index.ts'), 'doctor', '--yes'];
    const shown = spawnSync(process.execPath, words, {
      cwd: ROOT,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], OTHER_API_KEY: OTHER, EVAL_AGENT: 'command:echo "It is $OTHER_API_KEY"' },
    }).stdout;
    expect(shown).toContain('It is [key]');
    expect(shown).not.toContain(OTHER);
  });
});

function toScript(line: string): readonly [string, string] {
  return ['agent.sh', line];
}

function toModule(answer: string): readonly [string, string] {
  return ['agent.mjs', `export default () => (${answer});`];
}
