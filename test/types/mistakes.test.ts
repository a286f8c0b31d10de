import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PROGRAM = readFileSync(join(import.meta.dirname, 'mistakes.txt'), 'utf8');

/** What TypeScript says of each mistake: the first line, and the last, which has the cause. */
const MISTAKES: Readonly<Record<string, string>> = {
  'a typo in the output': "Property 'totl' does not exist on type '{ total: number; }'.",
  'a typo in a named score': "Property 'totl' does not exist on type '{ total: number; }'.",
  'a score that returns a string': "Type 'string' is not assignable to type 'void | Promise<void",
  'a named score that returns a string': "| NamedScore> | NamedScore'.",
  'an agent that returns an object alone': 'is not assignable to type',
  'an unknown option': "'scroes' does not exist in type 'EvalDefinition<",
  'a typo in the input': "Property 'txt' does not exist on type '{ text: string; }'.",
  'a map without an input': "has no properties in common with type 'MappedRecord<",
  'a map that reads a field that no record has': "Property 'question' does not exist on type",
  'a schema that is none': "does not exist in type 'StandardSchemaV1<",
  'a typo in an output of a schema': "Property 'totl' does not exist on type '{ total: number; }'.",
  'a pass that returns a string': "is not assignable to type 'boolean'.",
  'values of different types': "types 'number' and '{ total: number; }' have no overlap.",
  'an answer of another type than the output': "Type 'number' is not assignable to type",
  'a score that returns a list': "is not assignable to type 'void | NamedScore'.",
  'a typo in an option of a scorer': "'modle' does not exist in type 'Options<",
  'a scorer without an option that it needs': 'Expected 2 arguments, but got 1.',
  'a scorer as the only score': "is not assignable to type 'void | ScoreResult'.",
};

test('TypeScript reports mistakes in a suite where they are made', () => {
  const folder = makeFolder({
    'mistakes.mts': PROGRAM,
    'tsconfig.json': JSON.stringify({
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        paths: {
          viva: [join(ROOT, 'src/index.ts')],
          zod: [join(ROOT, 'node_modules/zod/index.d.ts')],
        },
        typeRoots: [join(ROOT, 'node_modules/@types')],
        skipLibCheck: true,
        noUnusedLocals: false,
      },
      include: ['mistakes.mts'],
    }),
  });
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(tsc, ['--singleThreaded', '-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
  });
  const said = new Map<string, string>();
  for (const error of stdout.split(/^(?=\S)/m)) {
    const [, line = ''] = /mistakes\.mts\((\d+),/.exec(error) ?? [];
    // The line above names the mistake.
    const name = PROGRAM.split('\n')[Number(line) - 2]?.replace('// ', '') ?? '';
    if (line !== '') said.set(name, error);
  }
  expect([...said.keys()]).toEqual(Object.keys(MISTAKES));
  for (const [name, message] of Object.entries(MISTAKES)) expect(said.get(name)).toContain(message);
  const depths = [...said.values()].map((error) => error.trim().split('\n').length);
  expect(Math.max(...depths)).toBeLessThanOrEqual(6);
});
