import { existsSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { readTrace } from '../../src/agents/returned-answer.ts';
import type { RunOutcome } from '../../src/figures/evaluate-run.ts';
import { listCriteria } from '../../src/figures/judge-calibration.ts';
import { readScore } from '../../src/figures/named-scores.ts';
import { type Manifest, nameStoredPrompt } from '../../src/store/manifest.ts';
import {
  type LoggedQuestion,
  RUN_FILES,
  readQuestions,
  toTracePath,
} from '../../src/store/run-folder.ts';
import { toTurns } from '../../src/words/conversation.ts';
import { costOf, type SampleResult, STATES } from '../../src/words/row.ts';
import { cut, cutLong, escapeJson, toText, toTextOrNull } from '../../src/words/show.ts';
import type { PageCase, PageData, Texts } from './page/data.ts';

type ReportedRun = Pick<RunOutcome, 'folder' | 'manifest' | 'results' | 'isHidden'> & {
  /** The path from the page to the run folder. */
  readonly base: string;
};

/**
 * Limit on the bytes of all cases. With charts and tables, a report of 10,000 cases stays below 10
 * MB.
 */
const BUDGET = 9_000_000;

/**
 * How many of these bytes are reserved for the traces of failures; those of right answers take at
 * most as many.
 */
const FOR_TRACES = 1_000_000;

/** The most characters of an expected and a received answer. */
const MOST_SHOWN = 300;

/**
 * The cases of one run or of several as parts of JSON for a script element: the facts of every case
 * and, while there is room, its answer, its longer texts and its trace. Failures come first. What is
 * left out is in samples.jsonl and in the files of traces.
 */
export function* toCaseJson(
  runs: readonly ReportedRun[],
  budget = BUDGET,
): Generator<string, void> {
  const cases = toCases(runs);
  let room = budget - cases.reduce((bytes, { json }) => bytes + Buffer.byteLength(json), 0);
  const addField = (one: Case, name: 'verdict' | 'texts' | 'conversation', value: unknown) => {
    const [head, json] = [`,"${name}":`, toScriptJson(value)];
    const bytes = head.length + Buffer.byteLength(json);
    if (bytes > room) return;
    room -= bytes;
    one.json += head + json;
  };
  const shown = cases.filter(({ isHidden }) => !isHidden);
  const failures = shown.filter(({ result }) => STATES[result.state].fails);
  const others = shown.filter(({ result }) => !STATES[result.state].fails);
  const questionOf = readQuestionsOf(shown);
  for (const one of room > 0 ? shown : []) {
    const { target, answer } = one.result;
    const asked = questionOf(one);
    const question = asked === undefined ? undefined : cut(toText(asked.input).trimStart(), 100);
    addField(one, 'verdict', {
      question,
      expected: shorten(toTextOrNull(target, 2), MOST_SHOWN),
      received: shorten(toTextOrNull(answer, 2), MOST_SHOWN),
    });
  }
  const most = Math.min(175_000, Math.max(300, (room - FOR_TRACES) / shown.length / 2));
  for (const one of room > 0 ? [...failures, ...others] : []) {
    addField(one, 'texts', toTexts(one.result, questionOf(one), most));
  }
  const addTraces = (some: readonly Case[], least: number) => {
    for (const one of some) {
      if (room < least) return;
      const trace = one.trace === '' ? null : readTrace(join(one.folder, one.trace), LONGEST_TRACE);
      if (trace !== null) addField(one, 'conversation', toTurns(trace, trace.output));
    }
  };
  addTraces(failures, 0);
  addTraces(others, room - FOR_TRACES);
  yield `${toScriptJson(toHead(runs)).slice(0, -1)},"cases":[`;
  for (const [place, { json }] of cases.entries()) yield `${place === 0 ? '' : ','}${json}}`;
  yield ']}';
}

/** What the page knows besides its cases. */
function toHead(runs: readonly ReportedRun[]): Omit<PageData, 'cases'> {
  const scores = listScores(runs).map((name) => cut(name, 80));
  return { states: STATES, scores };
}

function listScores(runs: readonly ReportedRun[]): readonly string[] {
  const named = runs.flatMap(({ results }) =>
    results.flatMap(({ scores = {} }) => Object.keys(scores)),
  );
  return [...new Set(named)];
}

/** The questions of cases. Of several runs only those are read that have another question. */
function readQuestionsOf(cases: readonly Case[]) {
  const known = new Map<string, LoggedQuestion | undefined>();
  const keyOf = ({ result: { suite, id, question_hash } }: Case) =>
    [suite, id, question_hash].join('\n');
  for (const own of Map.groupBy(cases, ({ folder, result }) =>
    join(folder, result.suite),
  ).values()) {
    const missing = own.filter((one) => known.get(keyOf(one)) === undefined);
    const [first] = missing;
    const questions = first && readQuestions(first.folder, first.result.suite);
    for (const one of missing) known.set(keyOf(one), questions?.get(one.result.id));
  }
  return (one: Case) => known.get(keyOf(one));
}

/** JSON in which no text can end the script element or begin a comment in it. */
export function toScriptJson(value: unknown): string {
  return escapeJson(value).replaceAll('<', '\\u003c');
}

/** A case while its JSON is written. */
type Case = {
  readonly folder: string;
  readonly result: SampleResult;
  readonly isHidden: boolean;
  /** The file with its trace; '' without one. */
  readonly trace: string;
  /** Its fields as JSON, without the closing brace. */
  json: string;
};

/** The answers of several runs to a question come one after another. */
function toCases(runs: readonly ReportedRun[]): readonly Case[] {
  const scores = listScores(runs);
  const hasTrials = runs.some(({ results }) => results.some(({ trial }) => trial > 1));
  const cases = runs.flatMap((run) =>
    toCasesOf(run, { scores, hasTrials, several: runs.length > 1 }),
  );
  if (runs.length === 1) return cases;
  const keyOf = ({ result: { suite, dataset, id } }: Case) => JSON.stringify([suite, dataset, id]);
  return [...Map.groupBy(cases, keyOf).values()].flat();
}

function toCasesOf(
  { folder, manifest, results, isHidden, base }: ReportedRun,
  {
    scores,
    hasTrials,
    several,
  }: { scores: readonly string[]; hasTrials: boolean; several: boolean },
): readonly Case[] {
  const hasTraces = existsSync(join(folder, RUN_FILES.traces.name));
  return results.map((result) => {
    const { id, agent, prompt, model, group, trial, latency_ms, usage } = result;
    const path = hasTraces ? toTracePath(result) : '';
    const trace = hasTraces && existsSync(join(folder, path)) ? path : '';
    const hidden = isHidden(result.suite);
    const asked = several ? nameAskedPrompt(manifest, result) : prompt;
    const page: PageCase = {
      id: cut(id, 80),
      suite: result.suite,
      dataset: cut(result.dataset, 200),
      agent: cut(agent, 200),
      prompt: asked === undefined ? undefined : cut(asked, 200),
      run: several ? basename(folder) : undefined,
      group: cut(group, 80),
      state: result.state,
      reason: shorten(result.reason, 200),
      scores: result.scores && scores.map((name) => readScore(result, name)),
      groups: result.groups && cutGroups(result.groups),
      trial: hasTrials ? trial : undefined,
      latency: latency_ms === null ? undefined : Math.round(latency_ms * 10) / 10,
      cost: costOf(result).total ?? undefined,
      tokens: usage === null ? undefined : [usage.input_tokens, usage.output_tokens],
      steps: result.steps ?? undefined,
      cached: result.cached || undefined,
      model: model === null ? undefined : cut(model, 200),
      textsHidden: hidden || undefined,
      trace: trace === '' ? undefined : join(base, trace).split(sep).join('/'),
    };
    return { folder, result, isHidden: hidden, trace, json: toScriptJson(page).slice(0, -1) };
  });
}

/** Also where the run had one prompt: other runs may have had another one. */
function nameAskedPrompt({ suites }: Manifest, { suite, prompt, prompt_hash }: SampleResult) {
  const entry = suites.find((one) => one.suite === suite);
  return prompt ?? (entry && nameStoredPrompt(entry, prompt_hash));
}

function cutGroups(groups: Readonly<Record<string, string>>): PageCase['groups'] {
  const named = Object.entries(groups).slice(0, 20);
  return Object.fromEntries(named.map(([by, group]) => [cut(by, 80), cut(group, 80)]));
}

function toTexts(result: SampleResult, question: LoggedQuestion | undefined, most: number): Texts {
  const { explanation, how, rules, confidence, error, judge } = result;
  const { input = null, choices = [], attachments = [] } = question ?? {};
  const [asked, output] = [input, result.output].map((value) => toTextOrNull(value, 2));
  const target = toTextOrNull(result.target, 2) ?? '';
  const isCut =
    target.length > MOST_SHOWN || [asked, output].some((text) => (text ?? '').length > most);
  return {
    isCut: isCut || undefined,
    question: shorten(asked ?? null, most),
    options: choices.map(([label, text]) => [cut(label, 40), cutLong(text, most / choices.length)]),
    files: attachments.slice(0, 20).map((name) => cut(name, 200)),
    why: cutLong(explanation, Math.min(most, 1000)),
    how: shorten(how, 200),
    rules: rules === null ? undefined : cut(listAccepting(rules), 200),
    output: shorten(output ?? null, most),
    confidence: confidence === null ? undefined : cut(String(confidence), 200),
    status: error?.status ?? undefined,
    judges:
      judge &&
      listCriteria(result).map(({ score, criterion, models, verdicts, reasons }) => ({
        score: score === undefined ? undefined : cut(score, 80),
        criterion: cutLong(criterion, Math.min(most, 2000)),
        verdicts: models.map((name, index) => {
          return [
            cut(name, 200),
            verdicts[index] ?? '',
            cutLong(reasons[index] ?? '', Math.min(most, 1000)),
          ];
        }),
      })),
  };
}

function listAccepting(rules: Readonly<Record<string, boolean>>): string {
  const accepting = Object.keys(rules).filter((rule) => rules[rule] === true);
  return accepting.join(', ') || 'none';
}

function shorten(text: string | null, most: number): string | undefined {
  return text === null ? undefined : cutLong(text, most);
}

/** A longer trace is linked, so that it does not take the room of many others. */
const LONGEST_TRACE = 60_000;
