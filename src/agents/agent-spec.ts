import { maskKeyForms, maskKeys } from '../text/secrets.ts';
import type { ValueParser } from '../text/setting-values.ts';
import { escapeLine, quote } from '../text/show.ts';
import { nearest } from '../text/wording.ts';
import type { AgentKindName } from './kinds.ts';

/** One agent as the user named it: `kind:target`. */
export type AgentSpec = {
  readonly kind: AgentKindName;
  /** What follows the colon; empty when nothing does. */
  readonly target: string;
  /** The spec as written, credentials aside: the agent's name in reports and in the run folder's name. */
  readonly text: string;
  /** What follows "?", for the kinds that take parameters: pairs in their order, not yet checked. */
  readonly params?: readonly (readonly [name: string, value: string])[];
};

/** A message about a spec that is refused. */
export function refuseSpec({ text }: Pick<AgentSpec, 'text'>, problem: string): string {
  return `EVAL_AGENT=${escapeLine(text, 1_000)}: ${problem}`;
}

type Values<Table> = { readonly [K in keyof Table]?: Table[K] extends ValueParser<infer T> ? T : never };

/** Checks the parameters of a spec, as in `openai:MODEL?temperature=0`, against a kind's table; absent ones stay absent. */
export function readParameters<const Table extends Readonly<Record<string, ValueParser<unknown>>>>(
  spec: AgentSpec,
  table: Table,
): Values<Table> {
  const { kind, target, params = [] } = spec;
  const fail = (problem: string) => new Error(refuseSpec(spec, problem));
  if (target === '') throw fail(`no model is named. Write it after the colon, as in ${kind}:MODEL.`);
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
