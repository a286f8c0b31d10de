import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { APIS, specOf } from '../agents/apis.ts';
import { SECRET } from '../agents/ask-agent.ts';
import { type SeenRequest, startScriptedServer } from '../agents/scripted-server.ts';
import { makeFolder } from '../make-folder.ts';
import { html, startSite } from '../page-site.ts';
import { ROOT, readRows, runFolderOf, runVitest } from './run-vitest.ts';

const require = createRequire(import.meta.url);
const FILESYSTEM = dirname(require.resolve('@modelcontextprotocol/server-filesystem/package.json'));
const LEAK = 'https://huggingface.co/datasets/gaia-benchmark/GAIA';

/**
 * Three questions: for a page of this site, for an attached file, and for what a refused page says.
 */
function writeDataset(site: string): string {
  const questions = [
    { task_id: 'page', Question: `What does tea cost at ${site}/prices ?`, 'Final answer': '2.5' },
    {
      task_id: 'file',
      Question: 'Which code is in the file?',
      'Final answer': '4711',
      file_name: 'note.txt',
    },
    { task_id: 'leak', Question: 'What is in GAIA?', 'Final answer': 'ZANZIBAR' },
  ];
  const steps = { 'Annotator Metadata': { Steps: 'ZANZIBAR' } };
  const lines = questions.map(
    (record) => `${JSON.stringify({ Level: 1, file_name: '', ...steps, ...record })}\n`,
  );
  return join(
    makeFolder({ 'note.txt': 'the code is 4711\n', 'metadata.jsonl': lines.join('') }),
    'metadata.jsonl',
  );
}

/** A model that calls the tool that a question needs, and answers with what the tool said. */
function solve({ body }: SeenRequest, { text, call }: (typeof APIS)[number]) {
  const request = JSON.stringify(body).replaceAll('\\', '');
  if (request.includes('tea | 2.5')) return text('FINAL ANSWER: 2.5');
  if (request.includes('the code is 4711')) return text('FINAL ANSWER: 4711');
  if (request.includes('leak guard')) return text('FINAL ANSWER: nothing');
  const page = /http:\/\/127\.0\.0\.1:\d+\/prices/.exec(request)?.[0];
  if (page !== undefined) return call('fetch_page', { url: page });
  const folder = /in the folder (\S+), for tools/.exec(request)?.[1];
  if (folder !== undefined)
    return call('files__read_text_file', { path: join(folder, 'attachment.txt') });
  return call('fetch_page', { url: LEAK });
}

test('each API solves questions with a page, an MCP tool and the leak guard, from start to report', async () => {
  const site = await startSite({
    '/prices': html(
      '<table><tr><th>drink</th><th>price</th></tr><tr><td>tea</td><td>2.5</td></tr></table>',
    ),
  });
  const servers = await Promise.all(
    APIS.map((api) => startScriptedServer((request) => solve(request, api))),
  );
  const agents = APIS.map(
    ({ kind, base }, index) => `${specOf(kind)}?base_url=${base(servers[index]?.url ?? '')}`,
  );
  const files = {
    command: process.execPath,
    args: [join(FILESYSTEM, 'dist/index.js'), '$' + '{ROOT:-/nowhere}'],
  };
  const mcp = join(
    makeFolder({ 'mcp.json': JSON.stringify({ mcpServers: { files } }) }),
    'mcp.json',
  );
  const env = {
    EVAL_GAIA: writeDataset(site.url),
    EVAL_AGENT: agents.join(),
    EVAL_MCP: mcp,
    EVAL_KEEP_WORKDIR: 'all',
    ROOT: tmpdir(),
    OPENAI_API_KEY: SECRET,
    ANTHROPIC_API_KEY: SECRET,
  };
  const run = await runVitest(['run', 'evals'], env, { cwd: join(ROOT, 'test/fixtures/tools') });
  const folder = runFolderOf(run.dir);
  const rows = readRows(folder).map((row) => [
    row.id,
    row.state,
    row.steps,
    row.model,
    row.usage?.input_tokens,
  ]);
  const model = 'scripted-model-2026';
  expect(rows.toSorted(), run.report).toEqual([
    ...APIS.map(() => ['file', 'correct', 2, model, 200]),
    ...APIS.map(() => ['leak', 'incorrect', 2, model, 200]),
    ...APIS.map(() => ['page', 'correct', 2, model, 200]),
  ]);
  const { suites } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const own = ['calculate', 'read_attachment', 'fetch_page'];
  expect(suites[0].agent_notes[0].text).toMatch(
    /^tools: calculate, read_attachment, fetch_page, MCP server files \S+ \(\d+ tools\)\.$/,
  );
  expect(suites[0].tools).toMatchObject(
    agents.map((agent) => ({ agent, own, leak_guard: 'in part' })),
  );
  expect(suites[0].tools[0].mcp[0].tools).toContain('files__read_text_file');
  const written = globSync(join(folder, 'traces/**/*.json')).map((file) =>
    readFileSync(file, 'utf8'),
  );
  const traces = written.map((text) => JSON.parse(text)).filter(({ id }) => id === 'file');
  const prompt = expect.stringMatching(
    /Which code is in the file\?[\s\S]*in the folder \S+, for tools that take a path\.$/,
  );
  const tools = expect.arrayContaining([...own, 'files__read_text_file']);
  const result = expect.stringContaining('the code is 4711');
  expect(traces).toMatchObject(
    APIS.map(() => ({
      sent: { messages: [{ role: 'user', text: prompt }], tools },
      steps: [
        { tool_calls: [{ result, at_ms: expect.any(Number) }] },
        { text: 'FINAL ANSWER: 4711' },
      ],
    })),
  );
  // No request and no trace shows an expected answer, or what the annotators did.
  expect(JSON.stringify([servers.map(({ requests }) => requests), written])).not.toContain(
    'ZANZIBAR',
  );
});
