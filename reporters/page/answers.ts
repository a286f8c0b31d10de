import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readTrace } from '../../src/agents/returned-answer.ts';
import { toSuiteKey } from '../../src/figures/groups.ts';
import { isDoubted, listCriteria } from '../../src/figures/judge-calibration.ts';
import { readScore } from '../../src/figures/named-scores.ts';
import { indexPairs } from '../../src/figures/preference.ts';
import { EXTENSION } from '../../src/package.ts';
import {
  type LoggedQuestion,
  RUN_FILES,
  readQuestions,
  toTracePath,
} from '../../src/store/run-folder.ts';
import { type Turn, toTurns } from '../../src/words/conversation.ts';
import { nonEmpty } from '../../src/words/fields.ts';
import {
  costOf,
  hasTarget,
  listAccepted,
  type PairVerdicts,
  type SampleResult,
  STATES,
} from '../../src/words/row.ts';
import { toTextOrNull, tryOrUndefined } from '../../src/words/show.ts';
import { describePair } from '../preference.ts';
import type {
  Answers,
  AnswerTexts,
  Head,
  PageAnswer,
  PageClaim,
  PageJudge,
  PageQuestion,
  PageVariant,
  QuestionTexts,
} from './data.ts';
import type { ShownRun } from './head.ts';
import { type FoundFile, findFiles } from './run-files.ts';

/** The questions and answers of a run, and what reads their texts. */
export class AnswerReader {
  readonly answers: Answers;
  /** The row of each answer, and the first answer to each question, by their places. */
  readonly rows: readonly SampleResult[];
  readonly #run: AnsweredRun;
  readonly #logged = new Map<string, ReadonlyMap<string, LoggedQuestion>>();
  readonly #first: readonly SampleResult[];
  readonly #findPairs: (row: SampleResult) => readonly PairVerdicts[];
  readonly #hasTraces: boolean;

