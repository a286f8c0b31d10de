import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { toResult } from '../metrics/result.fixture.ts';
import { toTracePath, writeTrace } from './trace-file.ts';

const key = { suite: 'gaia', agent: 'openai:m?temperature=0', id: 'q 1', trial: 2 };

describe('a trace', () => {
  test('lies below its suite and agent', () => {
    expect(toTracePath(key)).toMatch(/^traces\/gaia\/openai-m-temperature-0\/q-1-[0-9a-f]{8}\.2\.json$/);
  });

  test.each([[{ id: 'q-1' }], [{ agent: 'openai:m?temperature-0' }], [{ trial: 3 }]])(
    'has a file of its own, apart from %j',
    (other) => {
      expect(toTracePath({ ...key, ...other })).not.toBe(toTracePath(key));
    },
  );

  test.each(['../../etc/passwd', '..', '/', '\u0000', 'a'.repeat(500)])('stays in its folder for the id %j', (id) => {
    expect(toTracePath({ ...key, id, suite: id, agent: id })).toMatch(
      /^traces\/[\w.-]{1,60}\/[\w.-]{1,60}\/[\w.-]{1,80}$/,
    );
    expect(toTracePath({ ...key, id, suite: id, agent: id })).not.toContain('..');
  });

  test('holds the steps and what came of them', () => {
    const folder = makeFolder();
    const steps = [{ text: 'x', reasoning: null, tool_calls: [], stop: 'stop', usage: null }];
    const result = toResult('correct', { id: 'q1' });
    writeTrace(folder, result, steps);
    const written: unknown = JSON.parse(readFileSync(join(folder, toTracePath(result)), 'utf8'));
    expect(written).toMatchObject({ version: 1, id: 'q1', state: result.state, output: result.output, steps });
    expect(written).not.toHaveProperty('target');
  });
});
