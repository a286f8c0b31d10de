import { countDaysOfMonth, MONTHS, parseDay, toDay, toWeekday } from './calendar.ts';
import { DICE } from './make/dice.ts';
import { readMember, readTexts } from './read-binary.ts';
import { readNumbers, sum } from './read-numbers.ts';
import { readRows } from './read-rows.ts';
import type { Solver } from './solver.ts';

export const GAIA_LEVEL_2: Readonly<Record<string, Solver>> = {
  '1e8a36ac-1532-4c25-94fe-84618ad36277': sumFines,
  'bc09d345-c7cf-4029-aa22-3889beb3407f': countClockTimes,
  'ba71d266-a0c3-42f1-8dfd-2687154a1bb2': findDesigner,
  '866f8931-a8cc-4551-be63-05c48b733658': runLabelPrinter,
  '3ed0e156-905f-412b-b70e-3c3052f3b11b': findMeeting,
  '3f4179eb-1dde-4b7f-9881-17a3d9e8bc1f': weighFragileBins,
  '76daaa7e-0650-47b9-998d-0cd19959c5bb': multiplyPips,
  '33734c75-f9c5-4e56-8392-760005082bb5': findMultiples,
  'de96cc3a-ec0f-432b-b9de-a17d045d4d78': listInstruments,
  'ee35e9a5-aca5-418b-9002-d61f0bf10d4b': countNearWaters,
  '1c1a4386-8b06-4381-aab7-2e881f9868c3': decodeNumerals,
};

function sumFines(question: string, file: string): string {
  const [bookDays = Number.NaN, musicDays = Number.NaN, perDay = Number.NaN, , cap = Number.NaN] =
    readNumbers(question);
  const returned = readRows(file).filter((row) => row['returned'] !== '');
  const fines = returned.map((row) => {
    const kept = parseDay(row['returned'] ?? '') - parseDay(row['loaned'] ?? '');
    const late = Math.max(0, kept - (row['category'] === 'music' ? musicDays : bookDays));
    return Math.min(cap, late * perDay);
  });
  return sum(fines).toFixed(2);
}

function countClockTimes(): string {
  const times = Array.from({ length: 1440 }, (_, minute) => ({ hours: Math.floor(minute / 60), minutes: minute % 60 }));
  const right = times.filter(({ hours, minutes }) => minutes > hours && sumDigits(hours) + sumDigits(minutes) === 15);
  return String(right.length);
}

function sumDigits(number: number): number {
  return sum([...String(number)].map(Number));
}

type Node = Readonly<Record<string, string | number>>;

function findDesigner(_: string, file: string): string {
  const { '@graph': nodes }: { '@graph': readonly Node[] } = JSON.parse(file);
  const find = (key: string, value: unknown) => nodes.find((node) => node[key] === value);
  const bridges = nodes.filter((node) => node['spans'] === find('name', 'Harrowmere')?.['liesOn']);
  const [oldest] = bridges.toSorted((a, b) => Number(a['opened']) - Number(b['opened']));
  return String(find('@id', oldest?.['designedBy'])?.['name']);
}

