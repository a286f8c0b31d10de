import { describe, expect, test } from 'vitest';
import { toInputSchema, toServerNames } from './input-schema.ts';

/** The whole schema of a tool with these properties. */
const of = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });
/** A tool with the one property "a". */
const one = (schema: unknown, rest: object = {}) => of({ a: schema }, rest);

const string = { type: 'string' };
const number = { type: 'number' };
const EMPTY = of({});
const LONG = 'n'.repeat(80);

type Case = readonly [what: string, listed: unknown, schema: object, remark?: string];

const CASES: readonly Case[] = [
  [
    'a good one stays',
    one(string, { required: ['a'], additionalProperties: false }),
    one(string, { required: ['a'], additionalProperties: false }),
  ],
  ['missing', undefined, EMPTY],
  ['null', null, EMPTY],
  ['true', true, EMPTY],
  ['an empty list, as PHP writes', [], EMPTY],
  ['no type', { properties: { a: string } }, one(string)],
  ['an unknown type', { type: 'any', properties: { a: string } }, one(string)],
  ['a type in other letters', { type: 'OBJECT' }, EMPTY],
  ['an object or null', { type: ['object', 'null'] }, EMPTY],
  ['properties that are missing', { type: 'object' }, EMPTY],
  ['properties that are null', { type: 'object', properties: null }, EMPTY],
  ['properties that are a list', { type: 'object', properties: [] }, EMPTY],
  [
    'keywords about the schema',
    {
      $schema: 'x',
      $id: 'y',
      id: 'z',
      $comment: 'c',
      ...one({ ...string, id: 'q' }),
      definitions: { B: 1 },
    },
    one(string),
  ],
  [
    'keywords of others',
    one({ ...string, 'x-order': 1, nullable: true, format: 'odd', default: null, examples: ['q'] }),
    one({ ...string, 'x-order': 1, nullable: true, format: 'odd', default: null, examples: ['q'] }),
  ],

  [
    'halves of characters',
    one({ enum: ['\ud83d'], '\ude00': '\ude00' }),
    one({ enum: ['\ufffd'], '\ufffd': '\ufffd' }),
  ],

  // The root.
  [
    'anyOf of required',
    of({ a: string, b: string }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    of({ a: string, b: string }),
    'The arguments must fit at least one of these schemas: {"required":["a"]} or {"required":["b"]}.',
  ],
  [
    'oneOf of objects',
    {
      oneOf: [
        of({ k: { const: 1 }, a: string }, { required: ['k', 'a'] }),
        of({ k: { const: 2 }, b: number }, { required: ['k'] }),
      ],
    },
    of({ k: { anyOf: [{ const: 1 }, { const: 2 }] }, a: string, b: number }, { required: ['k'] }),
    'The arguments must fit exactly one of these schemas: {"properties":{"k":{"const":1},"a":{"type":"string"}},"required":["k","a"]} or {"properties":{"k":{"const":2},"b":{"type":"number"}},"required":["k"]}.',
  ],
  ['oneOf with what no object is', { oneOf: [one(string), { type: 'null' }, false] }, one(string)],
  ['alternatives that are alike', { anyOf: [one(string), one(string)] }, one(string)],
  [
    'alternatives of which one is free',
    one(string, { anyOf: [true, { required: ['a'] }] }),
    one(string),
    'The arguments must fit at least one of these schemas: {} or {"required":["a"]}.',
  ],
  ['an empty anyOf', one(string, { anyOf: [] }), one(string)],
  [
    'allOf',
    { allOf: [one(string, { required: ['a'] }), of({ b: {} }, { required: ['b'] })] },
    of({ a: string, b: {} }, { required: ['a', 'b'] }),
  ],
  [
    'allOf about one property',
    one(string, { allOf: [one({ maxLength: 3 })] }),
    one({ allOf: [string, { maxLength: 3 }] }),
  ],
  [
    'closed objects merged with open ones',
    { type: 'object', additionalProperties: false, allOf: [one(string)] },
    one(string, { additionalProperties: true }),
  ],
  [
    'closed objects merged',
    {
      anyOf: [
        one(string, { additionalProperties: false }),
        of({ b: string }, { additionalProperties: false }),
      ],
    },
    of({ a: string, b: string }, { additionalProperties: false }),
    expect.stringContaining('at least one'),
  ],
  [
    'enum and not',
    of({}, { enum: [{ a: 1 }], not: { required: ['b'] } }),
    EMPTY,
    'The arguments may not fit this schema: {"required":["b"]}. The arguments must be one of these: {"a":1}.',
  ],
  [
    'alternatives that are too long to say',
    { anyOf: [one({ const: 'x'.repeat(5_000) }), of({ b: {} })] },
    of({ a: { const: 'x'.repeat(5_000) }, b: {} }),
  ],
  [
    'a reference',
    { $ref: '#/definitions/A', definitions: { A: one(string, { required: ['a'] }) } },
    one(string, { required: ['a'] }),
  ],
  [
    'a reference that leads nowhere, or to itself',
    {
      allOf: [{ $ref: '#' }, { $ref: '#/no' }, { $ref: 'http://x.test/y' }],
      properties: { a: string },
    },
    one(string),
  ],

  // References below.
  [
    'references in any place, also to themselves',
    one(
      { $ref: '#/definitions/n%61me/T', description: 'd' },
      {
        definitions: {
          name: { T: of({ next: { $ref: '#/definitions/name/T' }, all: { $ref: '#' } }) },
          unused: {},
        },
      },
    ),
    one(
      { $ref: '#/$defs/T', description: 'd' },
      {
        $defs: {
          T: of({ next: { $ref: '#/$defs/T' }, all: { $ref: '#/$defs/_' } }),
          _: one({ $ref: '#/$defs/T', description: 'd' }),
        },
      },
    ),
  ],
  [
    'references of the same last name',
    of(
      { a: { $ref: '#/$defs/x/T' }, b: { $ref: '#/$defs/y/T' } },
      { $defs: { x: { T: string }, y: { T: number } } },
    ),
    of(
      { a: { $ref: '#/$defs/T' }, b: { $ref: '#/$defs/T_2' } },
      { $defs: { T: string, T_2: number } },
    ),
  ],
  [
    'references that lead nowhere',
    of({
      a: { $ref: '#/$defs/no', title: 't' },
      b: { $ref: '#/%' },
      c: { $ref: 7 },
      d: { $ref: '#anchor' },
    }),
    of({ a: { title: 't' }, b: {}, c: {}, d: {} }),
  ],

  // Arrays.
  ['no items', one({ type: 'array' }), one({ type: 'array', items: {} })],
  [
    'an array or null',
    one({ type: ['array', 'null'] }),
    one({ type: ['array', 'null'], items: {} }),
  ],
  [
    'an array in an array',
    one({ type: 'array', items: { type: 'array' } }),
    one({ type: 'array', items: { type: 'array', items: {} } }),
  ],
  [
    'items that are true or null',
    of({ a: { type: 'array', items: true }, b: { type: 'array', items: null } }),
    of({ a: { type: 'array', items: {} }, b: { type: 'array', items: {} } }),
  ],
  [
    'no item at all',
    one({ type: 'array', items: false }),
    one({ type: 'array', items: {}, maxItems: 0 }),
  ],
  [
    'a tuple of the draft 4',
    one({ type: 'array', items: [number, number], additionalItems: false }),
    one({ type: 'array', items: number, maxItems: 2 }),
  ],
  [
    'a tuple and what follows',
    one({ type: 'array', items: [number], additionalItems: string }),
    one({ type: 'array', items: { anyOf: [number, string] } }),
  ],
  [
    'a tuple of the draft 2020-12',
    one({
      type: 'array',
      description: 'd.',
      prefixItems: [string, { type: 'array' }],
      minItems: 2,
      items: false,
    }),
    one({
      type: 'array',
      items: { anyOf: [string, { type: 'array', items: {} }] },
      minItems: 2,
      maxItems: 2,
      description: 'd. Items in order: {"type":"string"}, {"type":"array","items":{}}.',
    }),
  ],

  // Keywords that are not valid.
  [
    'a limit of the draft 4',
    one({ ...number, minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false }),
    one({ ...number, exclusiveMinimum: 0, maximum: 9 }),
  ],
  ['a limit without its number', one({ ...number, exclusiveMaximum: true }), one(number)],
  [
    'required in properties',
    of({ a: { ...string, required: true }, b: { ...string, required: false } }),
    of({ a: string, b: string }, { required: ['a'] }),
  ],
  ['required that is no list', one(string, { required: true }), one(string)],
  [
    'required with what is no name',
    one(string, { required: ['a', 'a', 7, null] }),
    one(string, { required: ['a'] }),
  ],
  [
    'required that has no property',
    one(of({}, { required: ['b'] }), { required: ['c'] }),
    of({ a: of({ b: {} }, { required: ['b'] }), c: {} }, { required: ['c'] }),
  ],
  [
    'types of other languages',
    of({
      a: { type: 'str' },
      b: { type: ['int', 'None'] },
      c: { type: 'date' },
      d: { type: ['string', 'date'] },
      e: { type: [] },
      f: { type: { toString: 1 } },
    }),
    of({ a: string, b: { type: ['integer', 'null'] }, c: {}, d: {}, e: {}, f: {} }),
  ],
  [
    'null behind keywords',
    one({
      ...string,
      description: null,
      enum: null,
      format: null,
      minLength: null,
      pattern: null,
      properties: null,
      anyOf: null,
    }),
    one(string),
  ],
  ['texts for numbers', one({ ...number, minimum: '0', multipleOf: 0, maxItems: -1 }), one(number)],
  ['a pattern of another language', one({ ...string, pattern: '(?<!a' }), one(string)],
  [
    'enum',
    of({ a: { enum: [] }, b: { enum: ['x', 'x', null] } }),
    of({ a: {}, b: { enum: ['x', null] } }),
  ],
  [
    'true and false for schemas',
    of(
      { a: true, b: false, c: { anyOf: [false, string] }, d: { anyOf: [false] } },
      { required: ['a', 'b'] },
    ),
    of({ a: {}, c: { anyOf: [string] }, d: {} }, { required: ['a'] }),
  ],
  [
    'other values for schemas',
    of({ a: 'string', b: null, c: [], d: 7 }),
    of({ a: {}, b: {}, c: {}, d: {} }),
  ],
  [
    'not, where it needs no change',
    of({
      a: { not: string },
      b: { not: { type: 'any' } },
      c: { not: { type: 'array' } },
      d: { not: 7 },
    }),
    of({ a: { not: string }, b: {}, c: {}, d: {} }),
  ],
  [
    'odd additionalProperties',
    of(
      {
        a: of({}, { additionalProperties: 'false' }),
        b: of({}, { additionalProperties: { type: 'array' } }),
      },
      { additionalProperties: null },
    ),
    of({ a: EMPTY, b: of({}, { additionalProperties: { type: 'array', items: {} } }) }),
  ],
  [
    'properties with the names of keywords',
    of({
      type: string,
      required: { type: 'array' },
      id: string,
      properties: of({ a: string }),
      ['__proto__']: string,
      constructor: string,
    }),
    of({
      type: string,
      required: { type: 'array', items: {} },
      id: string,
      properties: of({ a: string }),
      ['__proto__']: string,
      constructor: string,
    }),
  ],
];

describe('an input schema', () => {
  test.each(CASES)('%s', (_, listed, schema, remark = '') => {
    const made = toInputSchema(listed);
    expect(made.schema).toEqual(schema);
    expect(made.remark).toEqual(remark);
    // What is sent needs no further change, and can be sent.
    expect(toInputSchema(JSON.parse(JSON.stringify(made.schema))).schema).toEqual(schema);
  });

  test.each([
    ['no schema', 'object', /fits its input schema "object"$/],
    ['a list', [1], /fits its input schema \[1\]$/],
    ['false', false, /fits its input schema false$/],
    ['of a text', string, /fits its input schema {"type":"string"}$/],
    ['of no object', { anyOf: [string, { type: 'null' }] }, /^no object of arguments fits/],
    ['of everything and nothing', one(string, { allOf: [false] }), /^no object of arguments fits/],
    [
      'larger than any model reads',
      one({ enum: ['x'.repeat(1_000_000)] }),
      /has 100\d{4} characters, more than 1000000$/,
    ],
  ])('is refused: %s', (_, listed, message) => {
    expect(() => toInputSchema(listed)).toThrow(message);
  });

  test('has names of properties that Anthropic accepts, each once, and arguments go back under the own ones', () => {
    const item = of({ 'a b': string }, { required: ['a b'] });
    const { schema, names } = toInputSchema(
      of(
        {
          $top: number,
          _top: number,
          城市: { type: 'array', items: item },
          天气: true,
          '': true,
          [LONG]: { description: 'd.' },
        },
        { required: ['$top', '城市'], dependentRequired: { $top: ['城市'] } },
      ),
    );
    const named = (name: string, rest: object = {}) => ({
      ...rest,
      description: `The server's name of it is "${name}".`,
    });
    expect(schema).toEqual(
      of(
        {
          _top_2: named('$top', number),
          _top: number,
          __: named('城市', {
            type: 'array',
            items: of({ a_b: named('a b', string) }, { required: ['a_b'] }),
          }),
          ___2: named('天气'),
          _: named(''),
          [LONG.slice(0, 64)]: { description: `d. The server's name of it is "${LONG}".` },
        },
        { required: ['_top_2', '__'], dependentRequired: { _top_2: ['__'] } },
      ),
    );
    expect(toServerNames({ _top_2: 1, _top: 2, __: [{ a_b: 'x' }], other: null }, names)).toEqual({
      $top: 1,
      _top: 2,
      城市: [{ 'a b': 'x' }],
      other: null,
    });
  });

  test.each<readonly [string, () => unknown]>([
    [
      'deeper than the stack',
      () =>
        JSON.parse(
          `${'{"type":"object","properties":{"a":'.repeat(50_000)}{}${'}}'.repeat(50_000)}`,
        ),
    ],
    [
      'in one long chain of references',
      () => {
        const links = Array.from({ length: 5_000 }, (_, index) => {
          const $ref = `#/$defs/${index + 1}`;
          return [index, { allOf: [{ $ref }], properties: { a: { $ref } } }];
        });
        return { $ref: '#/$defs/0', $defs: Object.fromEntries(links) };
      },
    ],
    [
      'that doubles with each reference',
      () => {
        const pairs = Array.from({ length: 60 }, (_, index) => {
          const twice = [{ $ref: `#/$defs/${index + 1}` }, { $ref: `#/$defs/${index + 1}` }];
          return [
            index,
            { anyOf: twice, oneOf: twice, properties: { [`p${index}`]: { anyOf: twice } } },
          ];
        });
        return { $ref: '#/$defs/0', $defs: Object.fromEntries(pairs) };
      },
    ],
    [
      'with thousands of names alike',
      () =>
        of(
          Object.fromEntries(
            Array.from({ length: 20_000 }, (_, index) => [
              String.fromCodePoint(0x4e00 + index),
              {},
            ]),
          ),
        ),
    ],
  ])('%s is made in a moment', (_, make) => {
    const listed = make();
    const start = process.cpuUsage();
    const { schema } = toInputSchema(listed);
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(2_000);
    expect(schema.type).toBe('object');
    expect(JSON.stringify(schema).length).toBeLessThan(3_000_000);
  });
});
