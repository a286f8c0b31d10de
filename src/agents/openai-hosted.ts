import type OpenAI from 'openai';
import { chooseHosted, type HostedName, type HostedTool, hostedTool } from './hosted-tools.ts';

/** The provider's own tools by parameter; its search reads pages too. */
export const OPENAI_HOSTED = { web_search: hostedTool(), code_execution: hostedTool() } as const;

type Values = { readonly tools?: boolean; readonly web_search?: 'on' | 'off'; readonly code_execution?: 'on' | 'off' };

export type OpenAIHosted = OpenAI.Responses.WebSearchTool | OpenAI.Responses.Tool.CodeInterpreter;

/** As requests name them. The search takes a list of the only sites to use, and none of sites to leave out. */
export function chooseOpenAITools(values: Values, committed: readonly HostedName[]): readonly OpenAIHosted[] {
  const setting = values.tools === false ? [] : committed;
  const search = chooseHosted('web_search', values.web_search, 'on', setting);
  const code = chooseHosted('code_execution', values.code_execution, 'on', setting);
  return [
    ...(search === null ? [] : [{ type: 'web_search' as const }]),
    ...(code === null ? [] : [{ type: 'code_interpreter' as const, container: { type: 'auto' as const } }]),
  ];
}

export function describeOpenAITools(tools: readonly OpenAIHosted[]): readonly HostedTool[] {
  return tools.map(({ type }) => ({ type, guarded: type === 'code_interpreter' ? null : false }));
}

/** What of them replies are to show, for the trace. */
export function toIncluded(tools: readonly OpenAIHosted[]): readonly OpenAI.Responses.ResponseIncludable[] {
  return tools.map(({ type }) =>
    type === 'code_interpreter' ? 'code_interpreter_call.outputs' : 'web_search_call.action.sources',
  );
}
