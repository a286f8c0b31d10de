import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { findMcp } from './find-mcp.ts';

const file = (name: string) => JSON.stringify({ mcpServers: { [name]: { command: 'x' } } });

test.each([
  [null, ['usual']],
  ['other.json', ['other']],
  ['off', null],
])('with EVAL_MCP %j a project that has .mcp.json uses %j', (setting, names) => {
  const root = makeFolder({ '.mcp.json': file('usual'), 'other.json': file('other') });
  expect(findMcp(setting, root, {})?.servers.map(({ name }) => name) ?? null).toEqual(names);
});

test('a project without .mcp.json uses none', () => {
  expect(findMcp(null, makeFolder(), {})).toBeNull();
});

test('a file that was named and is not there is an error', () => {
  expect(() => findMcp('none.json', makeFolder(), {})).toThrow(/EVAL_MCP: .*none\.json cannot be read/);
});
