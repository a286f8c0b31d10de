import { type Reply, type SeenRequest, startScriptedServer } from '../agents/scripted-server.ts';
import { findProblems } from './checks.ts';
import { toGiven, toSent, type WireReply } from './forms.ts';
import { type CacheUse, PromptCache } from './prompt-cache.ts';
import { type Api, type Fields, readRequest } from './request.ts';

/** A request with what is wrong with it, and what Anthropic's cache made of it. */
type JudgedRequest = SeenRequest & {
  readonly problems: readonly string[];
  readonly cache: CacheUse | null;
};

/**
 * A scripted server that refuses what real servers of its API refuse, in their words, with a 400.
 * The replies follow each other, one for each request that was right, the last one for ever.
 */
export async function startStrictServer(api: Api, replies: readonly WireReply[]) {
  const judged: JudgedRequest[] = [];
  const given = new Map<number, unknown>();
  const cache = new PromptCache();
  let played = 0;
  const server = await startScriptedServer((seen): Reply => {
    const request = readRequest(api, seen.body);
    const problems = findProblems(request, given);
    const use = api === 'anthropic' && problems.length === 0 ? cache.count(seen.body) : null;
    judged.push({ ...seen, problems, cache: use });
    if (problems.length > 0) return { status: 400, body: toErrorBody(api, problems.join('; ')) };
    const reply = replies[Math.min(played, replies.length - 1)];
    if (reply === undefined) throw new Error('The script is empty.');
    played += 1;
    // A reply that is asked for again is replaced.
    given.set(request.turns.length, toGiven(reply));
    return toSent(api, reply, seen.body.stream === true, toUsage(api, use));
  });
  return { url: server.url, requests: judged as readonly JudgedRequest[] };
}

function toErrorBody(api: Api, message: string): Fields {
  const error = { type: 'invalid_request_error', message };
  return api === 'anthropic'
    ? { type: 'error', error }
    : { error: { ...error, param: null, code: null } };
}

function toUsage(api: Api, use: CacheUse | null): Fields {
  if (api === 'openai-chat')
    return { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
  return { input_tokens: 100, output_tokens: 20, ...use };
}
