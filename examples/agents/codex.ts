import { AgentError, type ErrorKind, type SuiteAgent } from 'viva';
import { runProgram } from './run-program.ts';

const ARGS = 'exec --json --skip-git-repo-check --sandbox workspace-write -';

/** Codex, which works in the work folder of the question. It does not say what it costs. */
export default (async ({ prompt }, context) => {
  const trace: object[] = [];
  const spent: { usage?: ReturnType<typeof toUsage>; trace: object[] } = { trace };
  let output: string | null = null;
  for await (const event of runProgram<CodexEvent>('codex', ARGS.split(' '), prompt, context)) {
    const { type, item, usage, error } = event;
    if (type === 'turn.failed') throw toError(error?.message ?? 'Codex failed.');
    if (type === 'item.completed' && item !== undefined) trace.push(toStep(item));
    if (item?.type === 'agent_message') output = item.text ?? null;
    if (usage !== undefined) spent.usage = toUsage(usage);
    context.onProgress(spent);
  }
  return { output, ...spent };
}) satisfies SuiteAgent;

/** A message, reasoning, or a call: of a command, of an MCP server, of a search, or an edit. */
function toStep({ id, type, status, text, aggregated_output, result, error, ...rest }: CodexItem) {
  if (type === 'agent_message') return { text };
  if (type === 'reasoning') return { reasoning: text };
  const failed = status === 'failed' || status === 'declined';
  const call = { id, name: rest['tool'] ?? type, arguments: rest, failed };
  return { tool_calls: [{ ...call, result: aggregated_output ?? result ?? error ?? null }] };
}

function toUsage({ input_tokens, cached_input_tokens = 0, output_tokens }: Tokens) {
  return { input_tokens, cached_tokens: cached_input_tokens, output_tokens };
}

/** Errors that are not the agent's, by what Codex says of the last reply of its server. */
function toError(message: string): Error {
  const [, kind] = KINDS.find(([pattern]) => pattern.test(message)) ?? [];
  return new AgentError(kind ?? 'agent_crash', message);
}

const KINDS: readonly (readonly [RegExp, ErrorKind])[] = [
  [/usage limit|quota/i, 'quota'],
  [/\b429\b/, 'rate_limit'],
  [/\b401\b|not logged in/i, 'auth'],
  [/\b5\d\d\b/, 'server'],
  [/stream disconnected|error sending request/i, 'network'],
];

/** What is read of a line of `codex exec --json`. */
type CodexEvent = { type: string; item?: CodexItem; usage?: Tokens; error?: { message: string } };
type CodexItem = { type: string; text?: string } & Record<string, unknown>;
type Tokens = { input_tokens: number; cached_input_tokens?: number; output_tokens: number };
