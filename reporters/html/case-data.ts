import type { LoggedQuestion } from '../../src/runs/question-log.ts';
import type { SampleResult } from '../../src/types.ts';
import { toVisibleJson } from '../../src/visible-json.ts';
import { Pool, placeText } from './pool.ts';
import type { ReportInput } from './report-input.ts';
import { shortenText } from './shorten-text.ts';

/** How many characters of each text of a case are kept. */
type Allowance = {
  readonly question: number;
  readonly output: number;
  readonly short: number;
  readonly name: number;
};

type Cell = string | number | boolean | null | readonly unknown[] | object;

/** What the page's script reads: words once, a list of cells for each case. `page/cases.js` names the cells. */
type CaseData = {
  readonly version: 1;
  readonly words: readonly string[];
  readonly rules: readonly string[];
  readonly questions: readonly (readonly Cell[])[];
  readonly cases: readonly (readonly Cell[])[];
};

/** Bytes that all cases together may take; a report stays below 10 MB with its charts and traces. */
const BUDGET = 7_000_000;

/** What a case is allowed where there is room for all: more than anyone reads. */
const MOST = 500_000;

/** The cases as JSON for a script element, with texts cut to what the number of cases allows. */
export function toCaseJson(input: ReportInput, budget: number = BUDGET): string {
  const { results } = input.conclusion.settled;
  // Most texts are short, and leave their share to others.
  const said = results.reduce((sum, { output }) => sum + (output?.length ?? 0), 0);
  let each = said < budget / 2 ? MOST : Math.min(MOST, Math.floor(budget / results.length));
  for (;;) {
    const json = writeForScript(toCaseData(input, toAllowance(each)));
    const size = Buffer.byteLength(json);
    if (size <= budget || each < 16) return json;
    // Escapes and letters of several bytes take more than was allowed.
    each = Math.floor(each * Math.min(0.9, budget / size));
  }
}

/** JSON in which no text can end its script element, or begin a comment in it. */
function writeForScript(data: CaseData): string {
  return toVisibleJson(data).replaceAll('<', '\\u003c');
}

function toAllowance(each: number): Allowance {
  return {
    question: Math.floor(each * 0.4),
    output: Math.floor(each * 0.35),
    short: Math.min(1000, Math.floor(each * 0.12)),
    name: Math.max(40, Math.min(200, Math.floor(each * 0.12))),
  };
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
  const { id, suite, dataset, agent, group, state, reason, trial, latency_ms, cost_usd, usage, steps } = result;
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
    result.model === null ? null : word(result.model),
    audit?.answer ?? null,
    audit?.output ?? null,
    ...(input.isHidden(result) ? [] : toTextCells(result, input, pools, allowance)),
  ];
}

function toTextCells(result: SampleResult, input: ReportInput, pools: Pools, allowance: Allowance): readonly Cell[] {
  const { suite, id, target, answer, how, explanation, output, error, confidence, state } = result;
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
    output === null ? null : shortenText(output, state === 'correct' ? allowance.output / 4 : allowance.output),
    confidence === null ? null : short(String(confidence)),
    error?.status ?? null,
    toTraceCell(input.trace(result)),
  ];
}

function toQuestionCells(
  { input, choices = [], attachments = [] }: LoggedQuestion,
  allowance: Allowance,
): readonly Cell[] {
  const each = Math.floor(allowance.question / Math.max(1, choices.length));
  const options = choices.map(([label, text]) => [shortenText(label, 40), shortenText(text, each)]);
  const files = attachments.slice(0, 20).map((name) => shortenText(name, 200));
  return [shortenText(input, allowance.question), options, files];
}

function toTraceCell(trace: ReturnType<ReportInput['trace']>): Cell {
  if (trace === null) return null;
  return 'file' in trace ? trace.file : trace.steps;
}
