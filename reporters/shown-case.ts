import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTrace } from '../src/agents/returned-answer.ts';
import { listCriteria } from '../src/figures/judge-calibration.ts';
import { indexPairs } from '../src/figures/preference.ts';
import { listShown, type ShownOption, toShownLabels } from '../src/figures/shown-options.ts';
import { RUN_FILES, toTracePath } from '../src/store/run-folder.ts';
import { nameTrial, readShownQuestions, type StoredRun } from '../src/store/run-reader.ts';
import { type RunRow, toRunRow } from '../src/store/run-row.ts';
import { formatDollars, formatLatency, formatScoreValue } from '../src/words/amounts.js';
import type { TraceStep } from '../src/words/answer.ts';
import { listSteps, toTraceOutput } from '../src/words/conversation.ts';
import { omitNullish } from '../src/words/fields.ts';
import {
  costOf,
  listAccepted,
  type PairVerdicts,
  type SampleResult,
  STATES,
} from '../src/words/row.ts';
import type { Json, Message } from '../src/words/sample.ts';
import {
  cutLong,
  cutTexts,
  escapeLine,
  escapeLines,
  lineIf,
  toTextOrNull,
} from '../src/words/show.ts';
import { nameEnd } from './failure-lines.ts';
import { describePair } from './preference.ts';
import { paint, type Terminal, type Tone, wrap } from './terminal.ts';

/** A row with its question, the tools that its agent called, and where its trace is. */
export type ShownCase = RunRow & {
  /** Also those in the row of the other answer, as verdicts on this one. */
  readonly pairs?: readonly PairVerdicts[];
  /** Absent without a trace. */
  readonly calls?: readonly ShownCall[];
  /** Of a conversation: what the user and the agent said. */
  readonly messages?: readonly Message[];
  /** The path of its file, from the folder of the run. */
  readonly trace?: string;
};

type ShownCall = Pick<TraceStep['tool_calls'][number], 'name' | 'arguments' | 'result' | 'failed'>;

/** The cases of a run that are `wanted`, one by one: the traces of all may not fit in memory. */
export function* listCases(
  run: StoredRun,
  wanted: (row: SampleResult) => boolean,
): Generator<ShownCase, void> {
  const bySuite = Map.groupBy(run.results.filter(wanted), ({ suite }) => suite);
  const hasTraces = existsSync(join(run.folder, RUN_FILES.traces.name));
  const findPairs = indexPairs(run.results);
  for (const [suite, rows] of bySuite) {
    const isHidden = run.isHidden(suite);
    const questions = readShownQuestions(run, suite);
    for (const row of rows) {
      const pairs = findPairs(row);
      const judged = pairs.length === 0 ? row : { ...row, pairs };
      const shown = toRunRow(judged, questions.get(row.id) ?? null, isHidden);
      yield hasTraces && !isHidden ? { ...shown, ...readTraced(run.folder, row) } : shown;
    }
  }
}

function readTraced(
  folder: string,
  row: SampleResult,
): Pick<ShownCase, 'calls' | 'messages' | 'trace'> {
  const path = toTracePath(row);
  const trace = readTrace(join(folder, path));
  // Watch mode leaves the traces of earlier answers.
  if (trace === null || trace.output !== toTraceOutput(row.output)) return {};
  const calls = listSteps(trace).flatMap((step) => step.tool_calls);
  return {
    calls: calls.map(({ name, arguments: given, result, failed }) => ({
      name,
      arguments: given,
      result,
      failed,
    })),
    ...omitNullish({ messages: trace.messages }),
    trace: path,
  };
}

/** A case as JSON has it, with each text cut to about so many characters. */
export function toShownJson(shown: ShownCase, longest: number): unknown {
  return cutTexts(shown, longest);
}

/** A case for people: what was asked, expected and answered, why, and what the agent did. */
export function drawCase(shown: ShownCase, longest: number, terminal: Terminal): string {
  const { state } = shown;
  const tone = STATES[state].fails ? 'bad' : state === 'correct' ? 'good' : 'warning';
  const head = `${nameTrial(shown)}: ${nameEnd(shown)}`;
  const parts = listParts(shown, longest).flatMap(({ label, text, tone: of = 'note' }) =>
    text === null || text === '' ? [] : drawPart(label, cutLong(text, longest), of, terminal),
  );
  return [paint(escapeLine(head, LONGEST_HEAD), tone, terminal), ...parts, ''].join('\n');
}

const LONGEST_HEAD = 600;

type Part = Readonly<{ label: string; text: string | null; tone?: Tone }>;

