import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

/** Suites with a mistake each, which the line above names. */
export const PROGRAM = readFileSync(join(import.meta.dirname, 'mistakes.txt'), 'utf8');

/** What TypeScript says of each mistake: the first line, and the last, which has the cause. */
const MISTAKES: Readonly<Record<string, string>> = {
  'a typo in the output': "Property 'totl' does not exist on type '{ total: number; }'.",
  'a typo in the text of a model':
    "Property 'lenght' does not exist on type 'string'. Did you mean 'length'?",
  'a typo in a text where no agent is named': "Property 'lenght' does not exist on type 'string'.",
  'a typo in the text of the AI SDK': "Property 'lenght' does not exist on type 'string'.",
  'a typo in the object of the AI SDK':
    "Property 'totl' does not exist on type '{ total: number; }'.",
  'a field that one of several agents has':
    "does not exist on type '{ total: number; } | { sum: number; }'.",
  'a field of an object where a model answers with text':
    "Property 'total' does not exist on type 'string",
  'a typo in a named score': "Property 'totl' does not exist on type '{ total: number; }'.",
  'a score that returns a string': "Type 'string' is not assignable to type '",
  'a named score that returns a string': "Type 'string' is not assignable to type '",
  'an agent that returns an object alone': "Type '{ total: number; }' is not assignable to type '",
  'an unknown option': "Did you mean to write 'scores'?",
  'an option of GAIA': "'levels' does not exist in type 'InferredDefinition<",
  'a typo in the input': "Property 'txt' does not exist on type '{ text: string; }'.",
  'a map without an input': "Type '{ question: string; }' is not assignable to type 'MappedRecord",
  'a map that reads a field that no record has': "Property 'question' does not exist on type",
  'a schema that is none': "does not exist in type 'StandardSchemaV1<",
  'a typo in an output of a schema': "Property 'totl' does not exist on type '{ total: number; }'.",
  'a pass that returns a string': "Type 'string' is not assignable to type 'boolean'.",
  'a pass that reads a score of no name':
    "Property 'clos' does not exist on type '{ readonly close: number; }'.",
  'a pass that returns a number': "Type 'number' is not assignable to type 'boolean'.",
  'a pass of the only score under another name':
    "Property 'close' does not exist on type '{ readonly score: number; }'.",
  'values of different types': "types 'number' and '{ total: number; }' have no overlap.",
  'a typo in the metadata': "Property 'topc' does not exist on type '{ readonly topic: string; }'.",
  'a typo in the record': "Property 'topc' does not exist on type 'Readonly<{ id: string;",
  'a typo in a record before map':
    "Property 'm' does not exist on type 'Readonly<{ q: string; n: number; }>'.",
  'an extracted answer of another type': "Property 'includes' does not exist on type 'number'.",
  'the old name of the cost': "Property 'cost' does not exist on type 'ScoreInput<",
  'a score that returns a list': "Type 'number[]' is not assignable to type 'NamedScore'.",
  'a typo in an option of a scorer': "'modle' does not exist in type 'Options<",
  'a scorer without an option that it needs': 'Expected 2 arguments, but got 1.',
  'a judge that is called': 'This expression is not callable.',
  'a typo in a definition that a helper makes': "Did you mean to write 'timeoutSeconds'?",
  'a function where scores have names': "'total' does not exist in type '",
  'a list of scores': 'is not assignable to type ',
  'a number as a text': "Type 'string' is not assignable to type 'number'.",
  'a cluster that is a number': "Type 'number' is not assignable to type 'string | ((record: ",
  'an option in another unit': "'timeoutMs' does not exist in type 'InferredDefinition<",
  'a suite without a name': 'Expected 2 arguments, but got 1.',
  'an agent that forgets to await': "Property 'includes' does not exist on type 'Promise<string>'.",
  'an agent of texts where a score reads an object':
    "Property 'total' does not exist on type 'string'.",
  'an agent that takes the input alone': "is not assignable to type 'string'.",
  'the cost of an answer under its old name': "Types of property 'cost' are incompatible.",
  'the target under another name': "Property 'expected' does not exist on type 'ScoreInput<",
  'a typo in an option of a matcher': "Did you mean to write 'forbidden'?",
  'a typo in an option of a judge': "Did you mean to write 'judges'?",
  'a scale that is a text': "Type 'string' is not assignable to type 'number'.",
  'a level that is a number': "Type 'number' is not assignable to type 'string'.",
  'a grade as true or false': "Type 'number' is not assignable to type 'boolean'.",
  'a score that makes a judge': "Type 'Judge<boolean>' is not assignable to type '",
  'a preference that is a function': "Type '() => boolean' is not assignable to type 'Judge",
  'an agent behind its score': ', WriteAgentBeforeScore>',
  'a named agent behind the score': ', WriteAgentBeforeScore>',
  'an extract behind the score': "is not assignable to type 'WriteExtractBeforeScore'.",
  'a generic helper that declares no definition': 'GenericNeedsEvalDefinition<O, ',
  'a typo in a row that flows': "Property 'ouput' does not exist on type 'RunRow'.",
  'a function that is called instead of named': "is not assignable to type '(row: RunRow",
  'an option of the plugin in another spelling': "Did you mean to write 'onRow'?",
  'recorded tools without a name': 'Expected 2 arguments, but got 1.',
  'a typo in a recorded tool': "Property 'getOder' does not exist on type '",
  'a mock of no tool': "Did you mean to write 'getOrder'?",
  'a typo in the input of a mock': "Property 'di' does not exist on type '{ id: number; }'.",
};

/** Expects these errors of TypeScript, each where its mistake is made, in at most 6 lines if the first has no cause. */
export function expectMistakes(errors: readonly string[]): void {
  const lines = PROGRAM.split('\n');
  const said = new Map(
    errors.map((error) => [lines[Number(/\((\d+),/.exec(error)?.[1]) - 2]?.slice(3), error]),
  );
  expect([...said.keys()]).toEqual(Object.keys(MISTAKES));
  for (const [name, message] of Object.entries(MISTAKES)) expect(said.get(name)).toContain(message);
  const others = errors.filter((error) => !/^.*WriteAgentBeforeScore>/.test(error));
  const depths = others.map((error) => error.trim().split('\n').length);
  expect(Math.max(...depths)).toBeLessThanOrEqual(6);
}
