import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { RUN_FILES } from '../../src/store/run-folder.ts';
import type { Line } from '../terminal.ts';
import { AnswerReader, isFailure } from './answers.ts';
import type { AnswerTexts, LeftOut, QuestionTexts } from './data.ts';
import { renderData, renderDocument } from './document.ts';
import { type ShownRun, toHead } from './head.ts';
import { html, type Markup, NOTHING } from './markup.ts';
import { renderPlainTables } from './plain-tables.ts';
import { type FoundFile, readPicture } from './run-files.ts';
import { toShownJson } from './shown-json.ts';

/** The most bytes of all compressed data. The file has a third more, since they stand in it as text. */
const BUDGET = 30_000_000;

/** Higher levels take twice the time of a run for a tenth of the bytes. */
const LEVEL = 4;

/** The compressed facts of an answer or a question take less than so many bytes. */
const FACTS = 50;

/** The most bytes of all pictures. */
const PICTURES = 6_000_000;

/** The characters of JSON that are compressed together. A page reads a block as a whole. */
const BLOCK = 1_000_000;

/**
 * The report of a run, for report.html in its folder or for another file: the page with all data in
 * it. Where the budget is too small, the texts and conversations of failures come first, and the page
 * says what it lacks.
 */
export function renderReport(
  run: ShownRun,
  remarks: readonly Line[],
  { file = join(run.folder, RUN_FILES.report.name), budget = BUDGET } = {},
): readonly string[] {
  const head = toHead(run, remarks);
  const base = relative(dirname(file), run.folder).replaceAll('\\', '/');
  const blocks = new Blocks(new AnswerReader(run, head), budget, run.folder);
  const data = blocks.pack();
  const { texts, conversations, pictures } = data.leftOut;
  const isWhole = texts + conversations + pictures === 0;
  const left_out = isWhole ? undefined : data.leftOut;
  const first = compress({ ...head, left_out, base: base === '' ? undefined : base });
  return renderDocument({
    title: run.manifest.run,
    plain: html`${renderBanner(head.banner)}${renderPlainTables(run, remarks)}`,
    data: [...renderData('head', first.toString('base64'))],
    later: data.parts.flatMap(([id, bytes]) => [...renderData(id, bytes.toString('base64'))]),
  });
}

/** For a reader without JavaScript; the app has the same words. */
function renderBanner(banner: ReturnType<typeof toHead>['banner']): Markup {
  if (banner === null) return NOTHING;
  return banner === 'hidden'
    ? html`<p>Texts are hidden.</p>\n`
    : html`<p>Keep this file private: it may hold gated records.</p>\n`;
}

type Part = readonly [id: string, bytes: Buffer];

/** The data of the cases, in compressed blocks that together stay within a budget. */
class Blocks {
  readonly #reader: AnswerReader;
  readonly #folder: string;
  readonly #parts: Part[] = [];
  readonly #pictureOf = new Map<string, number | undefined>();
  readonly #talkOf = new Map<number, number>();
  #room: number;
  #roomForPictures = PICTURES;
  #leftOut = { texts: 0, conversations: 0, pictures: 0 };
  #blocks = 0;

  constructor(reader: AnswerReader, budget: number, folder: string) {
    this.#reader = reader;
    this.#room = budget;
    this.#folder = folder;
  }

