import { groupBy } from '../src/figures/groups.ts';
import { DOCS } from '../src/package.ts';
import { cutApart } from '../src/words/differences.ts';
import { ERROR_NAMES, type SampleResult, STATES } from '../src/words/row.ts';
import { escapeLine, lineIf, listUp, toLiteralPattern, toTextOrNull } from '../src/words/show.ts';
import { nameVariant } from '../src/words/variant.ts';
import {
  cutWords,
  drawLine,
  pad,
  paint,
  shorten,
  shortenApart,
  shrink,
  type Terminal,
  type Tone,
  widthOf,
} from './terminal.ts';

/** More lines of a suite are not read. */
const MOST_LINES = 20;

/** A failed case, with texts in one line. */
export type FailedCase = Pick<
  SampleResult,
  'suite' | 'agent' | 'prompt' | 'id' | 'trial' | 'state' | 'reason' | 'scores'
> &
  Readonly<{
    /** Null if it is not known. */
    target: string | null;
    answer: string | null;
    explanation: string;
    /** Whether target, answer and explanation are left out because they must not be shown. */
    isHidden: boolean;
    /** Where the user's code failed, "src/agent.ts:31". */
    place: string | null;
  }>;

export function toFailedCase(
  row: SampleResult,
  { isHidden, place }: Pick<FailedCase, 'isHidden' | 'place'>,
): FailedCase {
  const inOneLine = (text: string | null) => (isHidden || text === null ? null : toOneLine(text));
  const [target, answer] = showApart(toTextOrNull(row.target), toTextOrNull(row.answer), 400);
  return {
    ...row,
    target: inOneLine(target),
    answer: inOneLine(answer),
    explanation: inOneLine(row.explanation) ?? '',
    isHidden,
    place,
  };
}

/** Long answers by the part in which they differ. */
function showApart(target: string | null, answer: string | null, most: number) {
  return target === null || answer === null ? [target, answer] : cutApart(target, answer, most);
}

/**
 * The failed cases of a run, suite by suite: first the causes that several have in common, then one
 * line a case: id, expected and received answer, and why where the answers do not say it. `report`
 * is a link to all of them.
 */
export function drawFailures(
  failed: readonly FailedCase[],
  report: string,
  terminal: Terminal,
): string {
  const bySuite = Map.groupBy(failed, ({ suite }) => suite);
  const suites = [...bySuite].map(([suite, cases]) => drawSuite(suite, cases, report, terminal));
  const ends = lineIf(
    failed.some(({ isHidden }) => isHidden),
    drawLine(SHOW_HIDDEN, 'quiet', terminal, ' '),
  );
  return [...suites, ...ends].map((text) => `\n${text}`).join('');
}

/** How to see what CI hides. */
export const SHOW_HIDDEN = `EVAL_SHOW_GATED=1 shows expected answers and answers in CI: see ${DOCS}/datasets.md#keep-a-dataset-private.`;

function drawSuite(
  suite: string,
  cases: readonly FailedCase[],
  report: string,
  terminal: Terminal,
): string {
  const isOne = new Set(cases.map(nameVariant)).size === 1;
  // Most ids are told apart by their first and last characters.
  const widest = Math.max(13, Math.min(60, Math.floor(terminal.width / 5.5)));
  const nameOf = nameCases(cases, widest);
  const entries = [...groupBy(cases, toCause).values()];
  const several = entries.filter(([{ answer }, ...others]) => others.length > 0 && !answer);
  const causes = several.toSorted((a, b) => b.length - a.length).slice(0, MOST_LINES);
  const single = entries
    .filter((same) => !several.includes(same))
    .slice(0, MOST_LINES - causes.length);
  const left = cases.length - [...causes, ...single].flat().length;
  return [
    drawLine(`${suite}: ${cases.length} failed`, 'title', terminal, ' '),
    ...causes.map((same) => drawCause(same, nameOf, isOne, terminal)),
    ...drawColumns(
      single.map((same) => toCaseCells(same, nameOf, isOne)),
      terminal,
    ),
    ...lineIf(left > 0, drawLine(`and ${left} more: ${report}`, 'quiet', terminal, '   ')),
  ].join('');
}

/** The cases of one line, which have their cause in common. */
type Cases = readonly [FailedCase, ...FailedCase[]];

/** Why there is no answer, or the wrong answer that several trials of a question have. */
function toCause(failed: FailedCase): string {
  const { id, trial, answer, state, reason } = failed;
  const isUnlike = failed.isHidden && state === 'incorrect';
  return JSON.stringify([
    nameVariant(failed),
    state,
    ...(isUnlike ? [id, trial] : answer ? [id, answer] : [reason, toErrorKind(failed)]),
  ]);
}

/** The message of an error without long numbers and ids, which differ from case to case. */
function toErrorKind({ id, state, reason, explanation }: FailedCase): string {
  if (!STATES[state].isError && reason !== 'schema') return '';
  return explanation
    .replaceAll(new RegExp(`(?<!\\w)${toLiteralPattern(id)}(?!\\w)`, 'g'), '')
    .replaceAll(/\w+/g, (word) => (/\d/.test(word) && !STATUS.test(word) ? '' : word));
}

