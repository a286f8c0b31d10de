import { hash } from 'node:crypto';
import { formatDollars, formatSeconds } from './amounts.js';
import type { Sent, TraceFile, TraceStep } from './answer.ts';
import type { Json, Message, Question } from './sample.ts';
import { escapeControls, lineIf, plural, toText, toTextOrNull } from './show.ts';
import { withoutThoughts } from './thoughts/thoughts.ts';

/** A prompt as a question has it: the only message of its conversation. */
export function withMessages(prompt: string): Pick<Question, 'prompt' | 'messages'> {
  return { prompt, messages: [{ role: 'user', content: prompt }] };
}

/**
 * What others hear of an output: not what a model thinks, as chat templates leave it out. A value is
 * JSON.
 */
export function saidIn(output: Json): string {
  return typeof output === 'string' ? withoutThoughts(output) : toText(output, 2);
}

/** The question of a conversation's last reply: all that was said before it. */
export function quoteDialogue(messages: readonly Message[]): string {
  return quoteMessages(messages.slice(0, -1));
}

export function quoteMessages(messages: readonly Message[]): string {
  return messages.map(({ role, content }) => `[${role}]\n${content}`).join('\n\n');
}

/**
 * An output as the file of a trace has it: a long one, which the row has too, by its beginning and its
 * hash.
 */
export function toTraceOutput(output: Json): string | null {
  const text = toTextOrNull(output, 2);
  if (text === null || text.length <= MOST_TWICE) return text;
  return `${text.slice(0, 1000)}… (${text.length} characters, SHA-256 ${hash('sha256', text)}; samples.jsonl has all)`;
}

/** In characters. A longer text is stored once. */
const MOST_TWICE = 100_000;

/** What an agent was sent and what followed; `sent` is absent where the agent did not say. */
export type Trace = Readonly<{
  sent?: Sent | undefined;
  steps: readonly TraceStep[];
  /** Of a conversation: what the user and the agent said. */
  messages?: readonly Message[];
}>;

/**
 * The steps to show. Of a conversation with an agent that reports none, they are the messages after
 * the first, which is what it was sent.
 */
export function listSteps({ steps, messages = [] }: Trace): readonly TraceStep[] {
  if (steps.length > 0) return steps;
  return messages.slice(1).map(({ role, content: text }) => {
    const step = { text, reasoning: null, tool_calls: [], stop: null, usage: null };
    return role === 'user' ? { role, ...step } : step;
  });
}

/** What somebody says or does, as traces are shown. */
export type Turn = Readonly<{
  /** "system", "user", "model", or the name of a tool. */
  who: string;
  /** What it does if it does not just speak: "thinks", "calls calculate", "failed". */
  does?: string;
  text: string;
  /** Time since the start of the question, tokens and cost, as far as they are known. */
  note?: string;
}>;

/** A trace as a conversation. It ends with the output if no step has it. */
export function toTurns(trace: Trace, output: string | null): readonly Turn[] {
  const { sent } = trace;
  const steps = listSteps(trace);
  const forms = new Set(
    output === null ? [] : [output.trim(), withoutThoughts(output) || output.trim()],
  );
  const isSaid =
    output === null || steps.some(({ text }) => text !== null && forms.has(text.trim()));
  return [
    ...(sent === undefined ? [] : turnsOfSent(sent)),
    ...steps.flatMap(turnsOfStep),
    ...(isSaid ? [] : [{ who: 'model', text: output }]),
  ];
}

/** The messages that an agent was sent. The tools that it was offered are named below the last. */
function turnsOfSent({ messages, tools }: Sent): readonly Turn[] {
  return messages.map(({ role, text, files = [] }, index) => {
    const isLast = index === messages.length - 1;
    const offered = lineIf(isLast && tools.length > 0, `Tools: ${tools.join(', ')}`);
    return { who: role, text: [text, ...files.map(describeFile), ...offered].join('\n') };
  });
}

/**
 * A reply with its calls, and what came of them. Its time, tokens and cost are those of the whole
 * reply.
 */
export function turnsOfStep(step: TraceStep): readonly Turn[] {
  const { role = 'model', text, reasoning, tool_calls, stop } = step;
  const turns: readonly Turn[] = [
    ...(reasoning ? [{ who: role, does: 'thinks', text: reasoning }] : []),
    ...(text ? [{ who: role, text }] : []),
    ...tool_calls.map((call) => ({ who: role, does: `calls ${call.name}`, text: call.arguments })),
  ];
  const [first = { who: role, text: stop === null ? 'no text' : `no text (${stop})` }, ...others] =
    turns;
  return [
    { ...first, ...note(describeReply(step)) },
    ...others,
    ...tool_calls.flatMap(turnsOfResult),
  ];
}

/** Turns as plain text, a paragraph each, below who speaks. */
export function renderTurns(turns: readonly Turn[]): string {
  const paragraphs = turns.map((turn) => `--- ${describeHead(turn)}\n${turn.text.trim()}\n`);
  return paragraphs.join('\n').split('\n').map(escapeControls).join('\n');
}

/** "model calls calculate (at 1.2 s, 100 tokens in, 10 out)" */
export function describeHead({ who, does, note }: Turn): string {
  return `${who}${does === undefined ? '' : ` ${does}`}${note === undefined ? '' : ` (${note})`}`;
}

function turnsOfResult({
  name,
  result,
  failed,
  at_ms,
  files = [],
}: TraceStep['tool_calls'][number]): readonly Turn[] {
  if (result === null) return [];
  const text = [result, ...files.map(describeFile)].join('\n');
  return [{ who: name, ...(failed ? { does: 'failed' } : {}), text, ...note(describeTime(at_ms)) }];
}

function note(parts: readonly string[]): { readonly note?: string } {
  return parts.length === 0 ? {} : { note: parts.join(', ') };
}

function describeReply({ at_ms, usage, cost_usd }: TraceStep): readonly string[] {
  return [
    ...describeTime(at_ms),
    ...lineIf(usage !== null, `${usage?.input_tokens} tokens in, ${usage?.output_tokens} out`),
    ...lineIf(cost_usd !== undefined, formatDollars(cost_usd)),
  ];
}

function describeTime(ms: number | undefined): readonly string[] {
  return ms === undefined ? [] : [`at ${formatSeconds(ms)}`];
}

function describeFile({ name, bytes }: TraceFile): string {
  return `File: ${name}, ${plural(bytes, 'byte')}`;
}
