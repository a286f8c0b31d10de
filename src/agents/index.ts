import type { Agent } from '../types.ts';
import type { AgentKind, AgentSpec } from './agent-spec.ts';
import { createAnthropic } from './anthropic.ts';
import { createCommandAgents } from './command.ts';
import type { ModelSetting } from './model-agent.ts';
import { createModuleAgents } from './module.ts';
import { createOpenAIChat } from './openai-chat.ts';
import { createOpenAIResponses } from './openai-responses.ts';
import { createReplays, type ReplayedSuite } from './replay.ts';

/** What agents are made with. */
export type AgentSetting = ReplayedSuite & ModelSetting;

type Creator = (spec: AgentSpec, setting: AgentSetting) => readonly Agent[] | Promise<readonly Agent[]>;

/** How each kind of agent is made. To add one: its prefix in agent-spec.ts, its file, and a line here. */
const CREATORS: Readonly<Record<AgentKind, Creator>> = {
  replay: createReplays,
  openai: createOpenAIResponses,
  'openai-chat': createOpenAIChat,
  anthropic: createAnthropic,
  module: createModuleAgents,
  command: createCommandAgents,
};

/** The agents that one spec of EVAL_AGENT stands for. */
export async function createAgents(spec: AgentSpec, setting: AgentSetting): Promise<readonly Agent[]> {
  return CREATORS[spec.kind](spec, setting);
}
