import { inflateSync } from 'node:zlib';
import { MONTHS, parseDay, toDay, toWeekday } from './calendar.ts';
import { findMostFrequent } from './count-by.ts';
import { DOT, MORSE } from './make/morse.ts';
import { permute } from './permutations.ts';
import { readMember, readPdfRows, readTexts } from './read-binary.ts';
import { readNumbers, sum } from './read-numbers.ts';
import type { Solver } from './solver.ts';

export const GAIA_LEVEL_1: Readonly<Record<string, Solver>> = {
  '73733b94-ee68-4a25-8f54-a3beb9866bd9': countDays,
  '7c92e9b5-84cc-4534-a123-6212a8f8ac4a': hearMorse,
  'c5eac3f3-caa8-43fc-b271-f4de8af8d8ad': splitMarketCosts,
  '111a9fd2-2f15-4428-bc1e-df90435c3be1': readThermometer,
  '753be007-3c51-4128-bb6d-1a0da6dce275': findBusiestVessel,
  '39fe2ee4-2ce4-4b03-8c80-65523dbaa1ab': findLeapSunday,
  '28a2481e-0663-4960-ba29-097ef1cb908c': convertCups,
  '9dca7ab2-3333-4447-a8f4-8dae187746c4': findBusiestOwner,
  '65dada67-0429-4f58-89ad-4659e8b45a53': countTilePairs,
  '4bd7577e-4d50-46cb-b6e1-4e9ec0576b26': findMonthsByLength,
  'b8757d24-821e-4430-87fc-e60006ba0921': computeArrival,
  'd083b722-0782-4197-9861-cb884af545b5': findThirdRunner,
};

function countDays(question: string): string {
  const [first = '', last = ''] = question.match(/\d{1,2} [A-Z][a-z]+ \d{4}/g) ?? [];
  return String(parseDay(last) - parseDay(first));
}

/** Twenty-five samples, an eighth of a dot, tell a tone from silence. */
function hearMorse(_: string, _text: string, recording: Buffer): string {
  const sound = recording.subarray(44);
  const dots = Array.from({ length: Math.floor(sound.length / DOT) }, (_dot, index) => {
    return sound.subarray(index * DOT, index * DOT + 25).some((level) => Math.abs(level - 128) > 30);
  });
  const tones = dots
    .map((isTone) => (isTone ? '=' : ' '))
    .join('')
    .trim();
  const letters = new Map(Object.entries(MORSE).map(([letter, code]) => [code, letter]));
  const readLetter = (signs: string) =>
    letters.get(signs.replaceAll('===', '-').replaceAll('=', '.').replaceAll(' ', ''));
  return tones
    .split(' '.repeat(7))
    .map((word) => word.split(' '.repeat(3)).map(readLetter).join(''))
    .join(' ');
}

function splitMarketCosts(_: string, file: string): string {
  const toCost = (goods: string) => {
    const line = file.split('\n').find((text) => text.includes(goods)) ?? '';
    const [count = Number.NaN, price = Number.NaN] = readNumbers(line);
    return (line.includes(' g ') ? count / 1000 : count) * price;
  };
  const [credit = Number.NaN] = readNumbers(/owe you (\S+)/.exec(file)?.[0] ?? '');
  const shared = ['plums', 'rye bread', 'eggs', 'radishes'].map(toCost);
  return (sum(shared) / 2 + toCost('goat cheese') - credit).toFixed(2);
}

function readThermometer(question: string): string {
  const [from = Number.NaN, , start = Number.NaN, rise = Number.NaN, fall = Number.NaN, to = Number.NaN] =
    readNumbers(question);
  const risingHours = 3;
  return String(start + risingHours * rise - (to - from - risingHours) * fall);
}

function findBusiestVessel(question: string, file: string): string {
  const [least = Number.NaN] = readNumbers(question);
  const full = readPdfRows(file).filter(([, , , , passengers]) => Number(passengers) > least);
  return findMostFrequent(full.map(([, , vessel = '']) => vessel));
}

