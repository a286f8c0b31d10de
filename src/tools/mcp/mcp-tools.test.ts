import { describe, expect, test } from 'vitest';
import { callOdd, KEY, openOdd } from '../../../test/mcp/open-odd.ts';
import { toToolName } from './mcp-tools.ts';

describe('an MCP server', { timeout: 30_000 }, () => {
  test('gives its tools under its own name', async () => {
    const { version, tools } = await openOdd('good');
    expect(version).toBe('1.2.3');
    expect(tools.find(({ name }) => name === 'odd__echo')).toMatchObject({
      description: 'does echo',
      schema: { type: 'object', properties: { text: { type: 'string' } } },
      version: '1.2.3',
    });
    expect(await callOdd(tools, 'echo', { text: 'hi' })).toEqual({ output: 'you said hi', media: [], failed: false });
  });

  test('its key is in nothing that it says of itself, and its tools can be called', async () => {
    const { version, tools } = await openOdd('key everywhere');
    expect(version).toBe('1 [key]');
    expect(tools.find(({ name }) => name === 'odd__echo__key_')).toMatchObject({
      description: 'does [key]',
      schema: {
        properties: { of__key_: { default: '_key_', enum: ['_key_', { deep: ['_key_'] }] } },
        required: ['of__key_'],
      },
      version: '1 [key]',
    });
    expect(JSON.stringify([version, tools])).not.toContain(KEY);
    expect((await callOdd(tools, 'echo__key_')).output).toBe('called by its own name');
  });
});

test.each([
  ['files', 'read_file', 'files__read_file'],
  ['my server!', 'a.b/c', 'my_server___a_b_c'],
  ['s', 'x'.repeat(61), `s__${'x'.repeat(61)}`],
])('the tool %s of %s is called %s', (server, name, expected) => {
  expect(toToolName(server, name)).toBe(expected);
});

test('long names are cut and stay different', () => {
  const names = ['a', 'b'].map((end) => toToolName('server', 'x'.repeat(80) + end));
  expect(names.map(({ length }) => length)).toEqual([64, 64]);
  expect(new Set(names).size).toBe(2);
});
