import type { Agent } from '../types.ts';
import type { AgentKindName, AgentSpec } from './kinds.ts';
import type { ModelSetting } from './model-agent.ts';
import type { ModuleSetting } from './module.ts';
import type { ReplayedSuite } from './replay.ts';

/** The settings for making agents. */
type AgentSetting = ReplayedSuite & ModelSetting & ModuleSetting;

type Create = (spec: AgentSpec, setting: AgentSetting) => Agent | readonly Agent[] | Promise<Agent>;

/**
 * Makes each kind of agent. The file of a kind and its SDK are loaded only for an agent of that
 * kind.
 */
const LOAD: Readonly<Record<AgentKindName, () => Promise<Create>>> = {
  replay: async () => (await import('./replay.ts')).createReplays,
  openai: async () => (await import('./openai-responses.ts')).createOpenAIResponses,
  'openai-chat': async () => (await import('./openai-chat.ts')).createOpenAIChat,
  anthropic: async () => (await import('./anthropic.ts')).createAnthropic,
  module: async () => (await import('./module.ts')).createModuleAgent,
  command: async () => (await import('./command.ts')).createCommandAgent,
};

/**
 * Makes the agents of one spec of EVAL_AGENT. Only the replay of a run with several agents gives
 * more than one. Throws an Error for a wrong parameter, a missing file or a missing package. A
 * missing API key is no error here: it is in the agent's `notReadyReason`.
 */
export async function createAgents(
  spec: AgentSpec,
  setting: AgentSetting,
): Promise<readonly Agent[]> {
  const create = await LOAD[spec.kind]();
  return [await create(spec, setting)].flat();
}
