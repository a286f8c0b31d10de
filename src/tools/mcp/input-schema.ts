import { isDeepStrictEqual } from 'node:util';
import { isFields } from '../../words/fields.ts';
import { redactIn } from '../../words/secrets.ts';
import { showValue } from '../../words/show.ts';
import type { Tool } from '../tool.ts';
import {
  distinct,
  join,
  MAX_REMARK,
  type Properties,
  type Schema,
  SchemaCleaner,
  toProperties,
  toType,
  withRequired,
} from './clean-schema.ts';

/** What a model is told about the arguments of a tool. */
export type InputSchema = Readonly<{
  schema: Tool['schema'];
  /** Sentences for the description: what providers let no schema say. Mostly "". */
  remark: string;
  /** The server's names of properties by those that the model sees, where they differ. */
  names: ReadonlyMap<string, string>;
}>;

/**
 * Makes of any input schema of an MCP server one that OpenAI, Anthropic, Gemini's OpenAI endpoint
 * and vLLM accept for a tool. What they refuse is only loosened: the server checks the arguments
 * itself, and the model reads why it refuses them. Throws if no object of arguments fits, or if the
 * schema is too large.
 */
export function toInputSchema(listed: unknown, secrets: readonly string[] = []): InputSchema {
  const root = redactIn(makeSendable(listed), secrets) ?? {};
  const { length } = JSON.stringify(root);
  if (length > MAX_LENGTH)
    throw new Error(`its input schema has ${length} characters, more than ${MAX_LENGTH}`);
  return new RootMerger(root).toInputSchema();
}

/** The arguments of a model, under the server's names. */
export function toServerNames(args: Schema, names: ReadonlyMap<string, string>): Schema {
  if (names.size === 0) return args;
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rename);
    return isFields(value) ? toServerNames(value, names) : value;
  };
  const fields = Object.entries(args);
  return Object.fromEntries(fields.map(([name, each]) => [names.get(name) ?? name, rename(each)]));
}

/** Readers of JSON may give up at a depth of 100, and a request has some levels of its own. */
const MAX_DEPTH = 64;

/** About 250,000 tokens, which each request would have. */
const MAX_LENGTH = 1_000_000;

/** JSON.parse reads what is deeper than the stack, and halves of characters, which servers refuse. */
function makeSendable(value: unknown, levels = MAX_DEPTH): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  const below = (each: unknown) => makeSendable(each, levels - 1);
  if (Array.isArray(value)) return levels === 0 ? [] : value.map(below);
  const fields = levels === 0 ? [] : Object.entries(value);
  return Object.fromEntries(fields.map(([name, each]) => [name.toWellFormed(), below(each)]));
}

/** What a schema says about an object, with its choices and references merged. */
type Part = Readonly<{
  /** Its keywords, which the other fields replace. */
  keywords: Schema;
  properties: Properties;
  required: readonly string[];
  /** What further properties may be; undefined for anything. */
  others: unknown;
  remarks: readonly string[];
}>;

const ANYTHING: Part = {
  keywords: {},
  properties: {},
  required: [],
  others: undefined,
  remarks: [],
};

/** Providers want one object at the root, without any of these keywords. */
const MERGED = ['anyOf', 'oneOf', 'allOf', '$ref', 'not', 'enum', 'const'];

class RootMerger {
  readonly #root: unknown;
  readonly #cleaner: SchemaCleaner;
  /** Null for a schema that no object fits. */
  readonly #parts = new Map<Schema, Part | null>();

  constructor(root: unknown) {
    this.#root = root;
    this.#cleaner = new SchemaCleaner(root);
  }

