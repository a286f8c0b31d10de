import type { StandardSchemaV1 } from '@standard-schema/spec';
import { toJson } from '../records/json.ts';
import { cut, showValue } from '../text/show.ts';
import { messageOf, tryOrUndefined } from '../text/thrown.ts';
import type { Json } from '../types.ts';
import type { EvalDefinition } from './eval-definition.ts';

/** An output as scores get it, or why there is none: a reason for its row, and a sentence. */
export type ReadOutput =
  | { readonly value: Json }
  | Readonly<{ reason: 'invalid_json' | 'schema'; problem: string }>;

/**
 * Reads an output as the suite wants it: the value of a text with JSON, if it says so, that fits its
 * schema. Rejects if the schema itself fails.
 */
export async function readOutput(
  { output: format, schema }: Pick<EvalDefinition, 'output' | 'schema'>,
  output: Json,
): Promise<ReadOutput> {
  const value = format === 'json' && typeof output === 'string' ? parseOutput(output) : output;
  if (value === undefined)
    return { reason: 'invalid_json', problem: `the output is not JSON: ${showValue(output)}` };
  if (schema?.output === undefined) return { value };
  const checked = await checkValue(schema.output, value);
  if ('value' in checked) return { value: checked.value };
  return { reason: 'schema', problem: `the output does not fit the schema: ${checked.problem}` };
}

/** Models often write JSON as a block of Markdown. Undefined if it is not JSON. */
function parseOutput(text: string): Json | undefined {
  const [, block = text] = /^\s*```(?:json)?[^\S\n]*\n(.*)\n[^\S\n]*```\s*$/is.exec(text) ?? [];
  return tryOrUndefined(() => toJson(JSON.parse(block)));
}

/** A value as a schema gives it, or what is wrong with it: "total: expected a number". */
export async function checkValue(
  schema: StandardSchemaV1,
  value: unknown,
): Promise<{ readonly value: Json } | { readonly problem: string }> {
  const { issues, ...result } = await schema['~standard'].validate(value);
  if (issues !== undefined) return { problem: cut(issues.map(describeIssue).join('; '), 500) };
  try {
    return { value: toJson('value' in result ? result.value : value) };
  } catch (error) {
    return { problem: `it makes no JSON value (${messageOf(error)})` };
  }
}

function describeIssue({ message, path = [] }: StandardSchemaV1.Issue): string {
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
  return keys.length === 0 ? message : `${keys.join('.')}: ${message}`;
}

/** Whether a value follows the interface of Standard Schema, as zod, valibot and arktype do. */
export function isSchema(value: unknown): value is StandardSchemaV1 {
  const standard: unknown = tryOrUndefined(() => Reflect.get(Object(value), '~standard'));
  return typeof tryOrUndefined(() => Reflect.get(Object(standard), 'validate')) === 'function';
}
