import type { Agent } from '../types.ts';
import type { AgentKind, AgentSpec } from './agent-spec.ts';
import { createReplays, type ReplayedSuite } from './replay.ts';

/** How each kind of agent is made. To add one: its prefix in agent-spec.ts, its file, and a line here. */
const CREATORS: Readonly<Record<AgentKind, (spec: AgentSpec, suite: ReplayedSuite) => readonly Agent[]>> = {
  replay: createReplays,
};

/** The agents that one spec of EVAL_AGENT stands for. */
export function createAgents(spec: AgentSpec, suite: ReplayedSuite): readonly Agent[] {
  return CREATORS[spec.kind](spec, suite);
}
