import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { makeZip } from '../../test/make-zip.ts';

const at = (path: string) => new URL(path, import.meta.url).href;

/**
 * A program that, for each call of a tool, takes all files but `spare` that it may open, and calls
 * it; and again with files to spare.
 */
const CALL_WITHOUT_FILES = `
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import { runTool } from '${at('./tool.ts')}';
import { calculate } from '${at('./calculate.ts')}';
import { readAttachment } from '${at('./read-attachment.ts')}';
import { createFetchPage } from '${at('./web/fetch-page.ts')}';
import { openServer } from '${at('./mcp/server.ts')}';

const [folder, calls] = process.argv.slice(1);
const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>done</p>'));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const site = 'http://127.0.0.1:' + server.address().port;
const attachments = ['a.txt', 'b.zip'].map((name) => ({ name, path: folder + '/' + name }));
const args = ['${at('../../test/mcp/odd-server.ts').replace('file://', '')}'];
const odd = { kind: 'stdio', name: 'odd', command: process.execPath, args, env: {}, cwd: '/', secrets: [] };
const startServer = { name: 'start_server', run: () => openServer(odd).then(({ name, close }) => close().then(() => name)) };
const tools = [calculate, readAttachment, createFetchPage({ isAllowed: () => true }), startServer];

async function call(name, asked) {
  const end = new AbortController();
  const context = { signal: end.signal, attachments, giveUp: (error) => end.abort(error) };
  return runTool(tools, name, JSON.stringify(asked).replace('SITE', site), context).then(({ output }) => ({ output }), ({ kind, message }) => ({ kind, message }));
}

async function callTwice([name, asked, spare]) {
  const taken = [];
  try { for (;;) taken.push(openSync('/dev/null')); } catch {}
  for (const file of taken.splice(0, spare)) closeSync(file);
  const without = await call(name, asked);
  for (const file of taken) closeSync(file);
  return [without, await call(name, asked)];
}
const results = [];
for (const asked of JSON.parse(calls)) results.push(await callTwice(asked));
console.log(JSON.stringify(results));
process.exit();
`;

/** A file that looks like a docx; only the reader in a separate process sees that it is broken. */
const DOCUMENT = makeZip({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '<a/>' });

/** A tool, what it is asked, how many files are to spare, and its output where there are enough. */
const CALLS = [
  ['calculate', { code: '17' }, 0, '= 17'],
  ['read_attachment', { name: 'a.txt' }, 0, expect.stringContaining('done')],
  ['read_attachment', { name: 'b.zip' }, 1, expect.stringContaining('"b.zip"')],
  ['fetch_page', { url: 'SITE' }, 0, expect.stringContaining('done')],
  ['start_server', {}, 0, 'odd'],
  ['start_server', {}, 6, 'odd'],
] as const;

test('a tool without a file to spare ends the sample by the machine, and runs later', () => {
  const folder = makeFolder({ 'a.txt': 'done\n', 'b.zip': DOCUMENT });
  const shell = ['-c', 'ulimit -n 100; exec "$@"', 'sh', process.execPath];
  const program = ['--input-type=module', '-e', CALL_WITHOUT_FILES];
  const printed = execFileSync('/bin/sh', [...shell, ...program, folder, JSON.stringify(CALLS)], {
    encoding: 'utf8',
  });
  const machine = { kind: 'machine', message: expect.stringMatching(/EMFILE.* run again\.$/) };
  expect(JSON.parse(printed)).toEqual(CALLS.map(([, , , output]) => [machine, { output }]));
});
