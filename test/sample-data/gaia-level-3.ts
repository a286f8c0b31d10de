import { countDaysOfMonth } from './calendar.ts';
import { permute } from './permutations.ts';
import { readMember, readTexts } from './read-binary.ts';
import { readNumbers, sum } from './read-numbers.ts';
import type { Solver } from './solver.ts';

export const GAIA_LEVEL_3: Readonly<Record<string, Solver>> = {
  '362120f4-cbaa-4ef1-bfd5-eadad9f24f1f': findShortestRide,
  'f8e19955-4cff-4e26-bf94-bb3e2d747071': findBlueShed,
  '68652028-1629-4340-b856-1b1eff4f5fbb': driveRover,
  'b67e8f1d-d2b5-4653-8b86-aaecd34d4828': rankThird,
  'c51ebbbb-10b8-4741-8025-d1cbfedecdc7': computeSavings,
  'dddecf22-1cdd-4b45-8838-ce18f87b2c4a': findLongestOutage,
  '59489517-6796-40c7-9ed2-c6160c3d7ad2': countArrangements,
};

type Network = {
  readonly change_minutes: number;
  readonly closed: readonly string[];
  readonly lines: readonly { name: string; stops: readonly string[]; minutes: readonly number[] }[];
};

type Edge = { readonly from: string; readonly to: string; readonly minutes: number };

/** Bellman-Ford over pairs of line and stop: relaxes every edge until nothing gets shorter. */
function findShortestRide(_: string, _text: string, archive: Buffer): string {
  const notice = readMember(archive, 'network/notices/notice-14.txt');
  const [change_minutes = Number.NaN] = readNumbers(/takes \d+ minutes/.exec(notice)?.[0] ?? '');
  const closed = /^Closed until further notice: (.+)\.$/m.exec(notice)?.[1]?.split(', ') ?? [];
  const lines = JSON.parse(readMember(archive, 'network/lines.json'));
  const edges = toEdges({ lines, closed, change_minutes });
  const isAt = (stop: string) => (place: string) => place.endsWith(`/${stop}`);
  const places = [...new Set(edges.map(({ from }) => from))];
  const best = new Map(places.map((place) => [place, isAt('Alder Cross')(place) ? 0 : Number.POSITIVE_INFINITY]));
  for (const _round of places) {
    for (const { from, to, minutes } of edges) {
      best.set(to, Math.min(best.get(to) ?? Number.NaN, (best.get(from) ?? Number.NaN) + minutes));
    }
  }
  return String(Math.min(...places.filter(isAt('Zinc Wharf')).map((place) => best.get(place) ?? Number.NaN)));
}

function toEdges({ lines, closed, change_minutes }: Network): readonly Edge[] {
  const rides = lines.flatMap(({ name, stops, minutes }) =>
    minutes.flatMap((time, index) => {
      const [from, to] = [`${name}/${stops[index]}`, `${name}/${stops[index + 1]}`];
      return [
        { from, to, minutes: time },
        { from: to, to: from, minutes: time },
      ];
    }),
  );
  const stops = lines.flatMap(({ name, stops }) => stops.map((stop) => ({ stop, place: `${name}/${stop}` })));
  const open = stops.filter(({ stop }) => !closed.includes(stop));
  const changes = open.flatMap((a) =>
    open
      .filter((b) => b.stop === a.stop && b.place !== a.place)
      .map((b) => ({ from: a.place, to: b.place, minutes: change_minutes })),
  );
  return [...rides, ...changes];
}

/** Allotments count from 0. The clues stand in prose, so they are written out here, in the order of the question. */
function findBlueShed(): string {
  const solutions: string[] = [];
  const sheds = [...permute(['blue', 'green', 'red', 'white', 'yellow'])];
  for (const names of permute(['Abara', "D'Arcy", 'Lindqvist', 'Obi-Reyes', 'Tan'])) {
    for (const crops of permute(['beans', 'chard', 'leeks', 'peas', 'squash'])) {
      if (!fitsCrops(names, crops)) continue;
      const fitting = sheds.filter((colours) => fitsSheds(names, crops, colours));
      solutions.push(...fitting.map((colours) => names[colours.indexOf('blue')] ?? ''));
    }
  }
  return solutions.join(' or ');
}

function fitsCrops(names: readonly string[], crops: readonly string[]): boolean {
  const clues = [
    names.indexOf('Abara') === crops.indexOf('leeks'),
    names.indexOf("D'Arcy") < names.indexOf('Lindqvist'),
    names[0] !== 'Tan' && names[4] !== 'Tan',
    crops[1] === 'beans' && crops[4] === 'squash',
    crops[0] !== 'peas' && crops[4] !== 'peas',
    areNeighbours(crops.indexOf('peas'), names.indexOf('Tan')),
  ];
  return clues.every(Boolean);
}

function fitsSheds(names: readonly string[], crops: readonly string[], sheds: readonly string[]): boolean {
  const clues = [
    sheds.indexOf('red') === crops.indexOf('beans'),
    names.indexOf('Lindqvist') === sheds.indexOf('red') + 1,
    sheds.indexOf('white') === sheds.indexOf('yellow') + 1,
    names.indexOf('Obi-Reyes') === sheds.indexOf('green'),
    areNeighbours(sheds.indexOf('green'), crops.indexOf('leeks')),
  ];
  return clues.every(Boolean);
}

