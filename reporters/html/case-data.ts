import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isCorrect, STATES } from '../../src/states.ts';
import type { LoggedQuestion } from '../../src/store/question-log.ts';
import { toTracePath } from '../../src/store/run-folder.ts';
import { escapeJson } from '../../src/text/show.ts';
import type { SampleResult, TraceStep } from '../../src/types.ts';
import { type Allowance, Allowances, shortenText } from './allowance.ts';
import type { ReportInput } from './render-page.ts';

type Cell = string | number | boolean | null | readonly unknown[] | object;

/** What the page's script reads: words once, a list of cells for each case. `page/cases.js` names the cells. */
type CaseData = {
  readonly version: 1;
  readonly words: readonly string[];
  readonly rules: readonly string[];
  readonly questions: readonly (readonly Cell[])[];
  readonly cases: readonly (readonly Cell[])[];
};

/** Bytes that all cases together may take; a report stays below 10 MB with its charts and tables. */
const BUDGET = 9_000_000;

/** Beside the texts a case has names and numbers, and some letters take several bytes. */
const FIRST_SHARE = 0.8;

/** Below this it is worth another try. */
const WELL_USED = 0.93;

const MOST_TRIES = 12;

/** The cases as JSON for a script element, with texts cut to what the number of cases allows. */
export function toCaseJson(input: ReportInput, budget: number = BUDGET): string {
  const allowances = new Allowances(input);
  let characters = budget * FIRST_SHARE;
  let best: string | null = null;
  for (let tries = 1; ; tries++) {
    const allowance = allowances.find(characters);
    const json = writeForScript(toCaseData(input, allowance));
    const size = Buffer.byteLength(json);
    if (size <= budget) best = json;
    if (size <= budget && (allowance.isWhole || size > budget * WELL_USED || tries > 2)) return json;
    if (size > budget && (best !== null || tries > MOST_TRIES)) return best ?? json;
    // Where the texts are the small part, to come closer by what is too much would take many tries.
    characters *= Math.min(2, (budget / size) * (tries < 3 ? 0.98 : 0.7));
  }
}

/** JSON in which no text can end its script element, or begin a comment in it. */
function writeForScript(data: CaseData): string {
  return escapeJson(data).replaceAll('<', '\\u003c');
}

type Pools = {
  readonly words: Pool<string>;
  readonly questions: Pool<readonly Cell[]>;
};

function toCaseData(input: ReportInput, allowance: Allowance): CaseData {
  const { results } = input.conclusion.settled;
  const pools = { words: new Pool<string>(), questions: new Pool<readonly Cell[]>() };
  const cases = results.map((result) => toCells(result, input, pools, allowance));
  const { rules } = input.conclusion.audit;
  return { version: 1, words: pools.words.values, rules, questions: pools.questions.values, cases };
}

function toCells(result: SampleResult, input: ReportInput, pools: Pools, allowance: Allowance): readonly Cell[] {
  const { id, suite, dataset, agent, model, group, state, reason, trial, latency_ms, cost_usd, usage, steps } = result;
  const word = (text: string) => placeText(pools.words, shortenText(text, allowance.name));
  const audit = input.conclusion.audit.cases.get(result);
  return [
    shortenText(id, allowance.name),
    word(suite),
    word(dataset),
    word(agent),
    word(group),
    word(state),
    word(reason ?? ''),
    trial,
    latency_ms === null ? null : Math.round(latency_ms),
    cost_usd,
    usage === null ? null : [usage.input_tokens, usage.output_tokens],
    steps,
    result.cached ? 1 : 0,
    model === null ? null : word(model),
    audit?.answer ?? null,
    audit?.output ?? null,
    ...(input.isHidden(result) ? [] : toTextCells(result, input, pools, allowance)),
  ];
}

function toTextCells(result: SampleResult, input: ReportInput, pools: Pools, allowance: Allowance): readonly Cell[] {
  const { suite, id, target, answer, how, explanation, output, error, confidence } = result;
  const short = (text: string | null) => (text === null ? null : shortenText(text, allowance.short));
  const question = input.questions(suite).get(id);
  return [
    question === undefined
      ? null
      : pools.questions.place(`${suite}\n${id}`, () => toQuestionCells(question, allowance)),
    short(target),
    short(answer),
    how === null ? null : placeText(pools.words, shortenText(how, allowance.name)),
    short(explanation),
    output === null ? null : shortenText(output, isCorrect(result) ? allowance.correct : allowance.output),
    confidence === null ? null : short(String(confidence)),
    error?.status ?? null,
    toTraceCell(input.trace(result)),
  ];
}

function toQuestionCells(
  { input, choices = [], attachments = [] }: LoggedQuestion,
  allowance: Allowance,
): readonly Cell[] {
  const each = allowance.question / choices.length;
  const options = choices.map(([label, text]) => [shortenText(label, 40), shortenText(text, each)]);
  const files = attachments.slice(0, 20).map((name) => shortenText(name, 200));
  return [shortenText(input, allowance.question), options, files];
}

function toTraceCell(trace: ReturnType<ReportInput['trace']>): Cell {
  if (trace === null) return null;
  return 'file' in trace ? trace.file : trace.steps;
}

/** Characters of traces that a report shows itself; what is beyond is linked. */
const TRACE_BUDGET = 1_000_000;

/** A longer trace is linked, so that one does not take the place of all others. */
const LONGEST = 60_000;

/**
 * The traces of a run: those of failures are shown in the report while there is room, all others are linked. Looks into
 * the folder once, and at no file of a run without traces.
 */
export function findTraces(folder: string): ReportInput['trace'] {
  const files = listTraces(folder);
  const found = new Map<SampleResult, ReturnType<ReportInput['trace']>>();
  let left = TRACE_BUDGET;
  return (result) => {
    if (files.size === 0) return null;
    const known = found.get(result);
    if (known !== undefined) return known;
    const file = toTracePath(result).split(sep).join('/');
    const shown =
      files.has(file) && STATES[result.state].fails ? readTrace(join(folder, file), Math.min(left, LONGEST)) : null;
    left -= shown?.length ?? 0;
    const trace = shown !== null ? { steps: shown.steps } : files.has(file) ? { file } : null;
    found.set(result, trace);
    return trace;
  };
}

function listTraces(folder: string): ReadonlySet<string> {
  const traces = join(folder, 'traces');
  if (!existsSync(traces)) return new Set();
  const entries = readdirSync(traces, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Set(
    entries.map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    ),
  );
}

/** Null when the file is longer than there is room, or is no trace. */
function readTrace(
  file: string,
  most: number,
): { readonly length: number; readonly steps: readonly TraceStep[] } | null {
  const text = readFileSync(file, 'utf8');
  if (text.length > most) return null;
  try {
    const trace: unknown = JSON.parse(text);
    return isTrace(trace) ? { length: text.length, steps: trace.steps } : null;
  } catch {
    return null;
  }
}

function isTrace(value: unknown): value is { readonly steps: readonly TraceStep[] } {
  return typeof value === 'object' && value !== null && 'steps' in value && Array.isArray(value.steps);
}

/** Values that many rows repeat, each kept once; rows name them by their place. */
class Pool<T> {
  readonly #places = new Map<string, number>();
  readonly values: T[] = [];

  /** The place of the value with this key, which is made when it is new. */
  place(key: string, make: () => T): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.values.length);
    return this.values.push(make()) - 1;
  }
}

/** A pool of texts, which are their own keys. */
function placeText(pool: Pool<string>, text: string): number {
  return pool.place(text, () => text);
}
