import { quote } from '../records/show-value.ts';
import { maskKeyForms, maskKeys } from '../secrets/mask-keys.ts';
import { nearest } from '../text/nearest.ts';
import { toVisible } from '../text/visible-text.ts';
import type { AgentSpec } from './agent-spec.ts';
import { MAX_TOKENS } from './token-counts.ts';

/** What a parameter of a spec accepts; `parse` gives undefined for a text that is not allowed. */
export type Parameter<T> = {
  readonly allowed: string;
  parse(text: string): T | undefined;
};

type Values<Table> = { readonly [K in keyof Table]?: Table[K] extends Parameter<infer T> ? T : never };

/** Checks the parameters of a spec, as in `openai:MODEL?temperature=0`, against a kind's table; absent ones stay absent. */
export function readParameters<const Table extends Readonly<Record<string, Parameter<unknown>>>>(
  { text, kind, target, params = [] }: AgentSpec,
  table: Table,
): Values<Table> {
  const fail = (problem: string) => new Error(`EVAL_AGENT=${toVisible(text, 1_000)}: ${problem}`);
  if (target === '') throw fail(`no model is named. Write it behind the colon, as in ${kind}:MODEL.`);
  if (maskKeyForms(target) !== target)
    throw fail('a key stands where a model is named. Put keys into the environment.');
  const values = new Map<string, unknown>();
  for (const [name, value] of params) {
    const shown = quote(maskKeys(`?${name}=${value}`).slice(name.length + 2));
    const parameter = Object.hasOwn(table, name) ? table[name] : undefined;
    if (parameter === undefined) throw fail(describeUnknown(name, shown, kind, Object.keys(table)));
    if (values.has(name)) throw fail(`parameter ${name} is given twice, the second time as ${shown}. Keep one.`);
    const parsed = parameter.parse(value);
    if (parsed === undefined) throw fail(`parameter ${name} must be ${parameter.allowed}, got ${shown}.`);
    values.set(name, parsed);
  }
  return Object.fromEntries(values) as Values<Table>;
}

function describeUnknown(name: string, shown: string, kind: string, known: readonly string[]): string {
  const meant = ELSEWHERE.get(name) ?? `Did you mean ${nearest(name, known)}?`;
  return `${quote(name)} (${shown}) is not a parameter of ${kind}. ${meant} Known: ${known.join(', ')}.`;
}

/** Tools of other providers, to which no parameter here comes near. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['web_fetch', 'Only anthropic: models have it; fetch_page, which reads pages for all models, is on by itself.'],
  ['web_search', 'Models of openai: and anthropic: have it.'],
  ['code_execution', 'Models of openai: and anthropic: have it.'],
]);

export function numberFrom(least: number, most: number): Parameter<number> {
  return {
    allowed: `a number from ${least} to ${most}`,
    parse: (text) => {
      const value = /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN;
      return value >= least && value <= most ? value : undefined;
    },
  };
}

/** Without another upper bound that of counts of tokens. */
export function wholeNumber(least: number, most = MAX_TOKENS): Parameter<number> {
  return {
    allowed: `a whole number from ${least} to ${most}`,
    parse: (text) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= least && value <= most ? value : undefined;
    },
  };
}

export function oneOf<const T extends string>(...values: readonly T[]): Parameter<T> {
  return {
    allowed: values.join(', ').replace(/, ([^,]*)$/, ' or $1'),
    parse: (text) => values.find((v) => v === text),
  };
}

export function onOff(): Parameter<boolean> {
  return { allowed: 'on or off', parse: (text) => (text === 'on' ? true : text === 'off' ? false : undefined) };
}

/** A server's address. One with a user or a password is refused: specs are shown in reports. */
export function serverUrl(): Parameter<string> {
  return {
    allowed: 'an http or https address without user and password',
    parse: (text) => {
      const url = URL.parse(text);
      const plain = url?.protocol === 'http:' || url?.protocol === 'https:';
      return url !== null && plain && url.username === '' && url.password === '' ? text : undefined;
    },
  };
}
