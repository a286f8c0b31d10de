import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAgentSpecs } from '../../src/agents/kinds.ts';
import { runVitest } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';
import { APIS } from './apis.ts';
import { makeAgent } from './ask-agent.ts';
import { responses } from './replies.ts';
import { startScriptedServer } from './scripted-server.ts';

const PASSWORD = 'pass-phrase-77';
const SHORT = 'Qx7-aB3dE5fG7hJ9kL1m';

/** Agents whose messages viva cuts within the key. */
const CUT = {
  'stderr.sh': `printf '%s ' "$SHORT_KEY" >&2; head -c 1980 /dev/zero | tr '\\0' y >&2; exit 3`,
  'value.mjs': "export default () => ({ text: 'x', cost: 'y'.repeat(101) + process.env.SHORT_KEY + 'z'.repeat(400) });",
  'json.mjs': "export default () => ({ text: 'x', cost: { a: 'y'.repeat(95) + process.env.SHORT_KEY } });",
  'name.mjs': "export default () => ({ text: 'x', ['y'.repeat(41) + process.env.SHORT_KEY]: 1 });",
};

test('no half of a key is shown where a limit has cut it, and no key of a base URL', { timeout: 60_000 }, async () => {
  const folder = makeFolder(CUT);
  const server = await startScriptedServer([responses.text('FINAL ANSWER: 1')]);
  const agents = Object.keys(CUT).map((name) => `${name.endsWith('.sh') ? 'command:sh ' : 'module:'}${folder}/${name}`);
  const model = `openai:m?base_url=${server.url}/v1?api-key=${PASSWORD}`;
  const env = { EVAL_AGENT: [...agents, model].join(), EVAL_LIMIT: '1', SHORT_KEY: SHORT, OPENAI_API_KEY: 'none' };
  const { output, dir } = await runVitest(['run', 'evals/gaia'], env);
  expect(server.requests[0]?.path).toBe(`/v1/responses?api-key=${PASSWORD}`);
  // Everything that a user may pass on: output, names of files and folders, contents.
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  const contents = entries.flatMap((entry, index) =>
    entry.isFile() ? [readFileSync(paths[index] ?? '', 'utf8')] : [],
  );
  const shown = [output, ...paths, ...contents].join('\n');
  expect(shown).toContain('api-key=[key]');
  expect(shown.match(/\[key\]/g)?.length).toBeGreaterThan(agents.length);
  for (const part of [SHORT.slice(0, 10), SHORT.slice(-10), PASSWORD]) expect(shown).not.toContain(part);
});

test.each(APIS)('a password in the base URL of $kind is refused and not shown', async ({ kind, base }) => {
  const spec = `${kind}:m?base_url=${base(`http://me:${PASSWORD}@127.0.0.1:9`)}`;
  const problem = await Promise.resolve()
    .then(() => parseAgentSpecs(spec) && makeAgent(spec))
    .catch((error: Error) => error.message);
  expect(problem).toContain('without user and password');
  expect(problem).not.toContain(PASSWORD);
});
