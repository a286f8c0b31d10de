import type { Agent } from '../types.ts';
import type { AgentKind, AgentSpec } from './agent-spec.ts';
import type { ModelSetting } from './model-agent.ts';
import type { ReplayedSuite } from './replay.ts';

/** What agents are made with. */
export type AgentSetting = ReplayedSuite & ModelSetting;

type Creator = (spec: AgentSpec, setting: AgentSetting) => readonly Agent[] | Promise<readonly Agent[]>;

/**
 * How each kind of agent is made; only the files of the kind that is asked for are loaded, since each costs its time at
 * the start of a run. To add one: its prefix in agent-spec.ts, its file, and a line here.
 */
const CREATORS: Readonly<Record<AgentKind, () => Promise<Creator>>> = {
  replay: async () => (await import('./replay.ts')).createReplays,
  openai: async () => (await import('./openai-responses.ts')).createOpenAIResponses,
  'openai-chat': async () => (await import('./openai-chat.ts')).createOpenAIChat,
  anthropic: async () => (await import('./anthropic.ts')).createAnthropic,
  module: async () => (await import('./module.ts')).createModuleAgents,
  command: async () => (await import('./command.ts')).createCommandAgents,
};

/** The agents that one spec of EVAL_AGENT stands for. */
export async function createAgents(spec: AgentSpec, setting: AgentSetting): Promise<readonly Agent[]> {
  const create = await CREATORS[spec.kind]();
  return create(spec, setting);
}