  constructor(run: AnsweredRun, { variants, scores }: Pick<Head, 'variants' | 'scores'>) {
    this.#run = run;
    this.#hasTraces = existsSync(join(run.folder, RUN_FILES.traces.name));
    const placed = placeRows(run.results, variants);
    this.rows = placed.map(({ row }) => row);
    this.#findPairs = indexPairs(run.results);
    const first = new Map(placed.map(({ q, row }) => [q, row]));
    this.#first = [...first].sort(([a], [b]) => a - b).map(([, row]) => row);
    const graded = new Set(run.results.filter(hasTarget).map(({ suite }) => suite));
    const models = new Map(placed.toReversed().map(({ v, row }) => [v, row.model]));
    this.answers = {
      questions: this.#first.map((row) => ({
        ...toPageQuestion(row, run.isHidden(row.suite)),
        is_ungraded: (graded.has(row.suite) && !hasTarget(row)) || undefined,
      })),
      answers: placed.map(({ q, v, row }) => ({
        ...toPageAnswer(row, { q, v, scores }),
        model: row.model === models.get(v) ? undefined : (row.model ?? undefined),
      })),
    };
  }

  isHidden(place: number): boolean {
    return this.#run.isHidden(this.rows[place]?.suite ?? '');
  }

  /** The texts of a question; null if they are hidden. `pictureOf` says where a picture of its files is. */
  readQuestion(place: number, pictureOf: PictureOf): QuestionTexts | null {
    const row = this.#first[place];
    if (row === undefined || this.#run.isHidden(row.suite)) return null;
    const asked = this.#ask(row);
    const accepted = listAccepted(row);
    return {
      input: toTextOrNull(asked?.input ?? null, 2)?.trim(),
      choices: asked?.choices,
      files: this.listFiles(place).map(({ name, path, ...file }) => ({
        name,
        path,
        picture: pictureOf({ name, path, ...file }),
      })),
      target: toTextOrNull(row.target, 2) ?? undefined,
      accepts: accepted.length > 1 ? accepted : undefined,
      goal: asked?.user?.goal,
    };
  }

  /** The files of a question. */
  listFiles(place: number): readonly FoundFile[] {
    const row = this.#first[place];
    if (row === undefined || this.#run.isHidden(row.suite)) return [];
    return findFiles(this.#run.folder, this.#ask(row)?.files ?? [], this.#ask(row)?.attachments);
  }

  /** The texts of an answer; null if they are hidden. */
  readAnswer(place: number): AnswerTexts | null {
    const row = this.rows[place];
    if (row === undefined || this.#run.isHidden(row.suite)) return null;
    return toAnswerTexts(row, this.#explain(row), this.#findPairs(row));
  }

  /** What was said for an answer; null if that is hidden, or was not kept. */
  readTalk(place: number): readonly Turn[] | null {
    const row = this.rows[place];
    if (row === undefined || !this.#hasTraces || this.isHidden(place)) return null;
    const trace = readTrace(join(this.#run.folder, toTracePath(row)));
    return trace === null ? null : toTurns(trace, trace.output);
  }

  hasTalk(place: number): boolean {
    const row = this.rows[place];
    return (
      this.#hasTraces &&
      row !== undefined &&
      !this.isHidden(place) &&
      existsSync(join(this.#run.folder, toTracePath(row)))
    );
  }

  #ask({ suite, id }: SampleResult): LoggedQuestion | undefined {
    const known = this.#logged.get(suite) ?? readQuestions(this.#run.folder, suite);
    this.#logged.set(suite, known);
    return known.get(id);
  }

  /**
   * All that viva's readers read in an output that they may have read wrongly. Of others `how` says
   * enough: the readers take a tenth of a second before their first output.
   */
  #explain(row: SampleResult): readonly PageClaim[] | undefined {
    const { output, certain, suite, how } = row;
    if (certain !== false || typeof output !== 'string' || how === 'as given') return undefined;
    const entry = this.#run.manifest.suites.find((each) => each.suite === suite);
    const { listClaims }: typeof import('./claims.ts') = load(`./claims${EXTENSION}`);
    const found = tryOrUndefined(() =>
      listClaims(output, entry?.matcher ?? null, row, this.#ask(row)),
    );
    return nonEmpty([...(found ?? [])]);
  }
}

/** Few runs need the readers here, which take long to load. */
const load = createRequire(import.meta.url);

export type AnsweredRun = Pick<ShownRun, 'folder' | 'manifest' | 'results' | 'isHidden'>;

export type PictureOf = (file: FoundFile) => number | true | undefined;

type Placed = Readonly<{ q: number; v: number; row: SampleResult }>;

/** Answers to one question come one after another: they share texts, which compress well so. */
function placeRows(
  results: readonly SampleResult[],
  variants: readonly PageVariant[],
): readonly Placed[] {
  const variantOf = new Map(variants.map((variant, place) => [toSuiteKey(variant), place]));
  const questionOf = new Map<string, number>();
  const placed = results.map((row) => {
    const key = `${row.suite}\n${row.dataset}\n${row.id}`;
    const q = questionOf.get(key) ?? questionOf.size;
    questionOf.set(key, q);
    return { q, v: variantOf.get(toSuiteKey(row)) ?? 0, row };
  });
  return placed.sort((a, b) => a.q - b.q || a.v - b.v || a.row.trial - b.row.trial);
}

function toPageQuestion(
  { suite, id, group, groups }: SampleResult,
  isHidden: boolean,
): PageQuestion {
  return { suite, id, group, groups, is_hidden: isHidden || undefined };
}

/** The facts of a row. `scores` are the names of all scores. */
export function toPageAnswer(
  row: SampleResult,
  { q, v, scores }: Readonly<{ q: number; v: number; scores: readonly string[] }>,
): PageAnswer {
  const { trial, state, reason, latency_ms, first_token_ms, own_delay_ms, usage, steps, cached } =
    row;
  const { total } = costOf(row);
  return {
    q,
    v,
    trial,
    state,
    reason: reason ?? undefined,
    latency: latency_ms === null ? undefined : roundTime(latency_ms),
    first_token: first_token_ms === undefined ? undefined : roundTime(first_token_ms),
    // Less than a millisecond is nobody's concern.
    own_delay: (own_delay_ms ?? 0) < 1 ? undefined : roundTime(own_delay_ms ?? 0),
    cost: total === null ? undefined : Number(total.toPrecision(4)),
    tokens: usage === null ? undefined : [usage.input_tokens, usage.output_tokens],
    steps: steps ?? undefined,
    is_cached: cached || undefined,
    scores: row.scores && scores.map((name) => readScore(row, name)),
    is_uncertain: row.certain === false || undefined,
    is_doubted: isDoubted(row) || undefined,
    seen_copy: row.seen_copy === 'none' ? undefined : row.seen_copy,
  };
}

function roundTime(ms: number): number {
  return Math.round(ms * 10) / 10;
}

export function toAnswerTexts(
  row: SampleResult,
  claims: readonly PageClaim[] | undefined,
  pairs: readonly PairVerdicts[] = row.pairs ?? [],
): AnswerTexts {
  const { explanation, how, rules, confidence, error } = row;
  const [answer, output] = [row.answer, row.output].map((value) => toTextOrNull(value, 2));
  return {
    answer: answer ?? undefined,
    order: row.presented?.order,
    output: output === null || output === '' || output === answer ? undefined : output,
    why: explanation === '' ? undefined : explanation,
    how: how ?? undefined,
    confidence: confidence === null ? undefined : String(confidence),
    rules: rules ?? undefined,
    error:
      error === null
        ? undefined
        : { kind: error.kind, message: error.message, status: error.status },
    judges: nonEmpty([...listCriteria(row).map(toPageJudge), ...pairs.map(toPagePair)]),
    claims,
  };
}

function toPageJudge({
  score,
  criterion,
  scale,
  models,
  verdicts,
  reasons,
}: ReturnType<typeof listCriteria>[number]): PageJudge {
  return {
    score,
    criterion,
    verdicts: models.map((name, index) => {
      const verdict = verdicts[index] ?? '';
      const shown = typeof verdict === 'number' ? `${verdict} of ${scale}` : verdict;
      return [name, shown, reasons[index] ?? ''];
    }),
  };
}

function toPagePair(pair: PairVerdicts): PageJudge {
  const { head, said } = describePair(pair);
  return { score: head, criterion: pair.criterion, verdicts: said };
}

/** Whether an answer is one of those that people look for first. */
export function isFailure({ state }: Pick<PageAnswer, 'state'>): boolean {
  return STATES[state].fails;
}
