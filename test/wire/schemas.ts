import { type Api, type Fields, isFields, listOf } from './request.ts';

const UNIONS = ['anyOf', 'oneOf', 'allOf'] as const;
const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** What servers refuse in the schema of a tool's arguments. */
export function findSchemaProblems(api: Api, schema: Fields): readonly string[] {
  const atRoot = [...UNIONS, 'enum', 'not'].filter((key) => key in schema);
  return [
    ...(schema['type'] === 'object' ? [] : [`type must be "object", got ${schema['type']}`]),
    ...(isFields(schema['properties']) ? [] : ['object schema missing properties']),
    ...atRoot.map((key) => `must not have '${key}' at the top level`),
    ...findInside(api, schema, 'schema'),
  ];
}

function findInside(api: Api, schema: Fields, at: string): readonly string[] {
  const types: readonly unknown[] = [schema['type'] ?? []].flat();
  const { items, required = [], properties } = schema;
  const wrong = [
    types.some((type) => !TYPES.includes(String(type))) && `type ${types} is not valid`,
    types.includes('array') && items === undefined && 'array schema missing items',
    Array.isArray(items) && 'items is a list, which draft 2020-12 does not know',
    !Array.isArray(required) && 'required is not a list',
    ['exclusiveMinimum', 'exclusiveMaximum'].some((key) => typeof schema[key] === 'boolean') &&
      'an exclusive bound must be a number in draft 2020-12',
    api === 'anthropic' &&
      Object.keys(properties ?? {}).some((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key)) &&
      "property keys should match '^[a-zA-Z0-9_.-]{1,64}$'",
  ].filter((problem) => problem !== false);
  const parts = [
    ...Object.entries(isFields(properties) ? properties : {}),
    ...(isFields(items) ? [['items', items] as const] : []),
    ...UNIONS.flatMap((key) => listOf(schema[key]).map((part) => [key, part] as const)),
  ];
  return [
    ...wrong.map((problem) => `${at}: ${problem}`),
    ...parts.flatMap(([key, part]) =>
      isFields(part) ? findInside(api, part, `${at}.${key}`) : [],
    ),
  ];
}