function areNeighbours(a: number, b: number): boolean {
  return Math.abs(a - b) === 1;
}

function driveRover(_: string, file: string): string {
  const [, log = ''] = /^LOG\n([\s\S]*)^END OF LOG/m.exec(file) ?? [];
  const driven: { east: number; north: number }[] = [];
  let mirrored = false;
  for (const command of log.split('\n')) {
    const [, direction = '', metres = ''] = /^([NSEW]) (\d+)$/.exec(command) ?? [];
    const last = driven.at(-1);
    if (command === 'MIRROR') mirrored = !mirrored;
    if (command === 'UNDO') driven.pop();
    if (command === 'AGAIN' && last) driven.push(last);
    if (direction) driven.push(toStep(direction, Number(metres), mirrored));
  }
  return `${sum(driven.map(({ east }) => east))}, ${sum(driven.map(({ north }) => north))}`;
}

function toStep(direction: string, metres: number, mirrored: boolean): { east: number; north: number } {
  const east = { E: metres, W: -metres }[direction] ?? 0;
  return { east: mirrored ? -east : east, north: { N: metres, S: -metres }[direction] ?? 0 };
}

type Match = { readonly teams: readonly [string, string]; readonly goals: readonly [number, number] };

/** A row is annulled when its cells have the style of the cell that says so on the second sheet. */
function rankThird(_: string, _text: string, workbook: Buffer): string {
  const legend = readMember(workbook, 'xl/worksheets/sheet2.xml');
  const [, annulled = ''] = / s="(\d+)" t="inlineStr"><is><t>annulled,/.exec(legend) ?? [];
  const rows = readMember(workbook, 'xl/worksheets/sheet1.xml').split('<row ').slice(2);
  const counted = rows.filter((row) => !row.includes(` s="${annulled}"`));
  const matches = counted.map((row): Match => {
    const [first = '', second = ''] = readTexts(row, 't');
    const [, goals, against] = readTexts(row, 'v').map(Number);
    return { teams: [first, second], goals: [goals ?? Number.NaN, against ?? Number.NaN] };
  });
  const teams = [...new Set(matches.flatMap((match) => match.teams))];
  const points = new Map(teams.map((team) => [team, countPoints(team, matches)]));
  const toKey = (team: string) => {
    const level = teams.filter((other) => points.get(other) === points.get(team));
    const among = matches.filter((match) => match.teams.every((name) => level.includes(name)));
    return [points.get(team) ?? 0, countPoints(team, among), countGoalDifference(team, matches)];
  };
  return teams.toSorted((a, b) => compareKeys(toKey(b), toKey(a)))[2] ?? '';
}

function countPoints(team: string, matches: readonly Match[]): number {
  const differences = toDifferences(team, matches);
  return sum(differences.map((difference) => (difference > 0 ? 3 : difference === 0 ? 1 : 0)));
}

function countGoalDifference(team: string, matches: readonly Match[]): number {
  return sum(toDifferences(team, matches));
}

function toDifferences(team: string, matches: readonly Match[]): readonly number[] {
  const own = matches.filter(({ teams }) => teams.includes(team));
  return own.map(({ teams, goals: [first, second] }) => (teams[0] === team ? first - second : second - first));
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, position) => value !== b[position]);
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}

/** In hundredths, so that rounding half a cent up is exact. */
function computeSavings(question: string): string {
  const amounts = question.match(/\d+\.\d+/g)?.map(Number) ?? [];
  const [start = Number.NaN, deposit = Number.NaN, percent = Number.NaN, fee = Number.NaN] = amounts;
  let balance = start * 100;
  for (let month = 1; month <= 24; month += 1) {
    if (month % 3 === 0) balance += deposit * 100;
    balance += Math.floor((balance * Math.round(percent * 10) + 500) / 1000);
    if (countDaysOfMonth(2027, month) === 31) balance -= fee * 100;
  }
  return (balance / 100).toFixed(2);
}

function findLongestOutage(_: string, file: string): string {
  const lines = file.matchAll(/^(\S+) (\S+) ([+-]\d\d:\d\d) +(\w+) +(UP|DOWN)$/gm);
  const since = new Map<string, number>();
  const outages: { begin: number; length: number }[] = [];
  for (const [, date, time, offset, service = '', change] of lines) {
    const moment = Date.parse(`${date}T${time}${offset}`);
    const begin = since.get(service);
    if (change === 'DOWN' && begin === undefined) since.set(service, moment);
    if (change === 'UP' && begin !== undefined) {
      outages.push({ begin, length: moment - begin });
      since.delete(service);
    }
  }
  const [longest] = outages.toSorted((a, b) => b.length - a.length);
  return new Date(longest?.begin ?? Number.NaN).toISOString().slice(0, 16).replace('T', ' ');
}

function countArrangements(): string {
  const fits = (digits: readonly number[]) =>
    Number(digits.join('')) % 11 === 0 &&
    digits.every((digit, index) => index === 0 || !areNeighbours(digit, digits[index - 1] ?? Number.NaN));
  return String([...permute([1, 2, 3, 4, 5, 6, 7])].filter(fits).length);
}