  toInputSchema(): InputSchema {
    const part = this.#merge(this.#root, 0);
    if (part === null)
      throw new Error(`no object of arguments fits its input schema ${showValue(this.#root)}`);
    const { keywords, required, others, remarks } = part;
    const hasOthers = others !== undefined || 'additionalProperties' in keywords;
    const $defs = this.#cleaner.define();
    const schema = {
      ...keywords,
      type: 'object' as const,
      properties: withRequired(part.properties, required),
      ...(required.length > 0 && { required }),
      ...(hasOthers && { additionalProperties: others ?? true }),
      ...($defs !== null && { $defs }),
    };
    return { schema, remark: remarks.join(' '), names: this.#cleaner.renamed };
  }

  #merge(schema: unknown, depth: number): Part | null {
    if (schema === false) return null;
    // PHP writes an empty object as [].
    if (Array.isArray(schema) && schema.length === 0) return ANYTHING;
    if (schema === true || schema === undefined || depth > MAX_DEPTH) return ANYTHING;
    if (!isFields(schema)) return null;
    const known = this.#parts.get(schema);
    if (known !== undefined) return known;
    // A schema that refers to itself demands nothing more by that.
    this.#parts.set(schema, ANYTHING);
    const part = this.#mergeFields(schema, depth + 1);
    this.#parts.set(schema, part);
    return part;
  }

  #mergeFields(schema: Schema, depth: number): Part | null {
    const type = toType(schema['type']);
    if (type !== undefined && ![type].flat().includes('object')) return null;
    const branches = (keyword: string) => {
      const { [keyword]: list } = schema;
      return Array.isArray(list) ? list.map((each) => this.#merge(each, depth)) : [];
    };
    const parts = [
      this.#ofKeywords(schema),
      ...branches('allOf'),
      ...('$ref' in schema ? [this.#merge(this.#cleaner.find(schema['$ref']), depth)] : []),
      ...toUnion('at least', branches('anyOf')),
      ...toUnion('exactly', branches('oneOf')),
    ];
    const all = parts.filter((part) => part !== null);
    return all.length < parts.length ? null : joinParts('allOf', all);
  }

  #ofKeywords(schema: Schema): Part {
    const { not, enum: listed, const: only } = schema;
    const own = Object.entries(schema).filter(([keyword]) => !MERGED.includes(keyword));
    const keywords = this.#cleaner.clean(Object.fromEntries(own));
    const { properties, required, additionalProperties } = keywords;
    const values = Array.isArray(listed) ? listed : only === undefined ? [] : [only];
    return {
      keywords,
      properties: toProperties(properties),
      required: Array.isArray(required) ? required : [],
      others: additionalProperties,
      remarks: [
        ...(isFields(not) ? toRemark('may not fit this schema', [not]) : []),
        ...toRemark('must be one of these', values),
      ],
    };
  }
}

function toRemark(what: string, values: readonly unknown[]): string[] {
  const remark = `The arguments ${what}: ${values.map((each) => JSON.stringify(each)).join(' or ')}.`;
  return values.length === 0 || remark.length > MAX_REMARK ? [] : [remark];
}

/** What all of several parts have in common; nothing without parts. */
function toUnion(howMany: string, parts: readonly (Part | null)[]): (Part | null)[] {
  const possible = parts.filter((part) => part !== null);
  if (possible.length <= 1) return parts.length === 0 ? [] : [possible[0] ?? null];
  const texts = possible.map(({ properties, required }) => ({
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  }));
  const differing = distinct(texts);
  const what = `must fit ${howMany} one of these schemas`;
  const remarks = differing.length > 1 ? toRemark(what, differing) : [];
  return [{ ...joinParts('anyOf', possible), remarks }];
}

function joinParts(keyword: 'anyOf' | 'allOf', parts: readonly Part[]): Part {
  const [first = ANYTHING, ...others] = parts;
  if (others.length === 0) return first;
  const isAll = keyword === 'allOf';
  const names = new Set(parts.flatMap(({ properties }) => Object.keys(properties)));
  const properties = [...names].map((name) => {
    const found = parts.flatMap((part) =>
      Object.hasOwn(part.properties, name) ? [part.properties[name]] : [],
    );
    return [name, join(keyword, found)] as const;
  });
  const required = new Set(parts.flatMap((part) => part.required));
  const listing = parts.filter((part) => Object.keys(part.properties).length > 0);
  const [some = first] = listing;
  const isAgreed = listing.every((part) => isDeepStrictEqual(part.others, some.others));
  return {
    keywords: isAll ? Object.assign({}, ...parts.map(({ keywords }) => keywords).reverse()) : {},
    properties: Object.fromEntries(properties),
    required: [...required].filter(
      (name) => isAll || parts.every((part) => part.required.includes(name)),
    ),
    others: isAgreed ? some.others : undefined,
    remarks: parts.flatMap(({ remarks }) => remarks),
  };
}
