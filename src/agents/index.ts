import type { Agent } from '../types.ts';
import { type AgentSetting, type AgentSpec, kindOf } from './kinds.ts';

/**
 * Makes the agents of one spec of EVAL_AGENT. Only the replay of a run with several agents gives
 * more than one. Throws an Error for a wrong parameter, a missing file or a missing package. A
 * missing API key is no error here: it is in the agent's `notReadyReason`.
 */
export async function createAgents(
  spec: AgentSpec,
  setting: AgentSetting,
): Promise<readonly Agent[]> {
  const create = (await kindOf(spec).load?.()) ?? (await import('./own-kind.ts')).createOfOwnKind;
  return [await create(spec, setting)].flat();
}
