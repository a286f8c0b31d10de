import type { Agent } from '../types.ts';
import type { AgentKindName, AgentSpec } from './kinds.ts';
import type { ModelSetting } from './model-agent.ts';
import type { ReplayedSuite } from './replay.ts';

/** What agents are made with. */
type AgentSetting = ReplayedSuite & ModelSetting;

type Create = (spec: AgentSpec, setting: AgentSetting) => readonly Agent[] | Promise<readonly Agent[]>;

/** How each kind of agent is made. A kind's file, and with it its SDK, is loaded only for an agent that is asked for. */
const LOAD: Readonly<Record<AgentKindName, () => Promise<Create>>> = {
  replay: async () => (await import('./replay.ts')).createReplays,
  openai: async () => (await import('./openai-responses.ts')).createOpenAIResponses,
  'openai-chat': async () => (await import('./openai-chat.ts')).createOpenAIChat,
  anthropic: async () => (await import('./anthropic.ts')).createAnthropic,
  module: async () => (await import('./module.ts')).createModuleAgents,
  command: async () => (await import('./command.ts')).createCommandAgents,
};

/** Makes the agents that one spec of EVAL_AGENT stands for. */
export async function createAgents(spec: AgentSpec, setting: AgentSetting): Promise<readonly Agent[]> {
  const create = await LOAD[spec.kind]();
  return create(spec, setting);
}
