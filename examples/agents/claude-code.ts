import { type AgentContext, AgentError, type ErrorKind, type SuiteAgent } from 'viva';
import { runProgram } from './run-program.ts';

const ARGS =
  '-p --output-format stream-json --verbose --model sonnet --permission-mode acceptEdits';

/** Claude Code, which works in the work folder of the question. */
export default {
  priced: true,
  answer: ({ prompt }, context) =>
    readClaude(runProgram<ClaudeMessage>('claude', ARGS.split(' '), prompt, context), context),
} satisfies SuiteAgent;

/** Makes an answer of the messages of Claude Code, or of the Claude Agent SDK. */
export async function readClaude(messages: AsyncIterable<ClaudeMessage>, context: AgentContext) {
  const trace: Step[] = [];
  let [end, error]: [ClaudeMessage?, string?] = [];
  for await (const message of messages) {
    if (message.type === 'result') end = message;
    // What comes next is only the program's exit code 1.
    if (message.type === 'result' && message.is_error) break;
    if (message.type === 'assistant') error = message.error;
    // Of subagents the trace has the call that started them, with its result.
    if (message.parent_tool_use_id == null) noteMessage(message, trace);
    context.onProgress({ trace });
  }
  if (end === undefined) throw new Error('Claude Code ended without a result.');
  const models = Object.entries(end.modelUsage ?? {});
  const sum = (name: keyof Tokens) => models.reduce((total, [, used]) => total + used[name], 0);
  const [cached_tokens, output_tokens] = [sum('cacheReadInputTokens'), sum('outputTokens')];
  const input_tokens = sum('inputTokens') + sum('cacheCreationInputTokens') + cached_tokens;
  const usage = { input_tokens, cached_tokens, output_tokens };
  const model = trace.at(-1)?.model ?? '';
  const spent = {
    model,
    usage,
    costUsd: end.total_cost_usd ?? 0,
    steps: end.num_turns ?? 0,
    trace,
  };
  context.onProgress(spent);
  const { subtype = '', result, errors = [], is_error } = end;
  if (subtype === 'success' && !is_error) return { output: result ?? '', ...spent };
  if (subtype.startsWith('error_max')) return { output: null, reason: subtype, ...spent };
  throw new AgentError(KINDS[error ?? ''] ?? 'agent_crash', result ?? errors.join(' '));
}

/** Adds the texts and calls of a reply, or the results of calls. */
function noteMessage({ type, message }: ClaudeMessage, trace: Step[]): void {
  if (message === undefined || typeof message.content === 'string') return;
  const { id, model, content } = message;
  // Each block of a reply is a message of its own, with the id of the reply.
  if (type === 'assistant' && trace.at(-1)?.id !== id)
    trace.push({ id, model, text: '', reasoning: '', tool_calls: [] });
  const calls = trace.flatMap((step) => step.tool_calls);
  for (const block of content) {
    const step = type === 'assistant' ? trace.at(-1) : undefined;
    if (block.type === 'text' && step) step.text += block.text;
    if (block.type === 'thinking' && step) step.reasoning += block.thinking;
    if (block.type === 'tool_use')
      step?.tool_calls.push({ id: block.id, name: block.name, arguments: block.input });
    if (block.type !== 'tool_result') continue;
    const call = calls.find((other) => other.id === block.tool_use_id);
    Object.assign(call ?? {}, { result: block.content, failed: block.is_error });
  }
}

/** Errors that are not the agent's, as the message before the result names them. */
const KINDS: Readonly<Record<string, ErrorKind>> = {
  ...{ authentication_failed: 'auth', oauth_org_not_allowed: 'auth', billing_error: 'quota' },
  ...{ rate_limit: 'rate_limit', overloaded: 'server', server_error: 'server' },
};

type Call = { id: unknown; name: unknown; arguments: unknown };
type Step = Record<'id' | 'model', string | undefined> & {
  text: string;
  reasoning: string;
  tool_calls: Call[];
};
/** What is read of a message. */
export type ClaudeMessage = {
  type: string;
  parent_tool_use_id?: string | null;
  error?: string;
  message?: { id?: string; model?: string; content: string | readonly Block[] };
  subtype?: string;
  is_error?: boolean;
  result?: string;
  errors?: readonly string[];
  num_turns?: number;
  total_cost_usd?: number;
  modelUsage?: Record<string, Tokens>;
};
type Block = { type: string } & {
  [K in
    | 'text'
    | 'thinking'
    | 'id'
    | 'name'
    | 'input'
    | 'tool_use_id'
    | 'content'
    | 'is_error']?: unknown;
};
type Tokens = Record<
  'inputTokens' | 'outputTokens' | 'cacheReadInputTokens' | 'cacheCreationInputTokens',
  number
>;
