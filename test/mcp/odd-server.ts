import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/*
 * An MCP server over stdio that goes wrong as its first argument says; the second names a file that
 * gets the number of each process it starts. It speaks the protocol by hand, since no library would
 * let it do what it does.
 */

const [mode = 'good', log] = process.argv.slice(2);

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: Record<string, unknown> };
};

const tool = (name: string, rest: object = {}) => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  ...rest,
});

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const KEY = process.env['API_KEY'] ?? '';

const LISTS: Readonly<Record<string, object>> = {
  'many tools': { tools: Array.from({ length: 1_000 }, (_, index) => tool(`t${index}`)) },
  'no object': { tools: [tool('a', { inputSchema: { type: 'string' } })] },
  'long description': {
    tools: [
      tool('a', { description: 'd'.repeat(20_000) }),
      tool('b', { description: `${'d'.repeat(20_001)}tail` }),
    ],
  },
  'hostile names': {
    tools: [
      ...['__proto__', 'constructor', '\u001b[2J', '\ud800', '../../x', 'n'.repeat(10_000)].map(
        (name) => tool(name, { description: '\u001b[2J\u0000\ud800'.repeat(10_000) }),
      ),
      ...['die', 'hang', 'large', 'garbage', 'flood', 'leave', 'hostile', 'nonsense', 'echo'].map(
        (name) => tool(name),
      ),
    ],
  },
  'key everywhere': {
    tools: [
      tool(`echo ${KEY}`, {
        title: KEY,
        description: `does ${KEY}`,
        inputSchema: {
          type: 'object',
          properties: { text: { type: 'string', default: KEY, enum: [KEY, { deep: [KEY] }] } },
        },
      }),
      ...['values', 'die'].map((name) => tool(name)),
    ],
  },
  'endless list': { tools: [], nextCursor: 'again' },
  'no name': { tools: [{ inputSchema: { type: 'object' } }] },
};

const RESULTS: Readonly<Record<string, (args: Record<string, unknown>) => unknown>> = {
  echo: ({ text }) => ({ content: [{ type: 'text', text: `you said ${text}` }] }),
  key: () => ({ content: [{ type: 'text', text: `the key is ${KEY}` }] }),
  environment: () => ({
    content: [{ type: 'text', text: Object.keys(process.env).toSorted().join() }],
  }),
  values: () => ({ content: [{ type: 'text', text: JSON.stringify(process.env) }] }),
  named: () => ({
    content: [{ type: 'resource', resource: { uri: `x://${KEY}.png`, blob: PNG } }],
  }),
  pid: () => ({ content: [{ type: 'text', text: String(process.pid) }] }),
  fail: () => ({ isError: true, content: [{ type: 'text', text: 'that went wrong' }] }),
  nothing: () => ({ content: [] }),
  structured: () => ({ content: [], structuredContent: { a: 1 } }),
  structured_key: () => ({
    content: [],
    structuredContent: { a: [KEY, { deep: `it is ${KEY}.` }] },
  }),
  nonsense: () => ({ content: 'not a list' }),
  broken: () => ({ content: [{ type: 'image', mimeType: 'image/png', data: '<not base64>' }] }),
  files: () => ({
    content: [
      { type: 'image', mimeType: 'image/png', data: PNG },
      { type: 'image', mimeType: 'image/png', data: PNG.slice(0, 20) },
      { type: 'image', mimeType: 'image/tiff', data: 'SUkqAAA=' },
      { type: 'audio', mimeType: 'audio/wav', data: 'UklGRgAAAABXQVZF' },
      { type: 'resource', resource: { uri: 'x://a', text: 'inside' } },
      { type: 'resource', resource: { uri: 'x://b.txt', blob: 'aGk=' } },
      { type: 'resource_link', uri: 'x://c', name: 'elsewhere' },
    ],
  }),
  die: () => process.exit(3),
  hang: () => null,
  endless: () => {
    writeWithoutEnd();
    return null;
  },
  large: () => ({ content: [{ type: 'text', text: 'é'.repeat(1_000_000) }] }),
  garbage: () => {
    process.stdout.write('}{\n{"jsonrpc": "2.0", "id": 9999, "result": {}}\n[]\n\u0000\n');
    return { content: [{ type: 'text', text: 'at last' }] };
  },
  flood: () => {
    process.stdout.write('all work and no play\n'.repeat(200));
    return { content: [{ type: 'text', text: 'at last' }] };
  },
  leave: () => {
    setTimeout(() => process.exit(0), 20);
    return { content: [{ type: 'text', text: 'goodbye' }] };
  },
  hostile: () => ({ content: [{ type: 'text', text: '\u001b[2J\u0000\ud800\u202e' }] }),
};

if (log !== undefined) appendFileSync(log, `${process.pid}\n`);
if (mode === 'dies') {
  process.stderr.write(`cannot go on without API_KEY=${KEY}\n`);
  process.exit(7);
}
if (mode === 'stubborn') process.on('SIGTERM', () => {});
if (mode === 'family' || mode === 'stubborn') {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    stdio: 'ignore',
  });
  if (log !== undefined) appendFileSync(log, `${child.pid}\n`);
}
if (mode === 'chatty') process.stdout.write('Server ready\n{"hello":\n\n');
if (mode === 'babbling')
  setInterval(() => process.stdout.write('all work and no play\n'.repeat(50)), 10);
if (mode === 'endless line') writeWithoutEnd();
// Unless it is told to end, it outlives its input.
if (mode === 'stubborn') setInterval(() => {}, 1_000);

createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line)));

/** One line that never ends, as fast as it is read. */
function writeWithoutEnd(): void {
  const write = () => process.stdout.write('x'.repeat(1_000_000), write);
  write();
}

function answer({ id, method, params }: Message): void {
  if (id === undefined || mode === 'babbling') return;
  const result = resultOf(method ?? '', params);
  const reply = () => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  if (result !== null) reply();
}

function resultOf(method: string, params: Message['params'] = {}): unknown {
  if (method === 'initialize') {
    const serverInfo = { name: 'odd', version: mode === 'key everywhere' ? `1 ${KEY}` : '1.2.3' };
    return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo };
  }
  if (method === 'tools/list')
    return LISTS[mode] ?? { tools: Object.keys(RESULTS).map((name) => tool(name)) };
  const { name = '', arguments: args = {} } = params;
  if (name === `echo ${KEY}`)
    return { content: [{ type: 'text', text: 'called by its own name' }] };
  if (!Object.hasOwn(RESULTS, name))
    return { isError: true, content: [{ type: 'text', text: 'no such tool' }] };
  return RESULTS[name]?.(args) ?? null;
}
