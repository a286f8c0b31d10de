import { requirePackage } from '../package.ts';
import type { Agent } from '../types.ts';
import type { AgentKindName, AgentSpec } from './kinds.ts';
import type { ModelSetting } from './model-agent.ts';
import type { ModuleSetting } from './module.ts';
import type { ReplayedSuite } from './replay.ts';

/** What agents are made with. */
type AgentSetting = ReplayedSuite & ModelSetting & ModuleSetting;

type Create = (spec: AgentSpec, setting: AgentSetting) => Agent | readonly Agent[] | Promise<Agent>;

/** How each kind of agent is made. The file of a kind, and its SDK, is loaded only for an agent of that kind. */
const LOAD: Readonly<Record<AgentKindName, () => Promise<Create>>> = {
  replay: async () => (await import('./replay.ts')).createReplays,
  openai: async () => (await import('./openai-responses.ts')).createOpenAIResponses,
  'openai-chat': async () => (await import('./openai-chat.ts')).createOpenAIChat,
  anthropic: async () => (await import('./anthropic.ts')).createAnthropic,
  module: async () => (await import('./module.ts')).createModuleAgent,
  command: async () => (await import('./command.ts')).createCommandAgent,
};

/** Makes the agents that one spec of EVAL_AGENT stands for. */
export async function createAgents(spec: AgentSpec, setting: AgentSetting): Promise<readonly Agent[]> {
  const library = LIBRARIES[spec.kind];
  if (library !== undefined) requirePackage(library, spec.text);
  const create = await LOAD[spec.kind]();
  return [await create(spec, setting)].flat();
}

/** The SDKs, which not everybody installs. */
const LIBRARIES: Readonly<Partial<Record<AgentKindName, string>>> = {
  openai: 'openai',
  'openai-chat': 'openai',
  anthropic: '@anthropic-ai/sdk',
};
