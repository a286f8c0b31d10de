import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { APIS } from '../agents/apis.ts';
import { type SeenRequest, startScriptedServer } from '../agents/scripted-server.ts';
import { makeFolder } from '../make-folder.ts';
import { html, startSite } from '../page-site.ts';
import { readPids, survivors } from '../processes.ts';
import { type Interrupt, ROOT, readRows, runFolderOf, runVitest } from './run-vitest.ts';

const require = createRequire(import.meta.url);
const FILESYSTEM = dirname(require.resolve('@modelcontextprotocol/server-filesystem/package.json'));
const ODD_SERVER = join(ROOT, 'test/mcp/odd-server.ts');

/** Three questions: for a page of this site, for an attached file, and for what a refused page says. */
function writeDataset(site: string): string {
  const folder = makeFolder({ 'note.txt': 'the code is 4711\n' });
  const record = { Level: 1, file_name: '', 'Annotator Metadata': {} };
  const records = [
    { ...record, task_id: 'page', Question: `What does tea cost at ${site}/prices ?`, 'Final answer': '2.5' },
    {
      ...record,
      task_id: 'file',
      Question: 'Which code is in the file?',
      'Final answer': '4711',
      file_name: 'note.txt',
    },
    { ...record, task_id: 'leak', Question: 'What is in GAIA?', 'Final answer': 'nothing' },
  ];
  writeFileSync(join(folder, 'metadata.jsonl'), records.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return join(folder, 'metadata.jsonl');
}

function writeMcpFile(servers: object): string {
  return join(makeFolder({ 'mcp.json': JSON.stringify({ mcpServers: servers }) }), 'mcp.json');
}

const oddServer = (mode: string, log: string) => ({ command: process.execPath, args: [ODD_SERVER, mode, log] });

const LEAK = 'https://huggingface.co/datasets/gaia-benchmark/GAIA';

/** A model that calls the tool that a question needs, and answers with what the tool said. */
function solve({ body }: SeenRequest, { text, call }: (typeof APIS)[number]) {
  const said = JSON.stringify(body).replaceAll('\\', '');
  if (said.includes('tea | 2.5')) return text('FINAL ANSWER: 2.5');
  if (said.includes('the code is 4711')) return text('FINAL ANSWER: 4711');
  if (said.includes('leak guard')) return text('FINAL ANSWER: nothing');
  const page = /http:\/\/127\.0\.0\.1:\d+\/prices/.exec(said)?.[0];
  if (page !== undefined) return call('fetch_page', { url: page });
  const folder = /in the folder (\S+), for tools/.exec(said)?.[1];
  if (folder !== undefined) return call('files__read_text_file', { path: join(folder, 'attachment.txt') });
  return call('fetch_page', { url: LEAK });
}

describe.each(APIS)('a run with $kind', (api) => {
  test('solves questions with a page, an MCP tool and the leak guard', { timeout: 60_000 }, async () => {
    const site = await startSite({
      '/prices': html('<table><tr><th>drink</th><th>price</th></tr><tr><td>tea</td><td>2.5</td></tr></table>'),
    });
    const server = await startScriptedServer((request) => solve(request, api));
    const files = { command: process.execPath, args: [join(FILESYSTEM, 'dist/index.js'), '$' + '{ROOT:-/nowhere}'] };
    const { output, dir } = await runVitest(
      ['run', 'evals'],
      {
        EVAL_GAIA: writeDataset(site.url),
        EVAL_AGENT: `${api.kind}:m`,
        EVAL_MCP: writeMcpFile({ files }),
        EVAL_KEEP_WORKDIR: 'all',
        ROOT: tmpdir(),
        OPENAI_API_KEY: 'none',
        ANTHROPIC_API_KEY: 'none',
        OPENAI_BASE_URL: api.base(server.url),
        ANTHROPIC_BASE_URL: api.base(server.url),
      },
      { cwd: join(ROOT, 'test/fixtures/tools') },
    );
    const folder = runFolderOf(dir);
    const rows = readRows(folder).map(({ id, state }) => [id, state]);
    expect(rows.toSorted()).toEqual([
      ['file', 'correct'],
      ['leak', 'correct'],
      ['page', 'correct'],
    ]);
    expect(output).toMatch(/tools: calculate, read_attachment, fetch_page, MCP server files \S+ \(\d+ tools\)\./);
    const { suites } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    expect(suites[0].tools).toMatchObject([
      { agent: `${api.kind}:m`, own: ['calculate', 'read_attachment', 'fetch_page'], leak_guard: 'in part' },
    ]);
    expect(suites[0].tools[0].mcp[0].tools).toContain('files__read_text_file');
  });
});

type Answer = Parameters<typeof startScriptedServer>[0];

describe('the MCP servers of a run', { timeout: 60_000 }, () => {
  /** Both suites with a model that answers after a while, and a server whose processes are written down. */
  async function run(
    mode: string,
    options: { readonly interrupt?: Interrupt; readonly agent?: string; readonly answer?: Answer } = {},
  ) {
    const log = join(makeFolder(), 'pids');
    const [api] = APIS;
    const model = await startScriptedServer(
      options.answer ?? (() => api?.text('FINAL ANSWER: x') ?? { fault: 'silent' }),
    );
    const env = {
      EVAL_AGENT: options.agent ?? 'openai:m',
      EVAL_LIMIT: '4',
      EVAL_CONCURRENCY: '1',
      EVAL_MCP: writeMcpFile({ odd: oddServer(mode, log) }),
      OPENAI_API_KEY: 'none',
      OPENAI_BASE_URL: `${model.url}/v1`,
    };
    const { interrupt } = options;
    const result = await runVitest(['run', 'evals'], env, interrupt === undefined ? {} : { interrupt });
    return { ...result, log, requests: model.requests };
  }

  test('start once for all suites and end with the run', async () => {
    const { log, requests } = await run('family');
    expect(requests).toHaveLength(8);
    expect(requests[0]?.body.tools.map(({ name }: { name: string }) => name)).toContain('odd__echo');
    const pids = await readPids(log, 3);
    expect(pids).toHaveLength(3);
    expect(await survivors(pids, 5_000)).toEqual([]);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('end with the run on %s', async (signal) => {
    const { log } = await run('stubborn', { interrupt: { signal, afterRows: 1 } });
    expect(await survivors(await readPids(log, 3), 5_000)).toEqual([]);
  });

  test('end with the worker when that is killed', async () => {
    const [api] = APIS;
    const { code, log } = await run('stubborn', { answer: () => api?.call('odd__orphan', {}) ?? { fault: 'silent' } });
    expect(code).toBe(1);
    expect(await survivors(await readPids(log, 3), 5_000)).toEqual([]);
  });

  test('that end at a call twice make its sample an error and no other', async () => {
    const [api] = APIS;
    let asked = 0;
    const answer = () => (asked++ === 0 ? api?.call('odd__die', {}) : api?.text('FINAL ANSWER: x'));
    const { dir } = await run('good', { answer: () => answer() ?? { fault: 'silent' } });
    const errors = readRows(runFolderOf(dir)).filter(({ state }) => state === 'errored');
    expect(errors).toMatchObject([
      { error: { kind: 'server', message: expect.stringContaining('ended twice at a call of "die"') } },
    ]);
  });

  test('that do not start stop the run before anything is asked', async () => {
    const { code, output, log, requests } = await run('dies');
    expect(code).toBe(1);
    expect(output).toMatch(/MCP server "odd": it did not start: .*it ended with exit code 7/);
    expect(output).toContain('or set EVAL_MCP=off');
    expect(requests).toEqual([]);
    expect(await survivors(await readPids(log, 1), 5_000)).toEqual([]);
  });

  test('are not started for an agent that uses no tools of viva', async () => {
    const { report, log } = await run('dies', { agent: 'replay' });
    expect(report).toContain('gaia · sample · replay');
    expect(existsSync(log)).toBe(false);
  });
});
