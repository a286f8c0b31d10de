import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_STEPS } from '../../test/faults/api/faults.ts';
import { makeOurs } from '../overhead/projects.ts';
import { type BenchRecord, makeRecords } from '../overhead/records.ts';
import { API_KINDS, toNote } from './api-kinds.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { kindOf } from './kinds.ts';
import { ownPackages } from './own-packages.ts';
import { type Expected, type Part, toKey } from './part.ts';

const APIS = [
  { kind: 'openai-chat', streamed: true },
  { kind: 'openai', streamed: false },
  { kind: 'anthropic', streamed: true },
].map((api) => ({ ...api, agent: `${api.kind}:soak${api.streamed ? '?stream=on' : ''}` }));

const ODD_SERVER = join(import.meta.dirname, '../../test/mcp/odd-server.ts');

/** One run in which an agent of each API asks a loopback server about all records, with tools and an MCP server. */
export async function makeApiPart(folder: string, count: number): Promise<Part> {
  const records = makeRecords({ count, wrong: 'none' });
  const project = makeOurs(folder, records);
  ownPackages(folder, ['quickjs-emscripten', 'quickjs-emscripten-core']);
  addAttachments(folder);
  const mcp = { mcpServers: { odd: { command: process.execPath, args: [ODD_SERVER] } } };
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify(mcp));
  const server = await startApiServer(records, 30);
  const env = {
    EVAL_AGENT: APIS.map(({ agent }) => agent).join(','),
    EVAL_MCP: 'mcp.json',
    EVAL_MAX_STEPS: String(MAX_STEPS),
    // Calculators start as processes, two at a time: a busy machine must not make their samples late.
    EVAL_TIMEOUT: '40',
    OPENAI_API_KEY: 'soak-key-of-openai',
    ANTHROPIC_API_KEY: 'soak-key-of-anthropic',
    OPENAI_BASE_URL: `${server.url}/v1`,
    ANTHROPIC_BASE_URL: server.url,
  };
  return {
    name: 'API',
    project: { ...project, env: { ...project.env, ...env } },
    expected: APIS.flatMap((api) => records.map((record, index) => toExpected(api, record, index))),
    calls: () => toCounts(server, records),
    findLeft: () => (server.open.size === 0 ? [] : [`${server.open.size} replies are still open`]),
    close: () => server.close(),
  };
}

function toExpected(api: (typeof APIS)[number], { id }: BenchRecord, index: number): Expected {
  const kind = kindOf(API_KINDS, index);
  const { state, reason, calls } = kind.expected(api.kind, api.streamed);
  // What a wrong answer is wrong for is another matter.
  const because = state === 'errored' || state === 'timed_out' ? { reason } : {};
  return { agent: api.agent, id, kind: kind.name, state, calls, ...because };
}

function toCounts({ calls }: ApiServer, records: readonly BenchRecord[]): ReadonlyMap<string, number> {
  const counts = [...calls].map(([key, count]): [string, number] => {
    const [kind, index] = key.split(' ');
    const agent = APIS.find((api) => api.kind === kind)?.agent ?? '';
    return [toKey({ agent, id: records[Number(index)]?.id ?? '' }), count];
  });
  return new Map(counts);
}

/** Gives the questions whose kind reads one an attachment. */
function addAttachments(folder: string): void {
  const split = join(folder, 'data/2023/validation');
  const file = join(split, 'metadata.jsonl');
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const withFiles = lines.map((line, index) => {
    if (kindOf(API_KINDS, index).name !== 'reads') return line;
    const name = `shelf-${index}.txt`;
    writeFileSync(join(split, name), toNote(index));
    return JSON.stringify({ ...JSON.parse(line), file_name: name });
  });
  writeFileSync(file, `${withFiles.join('\n')}\n`);
}