function findLeapSunday(question: string): string {
  const [last = Number.NaN] = readNumbers(/in (\d{4})/.exec(question)?.[0] ?? '');
  let year = last + 4;
  while (toWeekday(toDay(year, 2, 29)) !== 'Sunday') year += 4;
  return String(year);
}

function convertCups(question: string): string {
  const [cups = Number.NaN, millilitres = Number.NaN] = readNumbers(question);
  return ((cups * millilitres) / 1000).toFixed(4);
}

function findBusiestOwner(_: string, _text: string, document: Buffer): string {
  const xml = readMember(document, 'word/document.xml');
  const rows = xml
    .split('<w:tr>')
    .slice(1)
    .map((row) => readTexts(row.split('</w:tr>')[0] ?? '', 'w:t'));
  const items = new Map(rows.map(([no = '', , owner = '', status]) => [no, { owner, open: status === 'open' }]));
  const decisions = readTexts(xml, 'w:t').join('\n');
  for (const [, no = '', decision = ''] of decisions.matchAll(/^Item (\d+) (.*)$/gm)) {
    const owner = /passes to (\w+)/.exec(decision)?.[1] ?? items.get(no)?.owner ?? '';
    const open = items.get(no)?.open ?? false;
    items.set(no, { owner, open: decision.startsWith('is open') || (open && !decision.startsWith('is closed')) });
  }
  for (const [, no = '', owner = ''] of decisions.matchAll(/^New item (\d+), open: .*gave it to (\w+)/gm)) {
    items.set(no, { owner, open: true });
  }
  return findMostFrequent([...items.values()].filter(({ open }) => open).map(({ owner }) => owner));
}

/** Numbers of the palette stand in the rows of the picture, each after one byte; a tile is 16 pixels wide and high. */
function countTilePairs(_: string, _text: string, picture: Buffer): string {
  const place = (type: string) => picture.indexOf(type) + 4;
  const [width, height] = [picture.readUInt32BE(place('IHDR')), picture.readUInt32BE(place('IHDR') + 4)];
  const packed = picture.subarray(place('IDAT'), place('IDAT') + picture.readUInt32BE(place('IDAT') - 8));
  const pixels = inflateSync(packed);
  const tile = (row: number, column: number) => {
    const number = pixels[row * 16 * (width + 1) + 1 + column * 16] ?? 0;
    const [red = 0, green = 0, blue = 0] = picture.subarray(place('PLTE') + 3 * number);
    return red > 150 && green < 100 ? 'red' : blue > 150 && green < 100 ? 'blue' : 'other';
  };
  const places = Array.from({ length: height / 16 }, (_row, row) => {
    return Array.from({ length: width / 16 }, (_column, column) => [tile(row, column), tile(row, column + 1)].join());
  });
  const inside = places.flatMap((row) => row.slice(0, -1));
  return String(inside.filter((pair) => pair === 'red,blue').length);
}

function findMonthsByLength(): string {
  return MONTHS.filter((name) => name.length === 8).join(', ');
}

function computeArrival(question: string): string {
  const [hour = Number.NaN, minute = Number.NaN, hours = Number.NaN, minutes = Number.NaN] = readNumbers(question);
  const clockShift = 1;
  const total = (hour + hours + clockShift) * 60 + minute + minutes;
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  return `${twoDigits(Math.floor(total / 60) % 24)}:${twoDigits(total % 60)}`;
}

function findThirdRunner(): string {
  const orders = [...permute(['Edda', 'Farid', 'Gus', 'Hana'])].filter((order) => {
    const place = (name: string) => order.indexOf(name);
    const clues = [
      place('Farid') < place('Hana'),
      place('Gus') > 0 && place('Gus') < 3,
      place('Edda') === place('Gus') + 1,
      place('Edda') !== 3,
    ];
    return clues.every(Boolean);
  });
  return [...new Set(orders.map((order) => order[2]))].join(' or ');
}