/** The attached Python program once more: what it computes with is read from its text. */
function runLabelPrinter(_: string, file: string): string {
  const words = Array.from(/WORDS = \[(.+)\]/.exec(file)?.[1]?.matchAll(/"(\w+)"/g) ?? [], ([, word]) => word);
  const take = (pattern: RegExp) => readNumbers(pattern.exec(file)?.[0] ?? '');
  const [factor = Number.NaN, offset = Number.NaN, modulus = Number.NaN] = take(/return \(state .*/);
  const [byMajor = Number.NaN] = take(/divmod\(state, \d+/);
  const [byMinor = Number.NaN] = take(/divmod\(rest, \d+/);
  const [every = Number.NaN, from = Number.NaN] = take(/if index .*/);
  const seen: number[] = [];
  for (let [state = Number.NaN] = take(/^state = \d+/m); !seen.includes(state); ) {
    seen.push(state);
    state = (state * factor + offset) % modulus;
  }
  const last = seen.filter((_state, index) => index % every === from).at(-1) ?? Number.NaN;
  const rest = last % byMajor;
  const [major, minor] = [Math.floor(last / byMajor), Math.floor(rest / byMinor)];
  return `${major}.${minor}.${rest % byMinor}-${words[last % words.length]}`;
}

function findMeeting(_: string, _text: string, slides: Buffer): string {
  const notes = [1, 2].flatMap((number) =>
    readTexts(readMember(slides, `ppt/notesSlides/notesSlide${number}.xml`), 'a:t'),
  );
  const [, start = '', startYear = ''] = /first meeting is in (\w+) (\d{4})/.exec(notes.join()) ?? [];
  const pause = MONTHS.filter((month) => new RegExp(`(in|none in) ${month}\\b`).test(notes[1] ?? ''));
  const first = MONTHS.indexOf(start);
  const months = Array.from({ length: 24 }, (_month, index) => ({
    year: Number(startYear) + Math.floor((first + index) / 12),
    month: ((first + index) % 12) + 1,
  })).filter(({ month }) => !pause.includes(MONTHS[month - 1] ?? ''));
  const meeting = months[13] ?? { year: Number.NaN, month: Number.NaN };
  const days = Array.from({ length: countDaysOfMonth(meeting.year, meeting.month) }, (_day, index) => index + 1);
  const thursdays = days.filter((day) => toWeekday(toDay(meeting.year, meeting.month, day)) === 'Thursday');
  return `${thursdays[thursdays.length === 5 ? 3 : 2]} ${MONTHS[meeting.month - 1]} ${meeting.year}`;
}

type Bin = {
  readonly fragile?: boolean;
  readonly items: readonly { quantity: number; mass: { value: number; unit: 'g' | 'kg' } }[];
  readonly bins: readonly Bin[];
};

function weighFragileBins(_: string, file: string): string {
  const weigh = (bins: readonly Bin[], outer: boolean): number =>
    sum(
      bins.map(({ fragile = outer, items, bins: inner }) => {
        const grams = items.map(({ quantity, mass }) => quantity * mass.value * (mass.unit === 'kg' ? 1000 : 1));
        return (fragile ? sum(grams) : 0) + weigh(inner, fragile);
      }),
    );
  const { bins }: { bins: readonly Bin[] } = JSON.parse(file);
  return String(Math.round(weigh(bins, false)) / 1000);
}

/** The picture is what these faces were drawn as: another test holds the file to it. */
function multiplyPips(): string {
  return String(sum(DICE[0]) * sum(DICE[1]));
}

function findMultiples(question: string): string {
  const [factor = Number.NaN, digitSum = Number.NaN] = readNumbers(question);
  const numbers = Array.from({ length: 900 }, (_, index) => index + 100);
  return numbers.filter((number) => number % factor === 0 && sumDigits(number) === digitSum).join('; ');
}

function listInstruments(question: string, file: string): string {
  const [before = Number.NaN] = readNumbers(question);
  const kept = file
    .replace(/<!--[\s\S]*?-->/g, '')
    .split('<instrument ')
    .slice(1);
  const instruments = kept.map((xml) => ({
    serial: /serial="([^"]+)"/.exec(xml)?.[1],
    built: Number(/<built>(\d+)<\/built>/.exec(xml)?.[1]),
    onLoan: xml.includes('<loan '),
  }));
  const right = instruments.filter(({ built, onLoan }) => built < before && !onLoan);
  return right
    .toSorted((a, b) => a.built - b.built)
    .map(({ serial }) => serial)
    .join(', ');
}

function countNearWaters(question: string, file: string): string {
  const [limit = Number.NaN] = readNumbers(question);
  const atoms = file.split('\n').filter((line) => line.startsWith('HETATM'));
  const place = (line: string) => [30, 38, 46].map((column) => Number(line.slice(column, column + 8)));
  const zinc = place(atoms.find((line) => line.slice(12, 16) === 'ZN  ') ?? '');
  const distance = (line: string) =>
    Math.hypot(...place(line).map((value, axis) => value - (zinc[axis] ?? Number.NaN)));
  return String(atoms.filter((line) => line.slice(17, 20) === 'HOH' && distance(line) < limit).length);
}

function decodeNumerals(question: string): string {
  const numerals = question.match(/\b[IVX]+(?=,| stand)/g) ?? [];
  const letters = numerals.map((numeral, index) => (((parseNumeral(numeral) - 1 - (index + 1)) % 26) + 26) % 26);
  return String.fromCharCode(...letters.map((letter) => letter + 97));
}

function parseNumeral(numeral: string): number {
  const values = [...numeral].map((letter) => ({ I: 1, V: 5, X: 10 })[letter] ?? Number.NaN);
  return sum(values.map((value, index) => (value < (values[index + 1] ?? 0) ? -value : value)));
}
