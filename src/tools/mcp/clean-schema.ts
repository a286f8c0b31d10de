import { isDeepStrictEqual } from 'node:util';
import { field, isFields } from '../../words/fields.ts';
import { tryOrUndefined } from '../../words/show.ts';

export type Schema = Readonly<Record<string, unknown>>;
export type Properties = Readonly<Record<string, Schema>>;

/** The longest text made of schemas for a description. */
export const MAX_REMARK = 4_000;

/**
 * The text as a name that providers accept and that `taken` does not have: it is added there.
 * `odd` matches the characters that they refuse.
 */
export function claimName(text: string, taken: Map<string, number>, odd: RegExp): string {
  const base = text.replace(odd, '_').slice(0, MAX_NAME) || '_';
  let count = taken.get(base) ?? 0;
  let name = base;
  while (taken.has(name)) {
    count += 1;
    const end = `_${count}`;
    name = base.slice(0, MAX_NAME - end.length) + end;
  }
  taken.set(base, count).set(name, 1);
  return name;
}

const MAX_NAME = 64;

/** The schemas that differ as JSON. */
export function distinct<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** One schema of several. */
export function join(keyword: 'anyOf' | 'allOf', schemas: readonly unknown[]): Schema {
  const all = distinct(schemas.filter(isFields));
  const isFree = (schema: Schema) => Object.keys(schema).length === 0;
  const some = keyword === 'allOf' ? all.filter((each) => !isFree(each)) : all;
  const [first = {}] = some;
  if (keyword === 'anyOf' && some.some(isFree)) return {};
  return some.length <= 1 ? first : { [keyword]: some };
}

/** The properties, and one for each of these names: Gemini refuses others. */
export function withRequired(properties: Properties, required: readonly string[]): Properties {
  const missing = required.filter((name) => !Object.hasOwn(properties, name));
  return { ...properties, ...Object.fromEntries(missing.map((name) => [name, {}])) };
}

/** The cleaned properties of a cleaned schema. */
export function toProperties(cleaned: unknown): Properties {
  const entries = Object.entries(isFields(cleaned) ? cleaned : {});
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (isFields(value) ? [[name, value] as const] : [])),
  );
}

/**
 * Makes JSON schemas of any draft, and what servers take for them, valid by the draft 2020-12 and by
 * the further rules of providers. A keyword that is not valid is left out. What references lead to
 * stands once in `$defs`, and they are not followed: recursion ends where `root` does.
 */
export class SchemaCleaner {
  readonly #root: unknown;
  /** The names that the model sees, by the server's. */
  readonly #names = new Map<string, string>();
  readonly #taken = new Map<string, number>();
  /** The names in `$defs` of what is referred to. */
  readonly #referred = new Map<Schema, string>();
  readonly #takenInDefs = new Map<string, number>();

  constructor(root: unknown) {
    this.#root = root;
    for (const key of listKeys(root)) if (PROPERTY.test(key)) this.#taken.set(key, 1);
  }

