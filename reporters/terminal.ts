import colors, { type Colors } from 'tinyrainbow';
import { escapeLine } from '../src/words/show.ts';
import type { Table } from './tables.ts';

/** Where text is written to: how many columns fit, and its colours. */
export type Terminal = Readonly<{ width: number; colors: Colors }>;

/** A file or a pipe has room for all columns. Colours are there where Vitest has them. */
export function findTerminal(): Terminal {
  const { isTTY, columns } = process.stdout;
  return { width: isTTY && columns > 0 ? Math.max(columns, NARROWEST) : Infinity, colors };
}

const NARROWEST = 40;

/**
 * How a line is meant: a warning says that the figures are less than they seem, or that something is
 * missing; "good" and "bad" are verdicts.
 */
export type Level = 'note' | 'good' | 'warning' | 'bad';

/** A line that a run or a comparison prints, before a writer escapes it. */
export type Line = Readonly<{
  text: string;
  level: Level;
  /** Whether the page shows it as a figure. */
  isFigure?: true | undefined;
}>;

export function toLines(level: Level, texts: readonly string[]): readonly Line[] {
  return texts.map((text) => ({ text, level }));
}

/** How a text is shown: a note as it is. */
export type Tone = Level | 'title' | 'quiet';

/** Gives an escaped text its colour. */
export function paint(text: string, tone: Tone, { colors: of }: Terminal): string {
  if (tone === 'note') return text;
  const how = { title: of.bold, quiet: of.dim, good: of.green, warning: of.yellow, bad: of.red };
  return how[tone](text);
}

/** The exit line may name several agents, files and reasons. */
const MAX_LINE = 1000;

/** A line of text, escaped, and broken between words where it is too long. */
export function drawLine(text: string, tone: Tone, terminal: Terminal, indent = '  '): string {
  return wrap(escapeLine(text, MAX_LINE), terminal.width - indent.length)
    .map((line) => `${indent}${paint(line, tone, terminal)}\n`)
    .join('');
}

/** Lines of at most `room` columns. What goes on is indented. A longer word is not broken. */
export function wrap(text: string, room: number): readonly string[] {
  if (widthOf(text) <= room) return [text];
  const lines: string[] = [];
  let line = /^ */.exec(text)?.[0] ?? '';
  const indent = `${line}  `;
  for (const word of text.trimStart().split(/ (?=\S)/)) {
    const longer = line.trim() === '' ? `${line}${word}` : `${line} ${word}`;
    if (line.trim() === '' || widthOf(longer) <= room) line = longer;
    else {
      lines.push(line);
      line = `${indent}${word}`;
    }
  }
  return [...lines, line];
}

/** How far the columns of a table stand apart, where there is room and where there is none. */
const GAP = 2;
const LEAST_GAP = 1;

/** No name in a cell is cut to less. */
const SHORTEST = 12;

/**
 * A table, escaped. Where it is too wide, its heads take two lines, names are cut in the middle, the
 * columns stand closer, and those that have no room go into a further table below.
 */
export function drawTable({ align, rows }: Table, terminal: Terminal): string {
  const room = terminal.width - 2;
  // A cell may name two agents that differ at the end alone.
  const [head = [], ...body] = rows.map((row) => row.map((cell) => escapeLine(cell, 120)));
  const isWide = sum(measureColumns([head, ...body]), GAP) > room;
  const heads = isWide ? breakHeads(head) : [head];
  const cells = isWide ? cutNames(heads, body, align, room) : [head, ...body];
  return chooseColumns(measureColumns(cells), room)
    .map((columns) => {
      const part = cells.map((row) => columns.map((column) => row[column] ?? ''));
      const widths = measureColumns(part);
      const gap = ' '.repeat(sum(widths, GAP) > room ? LEAST_GAP : GAP);
      return part
        .map((row, index) => {
          const last = row.findLastIndex((cell) => cell !== '');
          const texts = row.slice(0, last + 1).map((cell, place) => {
            const width = widths[place] ?? 0;
            const isLeft = align[columns[place] ?? 0] === 'left';
            const filled = isLeft && place === last ? cell : pad(cell, isLeft ? width : -width);
            return paint(filled, toneOf(row, place, index < heads.length), terminal);
          });
          return `  ${texts.join(gap)}\n`;
        })
        .join('');
    })
    .join('\n');
}

/** The words of some cells, and their tones. */
const TONES: ReadonlyMap<string, Tone> = new Map([
  ['MISSED', 'bad'],
  ['hold', 'good'],
  ['not judged', 'warning'],
]);

function toneOf(row: readonly string[], place: number, isHead: boolean): Tone {
  if (isHead) return 'quiet';
  return TONES.get(row[place] ?? '') ?? (row[0] === 'all' ? 'title' : 'note');
}

/** Heads in two lines of about one length each, the second always filled. */
function breakHeads(head: readonly string[]): readonly (readonly string[])[] {
  const broken = head.map((name): readonly [string, string] => {
    const spaces = [...name.matchAll(/ /g)].map(({ index }) => index);
    const longer = (at: number) => Math.max(at, name.length - at - 1);
    const [at] = spaces.toSorted((a, b) => longer(a) - longer(b));
    return at === undefined ? ['', name] : [name.slice(0, at), name.slice(at + 1)];
  });
  return [broken.map(([first]) => first), broken.map(([, last]) => last)];
}