  pack(): Readonly<{ parts: readonly Part[]; leftOut: LeftOut }> {
    const { questions, answers } = this.#reader.answers;
    this.#room -= FACTS * (questions.length + answers.length);
    const failed = new Set(answers.filter(isFailure).map(({ q }) => q));
    const places = [...questions.keys()];
    this.#packTexts(places.filter((q) => failed.has(q)));
    this.#packTalks([...answers.keys()].filter((at) => isFailureAt(answers, at)));
    this.#packTexts(places.filter((q) => !failed.has(q)));
    this.#packTalks([...answers.keys()].filter((at) => !isFailureAt(answers, at)));
    const located = answers.map((answer, at) => ({ ...answer, talk: this.#talkOf.get(at) }));
    const cases = compress({ questions, answers: located });
    return { parts: [['answers', cases], ...this.#parts], leftOut: this.#leftOut };
  }

  /** The texts of these questions and of all answers to them. */
  #packTexts(questions: readonly number[]): void {
    const { answers } = this.#reader.answers;
    const answersOf = Map.groupBy(answers.keys(), (at) => answers[at]?.q ?? -1);
    let block = new Block();
    const end = () => {
      if (block.answers.length > 0 && !this.#add(`texts-${this.#blocks}`, block.toJson()))
        this.#leftOut.texts += block.answers.length;
      block = new Block();
    };
    for (const place of questions) {
      if (this.#room <= 0) {
        this.#leftOut.texts += (answersOf.get(place) ?? []).filter(
          (at) => !this.#reader.isHidden(at),
        ).length;
        continue;
      }
      const texts = this.#reader.readQuestion(place, (file) => this.#placePicture(file));
      if (texts === null) continue;
      block.addQuestion(place, texts);
      for (const at of answersOf.get(place) ?? []) {
        const said = this.#reader.readAnswer(at);
        if (said !== null) block.addAnswer(at, said);
      }
      if (block.size > BLOCK) end();
    }
    end();
  }

  #packTalks(places: readonly number[]): void {
    let talks: string[] = [];
    let own: number[] = [];
    let size = 0;
    const end = () => {
      const block = this.#blocks;
      if (own.length > 0 && this.#add(`talks-${block}`, `[${talks.join(',')}]`))
        for (const at of own) this.#talkOf.set(at, block);
      else this.#leftOut.conversations += own.length;
      [talks, own, size] = [[], [], 0];
    };
    for (const at of places) {
      if (this.#room <= 0) {
        if (this.#reader.hasTalk(at)) this.#leftOut.conversations += 1;
        continue;
      }
      const turns = this.#reader.readTalk(at);
      if (turns === null) continue;
      const json = toShownJson([at, turns]);
      talks.push(json);
      own.push(at);
      size += json.length;
      if (size > BLOCK) end();
    }
    end();
  }

  /** Adds a block if there is room for it. A larger one may be followed by one that fits. */
  #add(id: string, json: string): boolean {
    const bytes = gzipSync(json, { level: LEVEL });
    if (bytes.length > this.#room) return false;
    this.#room -= bytes.length;
    this.#blocks += 1;
    this.#parts.push([id, bytes]);
    return true;
  }

  /** The number of the block with a picture; undefined for another file, or without room. */
  #placePicture(file: FoundFile): number | undefined {
    if (file.path === undefined) return undefined;
    if (this.#pictureOf.has(file.path)) return this.#pictureOf.get(file.path);
    const number = this.#addPicture(file);
    this.#pictureOf.set(file.path, number);
    return number;
  }

  #addPicture(file: FoundFile): number | undefined {
    const picture = readPicture(this.#folder, file);
    if (picture === null) return undefined;
    const { type, bytes } = picture;
    if (bytes.length > this.#roomForPictures || bytes.length > this.#room) {
      this.#leftOut.pictures += 1;
      return undefined;
    }
    this.#roomForPictures -= bytes.length;
    this.#room -= bytes.length;
    const number = this.#blocks;
    this.#blocks += 1;
    this.#parts.push([`${type.replace('/', '-')}-${number}`, Buffer.from(bytes)]);
    return number;
  }
}

/** Texts until they are compressed. */
class Block {
  readonly questions: string[] = [];
  readonly answers: string[] = [];
  size = 0;

  addQuestion(place: number, texts: QuestionTexts): void {
    this.size += add(this.questions, [place, texts]);
  }

  addAnswer(place: number, texts: AnswerTexts): void {
    this.size += add(this.answers, [place, texts]);
  }

  toJson(): string {
    return `{"questions":[${this.questions.join(',')}],"answers":[${this.answers.join(',')}]}`;
  }
}

function add(list: string[], value: unknown): number {
  const json = toShownJson(value);
  list.push(json);
  return json.length;
}

function isFailureAt(answers: AnswerReader['answers']['answers'], at: number): boolean {
  const answer = answers[at];
  return answer !== undefined && isFailure(answer);
}

function compress(value: unknown): Buffer {
  return gzipSync(toShownJson(value), { level: LEVEL });
}
