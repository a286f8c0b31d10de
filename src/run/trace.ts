import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { TestContext } from 'vitest';
import { toSent } from '../agents/returned-answer.ts';
import { toTracePath } from '../store/run-folder.ts';
import { formatSeconds } from '../words/amounts.js';
import type { Outcome, Progress, Sent } from '../words/answer.ts';
import {
  describeHead,
  renderTurns,
  type Trace,
  type Turn,
  toTurns,
  turnsOfStep,
} from '../words/conversation.ts';
import { type SampleResult, STATES } from '../words/row.ts';
import type { Message, Sample } from '../words/sample.ts';
import { redactIn, redactMessage } from '../words/secrets.ts';
import { cutLong, escapeLine, plural, toTextOrNull, tryOrUndefined } from '../words/show.ts';
import { writeOwn } from './guard-output.ts';
import type { AgentLane } from './lanes.ts';
import { fillPrompt } from './prompt.ts';
import { toNeutralNames } from './workdir.ts';

/**
 * The trace of a result; null for a replay without steps. An agent that reports no steps has one
 * only for a failure: thousands of right answers would each cost a file that says nothing new.
 */
export function toTrace(
  outcome: Outcome,
  { state }: SampleResult,
  sample: Sample,
  { agent, prompt, secrets }: Pick<AgentLane, 'agent' | 'prompt' | 'secrets'>,
): Trace | null {
  const { trace, sent, messages } =
    outcome.outcome === 'answered' ? outcome.answer : outcome.error.progress;
  if (
    trace === undefined &&
    messages === undefined &&
    (agent.replayAnswer !== undefined || !STATES[state].fails)
  )
    return null;
  return {
    sent: sent ?? redactIn(sentTo(sample, prompt.text, messages), secrets, redactMessage),
    steps: trace ?? [],
    messages,
  };
}

/**
 * Attaches the conversation of a failed case as a text, which the Vitest UI can open. Only the UI
 * gets one without steps: a terminal would print a line for it.
 */
export async function attachTrace(
  { annotate }: Pick<TestContext, 'annotate'>,
  trace: Trace,
  row: SampleResult,
  isUi: boolean,
): Promise<void> {
  if (!isUi && trace.steps.length === 0) return;
  const name = basename(toTracePath(row), '.json');
  const body = cutLong(renderTurns(toTurns(trace, toTextOrNull(row.output, 2))), MAX_TEXT);
  // A run that ends must not hide the failure of the case.
  await annotate(name, 'trace', { body, bodyEncoding: 'utf-8', contentType: 'text/plain' }).catch(
    () => undefined,
  );
}

/** Vitest keeps what is attached in memory. The trace file has the whole text. */
const MAX_TEXT = 50_000;

/** What an agent of the user is given. A cached answer of an older version has only that too. */
function sentTo(sample: Sample, prompt: string, messages?: readonly Message[]): Sent {
  const names = toNeutralNames(sample.attachments);
  const files = sample.attachments.map(({ path }, index) => {
    return { name: names[index] ?? '', bytes: tryOrUndefined(() => statSync(path).size) ?? 0 };
  });
  const first = messages === undefined ? sample : { ...sample, input: messages[0]?.content ?? '' };
  return toSent(fillPrompt(first, prompt), [], files);
}

export type StreamOptions = Readonly<{
  /** The beginning of each line: several trials run at once. */
  name: string;
  isHidden: boolean;
  secrets: readonly string[];
}>;

/** The events of a trial that EVAL_STREAM shows. */
export type Stream = {
  onAsked(prompt: string): void;
  onProgress(progress: Progress): void;
  onResult(row: SampleResult): void;
};

/**
 * Shows the steps of an agent as they happen, a line each. Each report has all steps so far; each
 * step is shown once.
 */
export function streamSteps(
  { name, isHidden, secrets }: StreamOptions,
  write: (line: string) => void = writeOwn,
): Stream {
  const shown = new Set<string>();
  const texts = new Set<string | null>();
  const show = (text: string) => write(`${escapeLine(name, 400)}${escapeLine(text, MAX_LENGTH)}\n`);
  return {
    onAsked: (prompt) =>
      show(
        `: user: ${isHidden ? shorten(prompt, true) : cutStart(redactMessage(prompt, secrets))}`,
      ),
    onProgress({ trace = [] }) {
      for (const [index, step] of trace.entries()) {
        texts.add(step.text?.trim() ?? null);
        for (const line of turnsOfStep(step).map((turn) => describeTurn(turn, isHidden))) {
          if (shown.has(`${index} ${line}`)) continue;
          shown.add(`${index} ${line}`);
          // Keys are already redacted in a row, but not in a step.
          show(` step ${index + 1}: ${redactMessage(line, secrets)}`);
        }
      }
    },
    onResult: ({ state, reason, latency_ms, output: value, error }) => {
      const output = toTextOrNull(value);
      const why = reason === null ? '' : ` (${reason})`;
      const time = latency_ms === null ? '' : ` after ${formatSeconds(latency_ms)}`;
      const text = error?.message ?? (texts.has(output?.trim() ?? null) ? null : output);
      show(`: ${state}${why}${time}${text === null ? '' : `: ${shorten(text, isHidden)}`}`);
    },
  };
}

const MAX_LENGTH = 300;

function describeTurn(turn: Turn, isHidden: boolean): string {
  return `${describeHead(turn)}: ${shorten(turn.text, isHidden)}`;
}

/** The question often comes last in a prompt. */
function cutStart(prompt: string): string {
  const line = prompt.replace(/\s+/g, ' ').trim();
  const most = MAX_LENGTH - 20;
  return line.length <= most ? line : `…${line.slice(-most)}`;
}

function shorten(text: string, isHidden: boolean): string {
  if (isHidden) return `(${plural(text.length, 'character')})`;
  return text
    .slice(0, 2 * MAX_LENGTH)
    .replace(/\s+/g, ' ')
    .trim();
}
