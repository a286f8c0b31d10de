import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openServer, openServers } from '../../src/tools/mcp/server.ts';
import { runTool } from '../../src/tools/tool.ts';
import { LIMITS, oddServer } from './open-odd.ts';

/* Schemas that servers list, through a server of the protocol's own SDK. */

function schemaServer(schemas: object) {
  const args = [join(import.meta.dirname, 'schema-server.ts'), JSON.stringify(schemas)];
  return { ...oddServer('good'), args };
}

const LONG = 'n'.repeat(70);

const ODD = {
  nothing: null,
  bare: { type: 'object' },
  list: { type: 'object', properties: { l: { type: 'array' } } },
  choice: { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  draft3: { properties: { a: { type: 'any', required: true } }, required: true },
  referred: { $ref: '#/definitions/Q', definitions: { Q: { properties: { q: true } } } },
  'odata query': { type: 'object', properties: { $top: { type: 'number' } }, required: ['$top'] },
  'odata?query': { type: 'object', properties: {} },
  [`${LONG}1`]: { type: 'object' },
  [`${LONG}2`]: { type: 'object' },
};

/** What OpenAI and Anthropic want of each tool. */
const FIT = {
  name: expect.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/),
  schema: { type: 'object', properties: expect.any(Object) },
};

test('tools with odd schemas have unique names and fitting schemas, and each is called by its own name and with the arguments as they are', async () => {
  const { tools, close } = await openServer(schemaServer(ODD), LIMITS);
  onTestFinished(close);
  expect(tools).toMatchObject(Object.keys(ODD).map(() => FIT));
  const keys = tools.flatMap(({ schema }) => [
    ...Object.keys(schema),
    ...Object.keys(schema.properties ?? {}),
  ]);
  expect(keys.filter((key) => /^(anyOf|\$ref|\$top)$/.test(key))).toEqual([]);
  const call = (name: string, args: object) =>
    runTool(tools, `odd__${name}`, JSON.stringify(args), {
      signal: new AbortController().signal,
      attachments: [],
    });
  const cases = [
    ['list', { l: [1, { deep: null }] }, 'list', { l: [1, { deep: null }] }],
    ['choice', { b: '', other: 2 }, 'choice', { b: '', other: 2 }],
    ['odata_query', { _top: 3 }, 'odata query', { $top: 3 }],
    ['odata_query_2', { _top: 3 }, 'odata?query', { _top: 3 }],
    [LONG.slice(0, 59), {}, `${LONG}1`, {}],
    [`${LONG.slice(0, 57)}_2`, {}, `${LONG}2`, {}],
  ] as const;
  for (const [name, args, own, received] of cases)
    expect(await call(name, args)).toMatchObject({ output: JSON.stringify([own, received]) });
});

test('a tool that no arguments can fit is refused before the run, with its server', async () => {
  const server = { ...schemaServer({ good: {}, bad: { type: 'string' } }), name: 'files' };
  await expect(openServers({ file: 'm.json', servers: [server] }, LIMITS)).rejects.toThrow(
    'MCP server "files": its tool "bad" cannot be offered to a model: no object of arguments fits its input schema {"type":"string"}.\nCorrect m.json, or set EVAL_MCP=off.',
  );
});
