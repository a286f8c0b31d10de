import { toSuiteKey } from '../../src/figures/groups.ts';
import { hasManifest } from '../../src/store/manifest.ts';
import { readRun, type StoredRun } from '../../src/store/run-reader.ts';
import { RowFollower } from '../../src/store/sample-log.ts';
import type { Turn } from '../../src/words/conversation.ts';
import { type SampleResult, STATES } from '../../src/words/row.ts';
import { evaluateNow } from '../past-run.ts';
import { toDetails, toRemarks } from '../remarks.ts';
import { AnswerReader, toAnswerTexts, toPageAnswer } from './answers.ts';
import type { Answers, AnswerTexts, Head, PageAnswer, Texts } from './data.ts';
import { toHead } from './head.ts';
import { type FoundFile, mayBePicture } from './run-files.ts';
import { isLiveRun } from './run-list.ts';

/** About so many characters of texts are sent at once. */
const PART = 4_000_000;

export type ViewSettings = Readonly<{ ci?: unknown; showGated?: unknown; dir?: string }>;

/** A run as `viva view` sends it, at one moment. */
export class ViewedRun {
  readonly folder: string;
  readonly head: Head;
  readonly #run: StoredRun;
  readonly #reader: AnswerReader;

  /** Throws as `readRun`. */
  constructor(folder: string, settings: ViewSettings) {
    if (!hasManifest(folder)) throw new Error(`There is no run ${folder}.`);
    this.folder = folder;
    this.#run = readRun(folder, settings);
    const outcome = evaluateNow(this.#run, settings.dir);
    const isLive = isLiveRun(folder, this.#run.manifest);
    const remarks = isLive ? [] : [...toDetails(outcome), ...toRemarks(outcome)];
    this.head = toHead(outcome, remarks, isLive);
    this.#reader = new AnswerReader(outcome, this.head);
  }

  /**
   * While it goes on: what has come, with its texts, and how many rows are known. More rows may have
   * come when a page asks for texts.
   */
  listAnswers(): Answers & { readonly texts?: readonly AnswerTexts[]; readonly seen?: number } {
    const { questions, answers } = this.#reader.answers;
    const located = answers.map((answer, at) => ({
      ...answer,
      at: this.#reader.rows[at]?.answered_at ?? undefined,
      talk: this.#reader.hasTalk(at) ? 0 : undefined,
    }));
    if (!this.head.run.is_live)
      return { questions, answers: located.map(({ at: _, ...rest }) => rest) };
    const come = [...answers.keys()].filter((at) => hasCome(answers[at]));
    return {
      questions,
      answers: come.flatMap((at) => located[at] ?? []),
      texts: come.map((at) => this.#reader.readAnswer(at) ?? {}),
      seen: this.#run.rows.length,
    };
  }

  /**
   * The texts from a question on, and the place of the first one that is not among them. While a run
   * goes on, those of answers came with them.
   */
  readTexts(from: number): Texts & { readonly next: number | null } {
    const { questions, answers } = this.#reader.answers;
    const answersOf = Map.groupBy(answers.keys(), (at) => answers[at]?.q ?? -1);
    const asked: Texts['questions'][number][] = [];
    const said: Texts['answers'][number][] = [];
    let size = 0;
    for (let place = from; place < questions.length; place++) {
      if (size > PART) return { questions: asked, answers: said, next: place };
      const texts = this.#reader.readQuestion(place, (file) => this.#findPicture(file));
      if (texts === null) continue;
      asked.push([place, texts]);
      size += measure(texts);
      for (const at of this.head.run.is_live ? [] : (answersOf.get(place) ?? [])) {
        const own = this.#reader.readAnswer(at);
        if (own === null) continue;
        said.push([at, own]);
        size += measure(own);
      }
    }
    return { questions: asked, answers: said, next: null };
  }

  readTalk(q: number, v: number, trial: number): readonly Turn[] {
    const place = this.#reader.answers.answers.findIndex(
      (answer) => answer.q === q && answer.v === v && answer.trial === trial,
    );
    return this.#reader.readTalk(place) ?? [];
  }

  /** A file of a question; undefined if it has none of that number. */
  findFile(question: number, index: number): FoundFile | undefined {
    return this.#reader.listFiles(question)[index];
  }

  /** What a page is sent of new rows: those that the run has planned. */
  toFresh(
    rows: readonly SampleResult[],
  ): Readonly<{ answers: PageAnswer[]; texts: AnswerTexts[] }> {
    const { questions } = this.#reader.answers;
    const placeOf = new Map(questions.map(({ suite, id }, place) => [`${suite}\n${id}`, place]));
    const variantOf = new Map(this.head.variants.map((each, place) => [toSuiteKey(each), place]));
    const fresh = rows.flatMap((row) => {
      const [q, v] = [placeOf.get(`${row.suite}\n${row.id}`), variantOf.get(toSuiteKey(row))];
      if (q === undefined || v === undefined) return [];
      const facts = toPageAnswer(row, { q, v, scores: this.head.scores });
      const answer = { ...facts, at: row.answered_at ?? undefined, talk: 0 };
      return [
        { answer, texts: this.#run.isHidden(row.suite) ? {} : toAnswerTexts(row, undefined) },
      ];
    });
    return { answers: fresh.map(({ answer }) => answer), texts: fresh.map(({ texts }) => texts) };
  }

  /** Follows the rows after the first `seen`. */
  follow(seen: number): Readonly<{ readMore: () => readonly SampleResult[]; close: () => void }> {
    const follower = new RowFollower(this.folder);
    let skipped = 0;
    return {
      readMore: () => {
        const rows = follower.readMore();
        const known = Math.min(rows.length, seen - skipped);
        skipped += known;
        return rows.slice(known);
      },
      close: () => follower.close(),
    };
  }

  #findPicture(file: FoundFile): true | undefined {
    return mayBePicture(this.folder, file) || undefined;
  }
}

function hasCome(answer: PageAnswer | undefined): boolean {
  return answer !== undefined && (STATES[answer.state].ran || answer.reason !== 'crash');
}

function measure(texts: unknown): number {
  return JSON.stringify(texts).length;
}