/** A number that tells causes apart, such as 404 or E2. */
const STATUS = /^[A-Z]*\d{1,3}$/;

/** Ids as they are shown: short, and told apart. */
function nameCases(cases: readonly FailedCase[], width: number): NameOf {
  const ids = [...new Set(cases.map(({ id }) => toOneLine(id)))];
  const shown = new Map(shortenApart(ids, width).map((name, index) => [ids[index], name]));
  return ({ id }) => shown.get(toOneLine(id)) ?? '';
}

type NameOf = (failed: FailedCase) => string;

/** "× 20 crashes: TypeError: ... (q1, q2, q3 and 17 more)" */
function drawCause(
  [first, ...others]: Cases,
  nameOf: NameOf,
  isOneVariant: boolean,
  terminal: Terminal,
): string {
  const by = isOneVariant ? '' : ` by ${nameVariant(first)}`;
  const what = escapeLine(`${nameEnd(first, others.length + 1)}${by}`);
  const [message = ''] = toWhy(first);
  const inside = Math.min(terminal.width, WIDEST) - widthOf(`${MARK}${what}: `);
  const least = Math.min(widthOf(message), Math.max(SHORTEST_MESSAGE, Math.floor(inside * 0.6)));
  const names = [...new Set([first, ...others].map(nameOf))];
  const place = lineIf(first.place !== null, `at ${first.place}; `);
  const wheres = [3, 2, 1].flatMap((count) =>
    [...place, ''].map((at) => ` (${at}${listUp(names, count)})`),
  );
  const where = wheres.find((text) => widthOf(text) + least <= inside) ?? wheres.at(-1) ?? '';
  const room = Math.max(SHORTEST_MESSAGE, inside - widthOf(where));
  const shown = message === '' ? what : `${what}: ${cutWords(message, room)}`;
  const texts = [MARK, shown].map((text) => paint(text, 'bad', terminal));
  return `${texts.join('')}${paint(where, 'quiet', terminal)}\n`;
}

const MARK = ' × ';

/** No message is cut to less. */
const SHORTEST_MESSAGE = 24;

/** A longer line is not read, however wide the terminal is. */
const WIDEST = 240;

/** `isWhole` is not cut, and `isProse` is cut between words. */
type Cell = Readonly<{
  label?: string;
  text: string;
  tone: Tone;
  isWhole?: boolean;
  isProse?: boolean;
}>;

/** Id, variant and trial where there are several, both answers, and why they differ. */
function toCaseCells(
  [first, ...others]: Cases,
  nameOf: NameOf,
  isOneVariant: boolean,
): readonly Cell[] {
  const { trial, place } = first;
  const [target, answer] = showApart(first.target, first.answer, WIDTHS[3].most);
  const which = [
    ...lineIf(!isOneVariant, nameVariant(first)),
    ...lineIf(others.length === 0 && trial > 1, `trial ${trial}`),
  ];
  const trials = lineIf(others.length > 0, `in ${others.length + 1} trials`);
  const why = [...trials, ...toWhy(first), ...lineIf(place !== null, `at ${place}`)];
  return [
    { text: nameOf(first), tone: 'note' },
    { text: toOneLine(which.join(', ')), tone: 'note' },
    target ? { label: 'expected ', text: target, tone: 'good' } : { text: '', tone: 'note' },
    answer
      ? { label: 'received ', text: answer, tone: 'bad' }
      : { text: nameEnd(first), tone: 'bad', isWhole: true },
    { text: why.join(', '), tone: 'quiet', isProse: true },
  ];
}

/** How wide each column may be, and below what it says too little. */
const WIDTHS = [
  { most: 60, least: 11, enough: 13 },
  { most: 40, least: 8, enough: 10 },
  { most: 48, least: 17, enough: 24 },
  { most: 60, least: 17, enough: 30 },
  { most: 72, least: 24, enough: 24 },
] as const;

/** Lines of such cells below each other, without the explanations where they have no room. */
function drawColumns(lines: readonly (readonly Cell[])[], terminal: Terminal): readonly string[] {
  const columns = WIDTHS.map(({ most, least, enough }, column) => {
    const cells = lines.flatMap((line) => line[column] ?? []);
    const whole = Math.max(0, ...cells.filter(({ isWhole }) => isWhole).map(widthOfCell));
    const natural = Math.max(whole, Math.min(most, Math.max(0, ...cells.map(widthOfCell))));
    return {
      natural,
      least: Math.min(natural, Math.max(least, whole)),
      enough: Math.min(natural, Math.max(enough, whole)),
    };
  });
  const widths = fitWidths(columns, terminal.width - MARK.length);
  return lines.map((cells) => {
    const last = cells.findLastIndex(
      (cell, column) => widths[column] !== 0 && widthOfCell(cell) > 0,
    );
    const drawn = cells
      .slice(0, last + 1)
      .flatMap(({ label = '', text, tone, isProse }, column) => {
        const width = (widths[column] ?? 0) - label.length;
        if (width <= 0) return [];
        const shown = isProse ? cutWords(text, width) : shorten(text, width);
        const filled = column === last ? shown : pad(shown, width);
        return `${paint(label, 'quiet', terminal)}${paint(filled, tone, terminal)}`;
      });
    return `${paint(MARK, 'bad', terminal)}${drawn.join('  ')}\n`;
  });
}