  /** The server's names of properties by those that the model sees, where they differ. */
  get renamed(): ReadonlyMap<string, string> {
    return new Map([...this.#names].map(([own, name]) => [name, own]));
  }

  /** The `$defs` that the cleaned schemas refer to, and that those refer to. */
  define(): Readonly<Record<string, Schema>> | null {
    const defined = new Map<string, Schema>();
    // The map grows while it is read.
    for (const [schema, name] of this.#referred) defined.set(name, this.clean(schema));
    return defined.size === 0 ? null : Object.fromEntries(defined);
  }

  clean(schema: unknown): Schema {
    if (!isFields(schema)) return {};
    const kept = Object.entries(schema).flatMap(([keyword, value]) => {
      const read = KEYWORDS.get(keyword);
      const cleaned = read === undefined ? value : read(value, this);
      return cleaned === undefined ? [] : [[keyword, cleaned] as const];
    });
    const cleaned: Fields = Object.fromEntries(kept);
    moveLimits(schema, cleaned);
    this.#completeItems(schema, cleaned);
    this.#completeRequired(schema, cleaned);
    return cleaned;
  }

  properties(properties: unknown): Properties | undefined {
    if (!isFields(properties)) return undefined;
    const cleaned = Object.entries(properties).flatMap(([key, value]) => {
      if (value === false) return [];
      const name = this.name(key);
      const schema: Fields = { ...this.clean(value) };
      if (name !== key) addText(schema, `The server's name of it is ${JSON.stringify(key)}.`);
      return [[name, schema] as const];
    });
    return Object.fromEntries(cleaned);
  }

  /** The name of a property that the model sees. */
  name(key: string): string {
    if (PROPERTY.test(key)) return key;
    const name = this.#names.get(key) ?? claimName(key, this.#taken, ODD_IN_PROPERTY);
    this.#names.set(key, name);
    return name;
  }

  /** Undefined if the reference leads to no schema. */
  refer(reference: unknown): string | undefined {
    const target = this.find(reference);
    if (!isFields(target)) return undefined;
    const last = String(reference).split('/').at(-1) ?? '';
    const known = this.#referred.get(target);
    const name = known ?? claimName(last, this.#takenInDefs, ODD_IN_PROPERTY);
    this.#referred.set(target, name);
    return `#/$defs/${name}`;
  }

  /** What a reference of the form "#/a/b" leads to. */
  find(reference: unknown): unknown {
    if (typeof reference !== 'string') return undefined;
    const [start, ...steps] = tryOrUndefined(() => decodeURIComponent(reference).split('/')) ?? [];
    if (start !== '#') return undefined;
    return steps.reduce<unknown>(
      (found, step) => field(found, step.replaceAll('~1', '/').replaceAll('~0', '~')),
      this.#root,
    );
  }

  /** Arrays need `items`. Few providers know tuples: each item may be what any place takes. */
  #completeItems(schema: Schema, cleaned: Fields): void {
    const { items, prefixItems, additionalItems } = schema;
    const isOld = Array.isArray(items);
    const tuple: readonly unknown[] = isOld ? items : listOf(prefixItems);
    const rest = isOld ? additionalItems : items;
    if (rest === false)
      cleaned['maxItems'] = Math.min(...numbers(cleaned['maxItems']), tuple.length);
    if (tuple.length > 0) {
      const places = tuple.map((each) => this.clean(each));
      const after = isFields(rest) ? [isOld ? this.clean(rest) : cleaned['items']] : [];
      cleaned['items'] = join('anyOf', [...places, ...after]);
      const order = `Items in order: ${places.map((each) => JSON.stringify(each)).join(', ')}.`;
      if (distinct(places).length > 1 && order.length <= MAX_REMARK) addText(cleaned, order);
    } else if ([cleaned['type']].flat().includes('array')) cleaned['items'] ??= {};
  }

  /** Before the draft 4, a property itself said that it is required. */
  #completeRequired(schema: Schema, cleaned: Fields): void {
    const own = isFields(schema['properties']) ? Object.entries(schema['properties']) : [];
    const marked = own.filter(([, value]) => field(value, 'required') === true);
    const impossible = own.filter(([, value]) => value === false).map(([key]) => this.name(key));
    const names = [...listOf(cleaned['required']), ...marked.map(([key]) => this.name(key))];
    const required = [...new Set(toTexts(names))].filter((name) => !impossible.includes(name));
    if ('required' in cleaned || required.length > 0) cleaned['required'] = required;
    if ('properties' in cleaned)
      cleaned['properties'] = withRequired(toProperties(cleaned['properties']), required);
  }
}

type Fields = Record<string, unknown>;

const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;
const ODD_IN_PROPERTY = /[^a-zA-Z0-9_.-]/g;

/** All names of fields, at any depth. */
function* listKeys(value: unknown): Iterable<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    yield key;
    yield* listKeys(each);
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toTexts(values: readonly unknown[]): string[] {
  return values.filter((each) => typeof each === 'string');
}

function numbers(value: unknown): number[] {
  return typeof value === 'number' ? [value] : [];
}

function addText(schema: Fields, text: string): void {
  const { description } = schema;
  schema['description'] = typeof description === 'string' ? `${description} ${text}` : text;
}

/** In the draft 4, `exclusiveMinimum` said whether `minimum` itself is left out. */
function moveLimits(schema: Schema, cleaned: Fields): void {
  for (const [limit, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (schema[exclusive] !== true || cleaned[limit] === undefined) continue;
    cleaned[exclusive] = cleaned[limit];
    delete cleaned[limit];
  }
}

/** The types of JSON, and what servers write for them. */
const TYPES: Readonly<Record<string, string>> = {
  object: 'object dict map',
  array: 'array list tuple',
  string: 'string str text',
  number: 'number float double',
  integer: 'integer int long',
  boolean: 'boolean bool',
  null: 'null none',
};

const TYPE_OF = new Map(
  Object.entries(TYPES).flatMap(([type, words]) =>
    words.split(' ').map((word) => [word, type] as const),
  ),
);

/** Undefined where any value may be meant. */
export function toType(value: unknown): string | string[] | undefined {
  const types = [value]
    .flat()
    .map((each) => (isText(each) ? TYPE_OF.get(each.toLowerCase()) : undefined));
  const known = [...new Set(types)].filter((type) => type !== undefined);
  if (known.length === 0 || types.includes(undefined)) return undefined;
  return Array.isArray(value) ? known : known[0];
}

type Read = (value: unknown, cleaner: SchemaCleaner) => unknown;

/** What is valid behind a keyword; undefined leaves it out. Other keywords are kept as they are. */
const READERS: readonly (readonly [keywords: string, read: Read])[] = [
  ['type', toType],
  ['title description format contentEncoding contentMediaType', keepIf(isText)],
  [
    'pattern',
    keepIf((value) => isText(value) && tryOrUndefined(() => new RegExp(value)) !== undefined),
  ],
  ['minimum maximum exclusiveMinimum exclusiveMaximum', keepIf(Number.isFinite)],
  ['multipleOf', keepIf((value) => typeof value === 'number' && value > 0 && value < Infinity)],
  [
    'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains',
    keepIf((value) => Number.isSafeInteger(value) && Number(value) >= 0),
  ],
  ['uniqueItems deprecated readOnly writeOnly', keepIf((value) => typeof value === 'boolean')],
  ['examples', keepIf(Array.isArray)],
  ['enum', (value) => (listOf(value).length === 0 ? undefined : distinct(listOf(value)))],
  ['required', (value, cleaner) => toNames(value, cleaner)],
  ['items contains propertyNames then else', (value, cleaner) => toSchema(value, cleaner)],
  // These accept more where their schema accepts less.
  ['not if', toSameSchema],
  [
    'additionalProperties',
    (value, cleaner) => (typeof value === 'boolean' ? value : toSchema(value, cleaner)),
  ],
  ['anyOf oneOf allOf', toSchemas],
  ['properties', (value, cleaner) => cleaner.properties(value)],
  [
    'patternProperties',
    (value, cleaner) => mapFields(value, (key, each) => [key, cleaner.clean(each)]),
  ],
  [
    'dependentRequired dependentSchemas dependencies',
    (value, cleaner) =>
      mapFields(value, (key, each) => [
        cleaner.name(key),
        toNames(each, cleaner) ?? cleaner.clean(each),
      ]),
  ],
  ['$ref', (value, cleaner) => cleaner.refer(value)],
  [
    '$schema $id id $anchor $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef $vocabulary $comment $defs definitions prefixItems additionalItems unevaluatedItems unevaluatedProperties',
    () => undefined,
  ],
];

const KEYWORDS = new Map(
  READERS.flatMap(([keywords, read]) =>
    keywords.split(' ').map((keyword) => [keyword, read] as const),
  ),
);

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function keepIf(isValid: (value: unknown) => boolean): Read {
  return (value) => (isValid(value) ? value : undefined);
}

function toSchema(value: unknown, cleaner: SchemaCleaner): Schema | undefined {
  return isFields(value) ? cleaner.clean(value) : undefined;
}

function toSameSchema(value: unknown, cleaner: SchemaCleaner): Schema | undefined {
  const cleaned = toSchema(value, cleaner) ?? {};
  const isSame = Object.keys(cleaned).length > 0 && isDeepStrictEqual(cleaned, value);
  return isSame ? cleaned : undefined;
}

function toSchemas(value: unknown, cleaner: SchemaCleaner): Schema[] | undefined {
  const schemas = listOf(value).filter((each) => each !== false);
  return schemas.length === 0 ? undefined : schemas.map((each) => cleaner.clean(each));
}

function toNames(value: unknown, cleaner: SchemaCleaner): string[] | undefined {
  return Array.isArray(value)
    ? [...new Set(toTexts(value))].map((key) => cleaner.name(key))
    : undefined;
}

function mapFields(
  value: unknown,
  map: (key: string, value: unknown) => readonly [string, unknown],
): Schema | undefined {
  if (!isFields(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => map(key, each)));
}