function listParts(shown: ShownCase, longest: number): readonly Part[] {
  const {
    state,
    input,
    choices = [],
    attachments = [],
    messages = [],
    calls = [],
    explanation,
    scores = {},
    trace,
  } = shown;
  const options = listShown({ choices }, shown);
  // Of shuffled options, the labels that the agent saw: so its output names them.
  const toLabels = (of: Json = null) =>
    toShortText(
      shown.presented !== undefined && typeof of === 'string' ? toShownLabels(of, options) : of,
    );
  const [answer, output] = [toLabels(shown.answer), toShortText(shown.output)];
  const accepted = listAccepted(shown);
  // One of several items in a part.
  const part = longest / 5;
  const talk = messages.map(({ role, content }) => `${role}: ${cutLong(content, part)}`);
  const named = Object.entries(scores).flatMap(([name, value]) =>
    value === null ? [] : `${name} ${formatScoreValue(value)}`,
  );
  return [
    { label: 'question', text: toShortText(input) },
    { label: 'options', text: options.map((option) => describeOption(option, part)).join('\n') },
    { label: 'files', text: attachments.join('\n') },
    {
      label: accepted.length > 1 ? 'any of' : 'expected',
      text: accepted.length > 1 ? accepted.join('\n') : toLabels(shown.target),
      tone: 'good',
    },
    { label: 'output', text: output ?? null, tone: STATES[state].fails ? 'bad' : 'note' },
    { label: 'answer', text: answer === output ? null : (answer ?? null) },
    { label: 'why', text: explanation },
    { label: 'scores', text: named.join(', ') },
    { label: 'judges', text: listVerdicts(shown).join('\n') },
    { label: 'pairs', text: listPairs(shown).join('\n') },
    { label: 'talk', text: talk.join('\n') },
    { label: 'tools', text: calls.map((call) => describeCall(call, part)).join('\n') },
    { label: 'facts', text: listFacts(shown).join(', '), tone: 'quiet' },
    { label: 'trace', text: trace ?? null, tone: 'quiet' },
  ];
}

function describeOption({ label, own, text }: ShownOption, longest: number): string {
  return `${label}  ${cutLong(text, longest)}${label === own ? '' : ` (${own} of the dataset)`}`;
}

/** A short value in one line. */
function toShortText(value: Json): string | null {
  const text = toTextOrNull(value);
  return text === null || text.length <= 80 ? text : toTextOrNull(value, 2);
}

/** What judges wrote that the explanation does not say. */
function listVerdicts(shown: ShownCase): readonly string[] {
  return listCriteria(shown).flatMap(({ score, models, verdicts, reasons }) =>
    models.flatMap((model, index) => {
      const reason = reasons[index] ?? '';
      if (reason === '' || shown.explanation.includes(reason)) return [];
      return `${score === undefined ? '' : `${score}, `}${model}: ${verdicts[index]}: ${reason}`;
    }),
  );
}

/** What judges said of it beside other answers. */
function listPairs({ pairs = [] }: ShownCase): readonly string[] {
  return pairs.map(describePair).flatMap(({ head, said }) => {
    const lines = said.map(([judge, verdict, reason]) =>
      [judge, verdict.replaceAll('_', ' '), reason].filter(Boolean).join(': '),
    );
    return [head, ...lines];
  });
}

/** 'search({"q":"x"}) -> 3 results' */
function describeCall(
  { name, arguments: given, result, failed }: ShownCall,
  longest: number,
): string {
  const ended =
    result === null ? '' : `${failed ? ' failed: ' : ' -> '}${cutLong(result, longest)}`;
  return `${name}(${cutLong(given, longest)})${ended}`.replaceAll('\n', ' ');
}

function listFacts(shown: ShownCase): readonly string[] {
  const { latency_ms, usage, steps, confidence, cached, asked, state } = shown;
  const { total } = costOf(shown);
  return [
    ...lineIf(latency_ms !== null, formatLatency(latency_ms)),
    ...lineIf(total !== null, formatDollars(total)),
    ...lineIf(usage !== null, `${usage?.input_tokens} tokens in, ${usage?.output_tokens} out`),
    ...lineIf(steps !== null, `${steps} steps`),
    ...lineIf(confidence !== null, `states confidence ${confidence}`),
    ...lineIf(STATES[state].ran && !asked, cached ? 'cached' : 'recorded'),
  ];
}

/** A label and its text, of which further lines are indented. */
function drawPart(label: string, text: string, tone: Tone, terminal: Terminal): readonly string[] {
  const lines = escapeLines(text.trim(), Number.POSITIVE_INFINITY).split('\n');
  return lines
    .flatMap((line) => wrap(line, Math.max(20, terminal.width - WIDTH - 2)))
    .map((line, index) => {
      if (line === '') return '';
      const before = paint((index === 0 ? label : '').padEnd(WIDTH), 'quiet', terminal);
      return `  ${before}${paint(line, tone, terminal)}`;
    });
}

const WIDTH = 10;