/** Cuts the widest of the names until all columns fit, but none to less than it needs. */
function cutNames(
  heads: readonly (readonly string[])[],
  body: readonly (readonly string[])[],
  align: Table['align'],
  room: number,
): readonly (readonly string[])[] {
  const widths = [...measureColumns([...heads, ...body])];
  const least = widths.map((width, column) =>
    align[column] === 'left' ? Math.min(width, SHORTEST) : width,
  );
  const gap = sum(least, GAP) > room ? LEAST_GAP : GAP;
  shrink(widths, least, room - (widths.length - 1) * gap);
  const columns = widths.map((width, column) =>
    shortenApart(
      body.map((row) => row[column] ?? ''),
      width,
    ),
  );
  const cut = heads.map((row) => row.map((cell, column) => shorten(cell, widths[column] ?? 0)));
  return [...cut, ...body.map((_, row) => columns.map((cells) => cells[row] ?? ''))];
}

/** Makes the widest widths smaller until all fit into a room, but none smaller than its least. */
export function shrink(widths: number[], least: readonly number[], room: number): void {
  for (let over = sum(widths, 0) - room; over > 0; over--) {
    let widest = -1;
    for (const [column, width] of widths.entries())
      if (width > (least[column] ?? 0) && width > (widths[widest] ?? 0)) widest = column;
    if (widest < 0) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

/** The columns of each part of a table, which all begin with the first one. */
function chooseColumns(widths: readonly number[], room: number): readonly (readonly number[])[] {
  const parts: number[][] = [];
  let part: number[] = [];
  for (const column of widths.keys()) {
    const next = [...part, column];
    const isFull =
      sum(
        next.map((each) => widths[each] ?? 0),
        LEAST_GAP,
      ) > room;
    if (isFull && part.length > 1) {
      parts.push(part);
      part = [0, column];
    } else part = next;
  }
  return [...parts, part];
}

function measureColumns(rows: readonly (readonly string[])[]): readonly number[] {
  const [first = []] = rows;
  return first.map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
}

function sum(widths: readonly number[], gap: number): number {
  return widths.reduce((total, width) => total + width + gap, -gap);
}

/** A text with spaces behind it; before it where the width is negative. */
export function pad(text: string, width: number): string {
  const spaces = ' '.repeat(Math.max(0, Math.abs(width) - widthOf(text)));
  return width < 0 ? spaces + text : text + spaces;
}

/** The start and the end of a text that has no room: two ids may begin alike. */
export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const characters = split(text);
  const half = Math.floor((width - 1) / 2);
  return `${take(characters, half + ((width - 1) % 2))}…${take(characters.toReversed(), half, true)}`;
}

/**
 * Several texts of at most `width` columns that stay apart: what all have in common at the end, or
 * else at the beginning, is left out first.
 */
export function shortenApart(texts: readonly string[], width: number): readonly string[] {
  const start = countCommon(texts);
  const end = countCommon(texts.map((text) => [...text.slice(start)].reverse().join('')));
  const leaveOut = (from: number, to: number, kept = 0) =>
    texts.map((text) => {
      const begun = from - kept > 2 ? `${text.slice(0, kept)}…${text.slice(from)}` : text;
      return to > 2 ? `${begun.slice(0, -to)}…` : begun;
    });
  const roomIn = (all: readonly string[]) => width - Math.max(0, ...all.map(widthOf));
  const room = roomIn(leaveOut(start, 0));
  const ways = [
    texts,
    leaveOut(0, end),
    leaveOut(start, 0, Math.max(0, room)),
    leaveOut(start, end),
  ];
  const way = ways.find((all) => roomIn(all) >= 0) ?? leaveOut(start, end);
  return way.map((text) => shorten(text, width));
}

/** How many characters at their beginning different texts have in common. */
function countCommon(texts: readonly string[]): number {
  const [first = '', ...others] = new Set(texts);
  if (others.length === 0) return 0;
  let count = 0;
  while (count < first.length - 1 && others.every((other) => other[count] === first[count]))
    count += 1;
  return count;
}

/** The first words of a sentence that has no room. */
export function cutWords(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const start = take(split(text), width - 1);
  const words = start.replace(/\s+\S*$/, '');
  return `${words.length > width / 2 ? words : start}…`;
}

/** The characters of a text, each with its marks. */
function split(text: string): readonly string[] {
  return text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? [];
}

/** As many characters as have room. */
function take(characters: readonly string[], room: number, isReversed = false): string {
  const taken: string[] = [];
  let width = 0;
  for (const character of characters) {
    width += widthOf(character);
    if (width > room) break;
    taken.push(character);
  }
  return (isReversed ? taken.toReversed() : taken).join('');
}

/** How many columns a text takes: marks on letters take none, the letters of East Asia two. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text)
    width += NO_WIDTH.test(character) ? 0 : DOUBLE.test(character) ? 2 : 1;
  return width;
}

const NO_WIDTH = /^[\p{Mn}\p{Me}]$/u;
const DOUBLE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]$/u;
