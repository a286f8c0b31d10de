import { type Options, query } from '@anthropic-ai/claude-agent-sdk';
import type { SuiteAgent } from '../../../src/index.ts';
import { readClaude } from '../claude-code.ts';

/** An agent of the Claude Agent SDK, which works in the work folder of the question. */
export default {
  priced: true,
  answer: ({ prompt }, context) => {
    const abortController = new AbortController();
    context.signal.addEventListener('abort', () => abortController.abort());
    const options = {
      ...{ abortController, cwd: context.workdir, maxTurns: context.maxSteps ?? 20 },
      // The one that is installed. The package brings its own if you leave this out.
      pathToClaudeCodeExecutable: 'claude',
      ...{ model: 'sonnet', permissionMode: 'acceptEdits' as const, settingSources: [] },
    };
    return readClaude(ask(prompt, options), context);
  },
} satisfies SuiteAgent;

async function* ask(prompt: string, options: Options) {
  for await (const message of query({ prompt, options })) {
    const { type } = message;
    if (type === 'assistant' || type === 'user' || type === 'result') yield message;
  }
}
