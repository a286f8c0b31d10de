import { maskKeyForms, maskKeys } from '../words/secrets.ts';
import { oneOf, type ValueParser } from '../words/setting-values.ts';
import { escapeLine, quote } from '../words/show.ts';
import { suggest } from '../words/similar-names.ts';

/** One agent of EVAL_AGENT: `kind:target`. */
export type AgentSpec = Readonly<{
  kind: string;
  target: string;
  /**
   * The spec without credentials. It is the agent's name in reports and in the name of the run
   * folder.
   */
  text: string;
  /** The setting that names it, for messages. Default EVAL_AGENT. */
  setting?: string;
  /** The parameters after "?", not yet checked. */
  params?: readonly (readonly [name: string, value: string])[];
}>;

export function refuseSpec(
  { text, setting = 'EVAL_AGENT' }: Pick<AgentSpec, 'text' | 'setting'>,
  problem: string,
): string {
  return `${setting}=${escapeLine(text, 1_000)}: ${escapeLine(problem, 3_000)}`;
}

/** The values of a table's parameters. Absent ones remain absent. */
export type ParameterValues<Table> = {
  readonly [K in keyof Table]?: Table[K] extends ValueParser<infer T> ? T : never;
};

/** Checks the parameters of a spec, as in `openai:MODEL?temperature=0`, against a kind's table. */
export function readParameters<const Table extends Readonly<Record<string, ValueParser<unknown>>>>(
  spec: AgentSpec,
  table: Table,
): ParameterValues<Table> {
  const { kind, target, params = [] } = spec;
  const fail = (problem: string) => new Error(refuseSpec(spec, problem));
  if (target === '')
    throw fail(`no model is named. Write it after the colon, as in ${kind}:MODEL.`);
  if (maskKeyForms(target) !== target)
    throw fail(
      'the name of the model is an API key. Name a model here, and put keys into the environment.',
    );
  const values = new Map<string, unknown>();
  for (const [name, value] of params) {
    const shown = quote(maskKeys(`?${name}=${value}`).slice(name.length + 2));
    const parameter = Object.hasOwn(table, name) ? table[name] : undefined;
    if (parameter === undefined) {
      const remedy = suggest(name, Object.keys(table));
      throw fail(`${quote(name)} (${shown}) is not a parameter of ${kind}.${remedy}`);
    }
    if (values.has(name))
      throw fail(`parameter ${name} is given twice, the second time as ${shown}. Keep one.`);
    const parsed = parameter.parse(value);
    if (parsed === undefined)
      throw fail(`parameter ${name} must be ${parameter.allowed}, got ${shown}.`);
    values.set(name, parsed);
  }
  return Object.fromEntries(values) as ParameterValues<Table>;
}

/** The tools that a provider runs itself. */
export type HostedName = 'web_search' | 'web_fetch' | 'code_execution';

/** The parameter of such a tool: "on", "off" or a version. */
export function hostedTool<const T extends string = never>(
  ...versions: readonly T[]
): ValueParser<'on' | 'off' | T> {
  return oneOf<'on' | 'off' | T>('on', 'off', ...versions);
}

/** The version of a tool to use, in a list; an empty list for none. "on" means the first. */
export function chooseHosted<T extends string>(
  name: HostedName,
  versions: readonly T[],
  values: { readonly [K in HostedName]?: string },
): readonly T[] {
  const chosen = values[name] === 'on' ? versions[0] : values[name];
  return versions.filter((version) => version === chosen);
}

/** How much a model thinks before it answers, by the words of OpenAI and of the AI SDK. */
export const REASONING_EFFORT = oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max');
