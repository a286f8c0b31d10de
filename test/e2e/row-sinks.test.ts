import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { field } from '../../src/words/fields.ts';
import { findBlocks } from '../docs/markdown.ts';
import { type Fields, findProblems } from '../find-problems.ts';
import { startServer } from '../loopback-server.ts';
import { copyProject } from './copy-project.ts';
import { ROOT, readRows, runFolderOf, runVitest } from './run-vitest.ts';

const CONFIG = `
import { defineConfig } from 'vitest/config';
import * as braintrust from './evals/braintrust.ts';
import * as langfuse from './evals/langfuse.ts';
import { viva } from './src/plugin/plugin.ts';
// As libraries do, which batch, and end the process with a code of their own.
let queued = 0;
setInterval(() => queued > 0 && void Promise.reject(new Error('flush 401')), 50).unref();
const each = (name) => async (...given) => {
  process.exitCode = 0;
  queued++;
  await langfuse[name](...given);
  await braintrust[name](...given);
};
export default defineConfig({ plugins: [viva({ onRow: each('onRow'), onEnd: each('onEnd') })] });`;

const EVAL = `
import { defineEval } from 'viva';
await defineEval('capitals', {
  data: Array.from({ length: 120 }, (_, at) => ({ id: 'q' + at, input: { at }, target: at })),
  agent: ({ input }) => ({ output: input.at === 7 ? 0 : input.at }),
  scores: { near: ({ output, target }) => output === target, far: () => 0.5, none: () => null },
});`;

const WHEN = /^20\d\d-\d\d-\d\dT.*Z$/;

/** The fields of Langfuse's two events, and of an event of Braintrust, as their APIs describe them. */
const EVENTS: Readonly<Record<string, Fields>> = {
  'trace-create': {
    id: 'string',
    timestamp: WHEN,
    name: 'string',
    'input?': 'any',
    'output?': 'any',
    'sessionId?': 'string',
    'metadata?': 'any',
  },
  'score-create': { traceId: 'string', name: 'string', value: 'number', 'comment?': 'string' },
};
const toShape = (event: unknown): Fields => ({
  id: 'string',
  type: 'string',
  timestamp: WHEN,
  body: EVENTS[String(field(event, 'type'))] ?? null,
});
type Sent = Readonly<Record<string, unknown>>;

const INSERTED: Fields = {
  id: 'string',
  'input?': 'any',
  'output?': 'any',
  'expected?': 'any',
  'error?': 'any',
  scores: { '*': (value) => (value === null ? null : 'number') },
  'metadata?': { '*': 'any' },
  'metrics?': { '*': 'number' },
};

test('the files for Langfuse and Braintrust send all rows in the form of their APIs', async () => {
  const [events, inserted]: [Sent[], Sent[]] = [[], []];
  const [problems, asked]: [string[], string[]] = [[], []];
  const url = await startServer(async (request, response) => {
    const path = String(request.url);
    const body = JSON.parse(await text(request));
    asked.push(path);
    if (
      request.headers.authorization !==
      (path.startsWith('/api') ? `Basic ${btoa('pk:sk')}` : 'Bearer bt')
    )
      return response.writeHead(401).end('no key');
    if (path === '/api/public/ingestion') {
      problems.push(...findProblems({ batch: [toShape] }, body, 'langfuse'));
      events.push(...body.batch);
      return response.writeHead(207).end('{"successes":[],"errors":[]}');
    }
    if (path.endsWith('/insert')) {
      problems.push(...findProblems({ events: [INSERTED] }, body, 'braintrust'));
      inserted.push(...body.events);
    }
    return response.end(JSON.stringify({ id: path === '/v1/project' ? 'p' : `e-${body.name}` }));
  });
  const project = copyProject();
  const page = readFileSync(join(ROOT, 'docs/exports.md'), 'utf8');
  for (const { marks, text: code } of findBlocks(page)) {
    const file = marks.get('file') ?? '';
    if (/langfuse|braintrust/.test(file)) writeFileSync(join(project, file), code);
  }
  writeFileSync(join(project, 'vitest.config.ts'), CONFIG);
  writeFileSync(join(project, 'evals/capitals.eval.ts'), EVAL);
  const keys = ['LANGFUSE_PUBLIC_KEY=pk', 'LANGFUSE_SECRET_KEY=sk', 'BRAINTRUST_API_KEY=bt'];
  const places = [`LANGFUSE_BASE_URL=${url}`, `BRAINTRUST_API_URL=${url}`];
  writeFileSync(join(project, '.env'), [...keys, ...places].join('\n'));
  const { output, dir, code } = await runVitest(['run', 'capitals.eval'], {}, { cwd: project });
  expect(output).not.toMatch(/^ *on(?:Row|End) failed/m);
  expect(output).toMatch(
    /What runs beside onRow and onEnd failed .*first: vitest\.config\.ts: flush 401\. It changes no figure/,
  );
  expect(code).toBe(1);
  const rows = readRows(runFolderOf(dir));
  expect(rows).toHaveLength(120);
  expect(problems).toEqual([]);
  const ids = rows.map(({ id }) => id);
  const traces = events.filter(({ type }) => type === 'trace-create');
  expect(traces.map(({ body }) => field(body, 'name'))).toEqual(ids.map((id) => `capitals ${id}`));
  expect(events).toHaveLength(120 * 4);
  expect(inserted.map(({ input }) => input)).toEqual(
    ids.map((id) => ({ at: Number(id.slice(1)) })),
  );
  expect(inserted[7]).toMatchObject({
    output: 0,
    expected: 7,
    scores: { correct: 0, near: 0, far: 0.5, none: null },
  });
  // In parts, the first of them while the run goes on or before its end.
  expect(asked.filter((path) => path.startsWith('/api'))).toHaveLength(3);
  expect(asked.filter((path) => path.endsWith('/insert'))).toHaveLength(2);
});
