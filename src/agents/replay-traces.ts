import { readReply } from '../data/files/genai-attributes.ts';
import { type RecordedRequest, readRequests } from '../data/files/recorded-requests.ts';
import { type Agent, AgentError, type Answer, ERROR_KINDS, type Sent } from '../words/answer.ts';
import { toCutShort } from '../words/audience.ts';
import { omitNullish, textField } from '../words/fields.ts';
import type { Message } from '../words/sample.ts';
import { cutLong, lineIf, plural, toNotes } from '../words/show.ts';
import { isCount } from './fields.ts';
import type { ModelSetting } from './model-agent.ts';
import type { PriceTable } from './price.ts';
import { describeUnknownIds, type ReplayedSuite, replay, toRecording } from './replay.ts';
import { MAX_TEXT, parseSteps } from './returned-answer.ts';
import type { AgentSpec } from './spec.ts';
import { toTracedAnswer } from './traced-answer.ts';

/** The agent of `replay:traces.jsonl`: it returns the answers that the traces recorded. */
export async function replayTraces(
  { target, text }: AgentSpec,
  setting: ReplayedSuite & Pick<ModelSetting, 'prices'>,
): Promise<readonly Agent[]> {
  const { requests } = readRequests(target);
  const whole = requests.filter(({ isCut }) => !isCut);
  const trials = whole.map(async (request) => {
    return { id: request.id, trial: 1, outcome: await toOutcome(request, setting.prices) };
  });
  const recording = toRecording(await Promise.all(trials));
  const isCut = whole.length < requests.length;
  const cut = plural(requests.length - whole.length, 'answer is', 'answers are');
  const notes = [
    ...describeUnknownIds(recording, target, setting),
    ...toNotes('left out', lineIf(isCut, `${cut} cut in the traces, and not graded.`)),
  ];
  // What a trace does not have is not wrong.
  return [{ ...replay(text, recording, notes, null), recorded: null }];
}

async function toOutcome(
  { roots, trace, messages }: RecordedRequest,
  prices?: PriceTable,
): Promise<Answer | AgentError> {
  const { attributes, failed, message } = roots.at(-1) ?? roots[0];
  const { output, trace: steps, ...facts } = await toTracedAnswer(trace, prices);
  const progress = {
    ...facts,
    ...(steps.length > 0 ? { trace: parseSteps(steps) ?? [] } : {}),
    sent: toSentMessages(trace.messages),
    ...toConversation(messages, output),
  };
  const latencyMs = readLatency(roots);
  const type = textField(attributes, 'error.type');
  if (failed) {
    const kind = ERROR_KINDS.find((each) => each === type) ?? 'agent_crash';
    const what = message || type || 'the agent failed';
    return new AgentError(kind, what, { latencyMs, progress });
  }
  const reason = textField(attributes, 'viva.reason');
  const stop = readReply(roots.at(-1) ?? roots[0]).stop ?? trace.trace.at(-1)?.stop ?? '';
  const cutShort =
    toCutShort(reason) ?? (/^(?:length|max_\w*tokens)$/.test(stop) ? 'max_tokens' : null);
  return {
    output,
    latencyMs,
    ...progress,
    ...(output === null ? { reason: reason ?? 'empty' } : omitNullish({ cutShort })),
  };
}

/** viva's own export says how long an agent worked: a replay is answered at once. */
function readLatency(roots: RecordedRequest['roots']): number | null {
  const [{ attributes, from }] = roots;
  const worked = attributes['viva.latency_ms'];
  if ('viva.state' in attributes) return isCount(worked) ? worked : null;
  return roots.reduce((latest, { to }) => Math.max(latest, to), from) - from;
}

/** All that was said in a conversation; nothing for a single question. */
function toConversation(
  before: readonly Message[],
  output: string | null,
): Pick<Answer, 'messages' | 'conversation'> {
  if (before.filter(({ role }) => role === 'user').length < 2) return {};
  const reply = output === null ? [] : [{ role: 'assistant' as const, content: output }];
  const messages = [...before, ...reply];
  const turns = messages.filter(({ role }) => role === 'assistant').length;
  return { messages, conversation: { turns, ended: 'turns' } };
}

function toSentMessages(messages: RecordedRequest['trace']['messages']): Sent {
  const sent = messages.flatMap<Sent['messages'][number]>(({ role, text }) =>
    role === 'system' || role === 'user' ? { role, text: cutLong(text, MAX_TEXT) } : [],
  );
  return { messages: sent, tools: [] };
}
