import * as v from 'valibot';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readOutput } from './grade-output.ts';

const total = z.object({ total: z.coerce.number() });

test.each<[string, Parameters<typeof readOutput>[0], unknown, object]>([
  ['a text', {}, '{"total": 1}', { value: '{"total": 1}' }],
  ['an object', {}, { total: 1 }, { value: { total: 1 } }],
  ['JSON', { output: 'json' }, ' {"total": 1}\n', { value: { total: 1 } }],
  ['JSON null', { output: 'json' }, 'null', { value: null }],
  ['JSON in Markdown', { output: 'json' }, '```json\n{"total": 1}\n```', { value: { total: 1 } }],
  [
    'JSON after a thought',
    { output: 'json' },
    '<think>2?</think>\n{"total": 1}',
    { value: { total: 1 } },
  ],
  [
    'JSON between unseen characters',
    { output: 'json' },
    '\ufeff{"total": 1}\u200b',
    { value: { total: 1 } },
  ],
  [
    'JSON before the mark that ends it',
    { output: 'json' },
    '{"total": 1}<|im_end|>',
    { value: { total: 1 } },
  ],
  [
    'a tag in JSON as data',
    { output: 'json' },
    '{"tag": "a <think> b"}',
    { value: { tag: 'a <think> b' } },
  ],
  [
    'no JSON in an unfinished thought',
    { output: 'json' },
    '<think>{"total": 1}',
    { reason: 'invalid_json', problem: 'the output is not JSON: "<think>{\\"total\\": 1}"' },
  ],
  ['an object that is not text', { output: 'json' }, { total: 1 }, { value: { total: 1 } }],
  [
    'words around JSON',
    { output: 'json' },
    'Here: {"total": 1}',
    { reason: 'invalid_json', problem: 'the output is not JSON: "Here: {\\"total\\": 1}"' },
  ],
  [
    'what a schema changes',
    { output: 'json', schema: { output: total } },
    '{"total": "12", "note": "paid"}',
    { value: { total: 12 } },
  ],
  [
    'what does not fit a schema of zod',
    { schema: { output: total } },
    { total: 'a lot' },
    { reason: 'schema', problem: expect.stringMatching(/does not fit the schema: total: .*NaN/) },
  ],
  [
    'what does not fit a schema of valibot, which waits',
    {
      schema: {
        output: v.pipeAsync(
          v.array(v.string()),
          v.checkAsync(async () => true),
        ),
      },
    },
    ['a', 1],
    {
      reason: 'schema',
      problem: expect.stringMatching(/schema: 1: Invalid type: Expected string/),
    },
  ],
  [
    'JSON that is nested too deep to be walked',
    { output: 'json' },
    `${'['.repeat(6_000)}${']'.repeat(6_000)}`,
    { reason: 'invalid_json', problem: expect.stringMatching(/is not JSON/) },
  ],
  [
    'what a schema makes that is not JSON',
    { schema: { output: z.string().transform(() => new Map()) } },
    'x',
    { reason: 'schema', problem: expect.stringMatching(/it makes no JSON value .* is a Map/) },
  ],
])('reads %s', async (_, suite, output, expected) => {
  expect(await readOutput(suite, output as never)).toEqual(expected);
});