function widthOfCell({ label = '', text }: Cell): number {
  return label.length + widthOf(text);
}

type Width = Readonly<Record<'natural' | 'least' | 'enough', number>>;

/** The last column is cut first, and goes where the others would have too little. */
function fitWidths(columns: readonly Width[], room: number): readonly number[] {
  const sum = (key: keyof Width) => columns.reduce((total, column) => total + column[key], 0);
  const inside = room - 2 * (columns.filter(({ natural }) => natural > 0).length - 1);
  const [why] = columns.slice(-1);
  if (why !== undefined && why.natural > 0 && sum('enough') > inside)
    return fitWidths([...columns.slice(0, -1), { natural: 0, least: 0, enough: 0 }], room);
  const widths = columns.map(({ natural }) => natural);
  const over = Math.max(0, sum('natural') - inside);
  widths.push(Math.max(why?.least ?? 0, (widths.pop() ?? 0) - over));
  shrink(
    widths,
    columns.map(({ least }) => least),
    inside,
  );
  return widths;
}

/** "no answer (empty)", "crash"; of several "3 no answer (empty)", "3 crashes". */
export function nameEnd(
  { state, reason }: Pick<FailedCase, 'state' | 'reason'>,
  count = 1,
): string {
  const number = count === 1 ? '' : `${count} `;
  const names = STATES[state].isError ? NAMES_OF_ERRORS.get(reason ?? '') : undefined;
  if (names !== undefined) return `${number}${names[count === 1 ? 0 : 1]}`;
  const why = reason === null || reason === state ? '' : ` (${toOneLine(reason)})`;
  return `${number}${STATES[state].label}${why}`;
}

const NAMES_OF_ERRORS = new Map(Object.entries(ERROR_NAMES));

/** What the two answers do not say. */
function toWhy(failed: FailedCase): readonly string[] {
  const { state, reason, answer, explanation, scores = {} } = failed;
  const text = explanation.replace(/^compared as \w+: /, '');
  const why = text.startsWith(`"${answer}" `) ? text.slice(`"${answer}" `.length) : text;
  const isTold = STATES[state].isError || reason === 'schema';
  if (!answer) return lineIf(isTold && why !== '', why.replace(MISFIT, ''));
  const names = Object.keys(scores);
  const wrong = names.filter((name) => scores[name] === false);
  if (wrong.length > 0)
    return [`false: ${wrong.map((name) => toScoreWhy(name, names, text)).join(', ')}`];
  return lineIf(why !== '' && !SAYS_NO_MORE.test(why) && !isOfAnswers(why, failed), why);
}

const MISFIT = /^the output does not fit the schema: /;

/** Explanations that have both answers again. */
const SAYS_NO_MORE =
  /^(?:expected .+, got .+|(?!element ).+ is not .+|not equal to the expected answer|your score returned false)$/;

/** "total (expected 12 to be 13)", of "kind is true; total is false (expected 12 to be 13)". */
function toScoreWhy(name: string, names: readonly string[], explanation: string): string {
  const shown = toOneLine(name);
  const all = names.map((each) => toLiteralPattern(toOneLine(each))).join('|');
  const own = `(?:^|; )${toLiteralPattern(shown)} is false( \\(.*?)(?:; (?:${all}) is |$)`;
  return `${shown}${new RegExp(own).exec(explanation)?.[1] ?? ''}`;
}

/** Whether an assertion compared the answer with the target, both of which the line shows. */
function isOfAnswers(why: string, { answer, target }: FailedCase): boolean {
  const [, ...compared] = COMPARED.exec(why) ?? [];
  return compared.length === 2 && isShownAs(compared[0], answer) && isShownAs(compared[1], target);
}

const COMPARED =
  /^expected (.+) to (?:be|(?:deeply |strictly )?equal) (.+?)(?: \/\/ Object\.is equality)?$/;

/** Whether a message shows this text, or parts of it. A cut object says where it differs. */
function isShownAs(shown = '', text: string | null): boolean {
  if (shown.includes('…(')) return false;
  const whole = toWords(text ?? '');
  if (!shown.includes('…')) return toWords(shown) === whole;
  return shown.split('…').every((part) => whole.includes(toWords(part)));
}

/** The letters and digits: quotes, escapes and spaces differ. */
function toWords(text: string): string {
  return text.replaceAll(/\\[nrt]|[^\p{L}\p{N}]/gu, '');
}

function toOneLine(text: string): string {
  return escapeLine(text.replaceAll(/\s+/g, ' ').trim(), 600);
}
