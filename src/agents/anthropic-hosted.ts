import { BLOCKED_DOMAINS } from '../tools/web/leak-guard.ts';
import { chooseHosted, type HostedName, type HostedTool, hostedTool } from './hosted-tools.ts';

const SEARCHES = ['web_search_20250305', 'web_search_20260209', 'web_search_20260318'] as const;
const FETCHES = ['web_fetch_20250910', 'web_fetch_20260209', 'web_fetch_20260309', 'web_fetch_20260318'] as const;
const CODES = ['code_execution_20250825', 'code_execution_20260120', 'code_execution_20260521'] as const;

/** The provider's own tools by parameter: "on" is the first version, which every model knows that has the tool. */
export const ANTHROPIC_HOSTED = {
  web_search: hostedTool(...SEARCHES),
  web_fetch: hostedTool(...FETCHES),
  code_execution: hostedTool(...CODES),
} as const;

type Version<T extends readonly string[]> = 'on' | 'off' | T[number];

type Values = {
  readonly tools?: boolean;
  readonly web_search?: Version<typeof SEARCHES>;
  readonly web_fetch?: Version<typeof FETCHES>;
  readonly code_execution?: Version<typeof CODES>;
};

/** As requests name them: what reads the web leaves the sites out that hold copies of GAIA. */
export function chooseAnthropicTools(values: Values, committed: readonly HostedName[]) {
  const setting = values.tools === false ? [] : committed;
  const search = chooseHosted<(typeof SEARCHES)[number]>('web_search', values.web_search, SEARCHES[0], setting);
  const fetch = chooseHosted<(typeof FETCHES)[number]>('web_fetch', values.web_fetch, FETCHES[0], setting);
  const code = chooseHosted<(typeof CODES)[number]>('code_execution', values.code_execution, CODES[0], setting);
  const blocked_domains = [...BLOCKED_DOMAINS];
  return [
    ...(search === null ? [] : [{ type: search, name: 'web_search' as const, blocked_domains }]),
    ...(fetch === null
      ? []
      : [{ type: fetch, name: 'web_fetch' as const, blocked_domains, max_content_tokens: 30_000 }]),
    ...(code === null ? [] : [{ type: code, name: 'code_execution' as const }]),
  ];
}

export type AnthropicHosted = ReturnType<typeof chooseAnthropicTools>;

export function describeAnthropicTools(tools: AnthropicHosted): readonly HostedTool[] {
  return tools.map(({ type, name }) => ({ type, guarded: name === 'code_execution' ? null : true }));
}
