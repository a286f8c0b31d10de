import { runTool, type ToolResult } from '../tools/run-tool.ts';
import { AgentError } from '../types.ts';
import type { Talk } from './model-agent.ts';
import { ReplyCalls } from './reply-calls.ts';
import type { ToolCall, Turn } from './turn.ts';

/** One API's side of a conversation: it keeps the history in the API's own form. */
export type Conversation = {
  /** Sends the history and adds the reply to it. */
  ask(): Promise<Turn>;
  /** Adds the results of the calls of the last reply. */
  tell(results: readonly { readonly call: ToolCall; readonly result: ToolResult }[]): void;
};

/**
 * The loop of ask, run the tools that were called for, tell: until a reply calls for none. What fails in a tool is told
 * to the model. Throws `step_limit` when the last allowed reply still calls for tools.
 */
export async function converse(
  conversation: Conversation,
  talk: Pick<Talk, 'transcript' | 'tools' | 'context' | 'maxSteps' | 'onStep'>,
): Promise<void> {
  const { transcript, tools, context, maxSteps } = talk;
  for (;;) {
    const turn = await conversation.ask();
    transcript.add(turn);
    talk.onStep();
    if (turn.calls.length === 0) return;
    if (transcript.steps >= maxSteps) throw stepLimit(maxSteps);
    const calls = new ReplyCalls();
    const results = turn.calls.map(async (call) => {
      const result = await calls.run(() => runTool(tools, call.name, call.arguments, context));
      transcript.addResult(call, result);
      return { call, result };
    });
    conversation.tell(await Promise.all(results));
    talk.onStep();
  }
}

export function stepLimit(maxSteps: number): AgentError {
  const remedy = 'Raise EVAL_MAX_STEPS or the parameter max_steps.';
  return new AgentError('step_limit', `The model still called for tools after ${maxSteps} requests. ${remedy}`);
}
