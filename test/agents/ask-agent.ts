import { vi } from 'vitest';
import { createAgents, parseAgentSpecs } from '../../src/agents/kinds.ts';
import type { ModelSetting } from '../../src/agents/model-agent.ts';
import type { ModuleSetting } from '../../src/agents/module.ts';
import type { Agent, Answer, AnswerContext } from '../../src/words/answer.ts';
import type { Attachment } from '../../src/words/sample.ts';
import { toAsked, UNLIMITED } from '../../src/words/types.fixture.ts';

/** A key that no message, file or trace may show. */
export const SECRET = 'sk-secret-0123456789';

export type AskOptions = {
  readonly setting?: ModelSetting;
  readonly attachments?: readonly Attachment[];
  readonly context?: Partial<AnswerContext>;
};

/** The agent that a spec names, with keys in the environment as a user has them. */
export async function makeAgent(
  spec: string,
  setting: ModelSetting & ModuleSetting = {},
): Promise<Agent> {
  vi.stubEnv('OPENAI_API_KEY', SECRET);
  vi.stubEnv('ANTHROPIC_API_KEY', SECRET);
  const [parsed] = parseAgentSpecs(spec) ?? [];
  if (parsed === undefined) throw new Error(`${spec} names no agent.`);
  const [agent] = await createAgents(parsed, {
    suite: 'gaia',
    ids: [],
    predictions: '',
    pauseMs: 1,
    ...setting,
  });
  if (agent === undefined) throw new Error(`${spec} makes no agent.`);
  return agent;
}

/** Asks the agent that a spec names one question. */
export async function askAgent(spec: string, options: AskOptions = {}): Promise<Answer> {
  const agent = await makeAgent(spec, options.setting);
  const question = toAsked('What is 6 times 7?', { attachments: options.attachments ?? [] });
  return agent.answer(question, { ...UNLIMITED, deadlineMs: 60_000, ...options.context });
}
