import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

/** Suites with a mistake each, which the line above names. */
export const PROGRAM = readFileSync(join(import.meta.dirname, 'mistakes.txt'), 'utf8');

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
  'a judge that is called': 'This expression is not callable.',
};

/** Expects these errors of TypeScript, each where its mistake is made, in at most 6 lines. */
export function expectMistakes(errors: readonly string[]): void {
  const lines = PROGRAM.split('\n');
  const said = new Map(
    errors.map((error) => [lines[Number(/\((\d+),/.exec(error)?.[1]) - 2]?.slice(3), error]),
  );
  expect([...said.keys()]).toEqual(Object.keys(MISTAKES));
  for (const [name, message] of Object.entries(MISTAKES)) expect(said.get(name)).toContain(message);
  const depths = errors.map((error) => error.trim().split('\n').length);
  expect(Math.max(...depths)).toBeLessThanOrEqual(6);
}
