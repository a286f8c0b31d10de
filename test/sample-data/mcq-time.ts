import { countDaysOfMonth, MONTHS, toDay, toWeekday } from './calendar.ts';
import { holds, isNumber, isText, type OptionCheck } from './option-checks.ts';
import { readNumbers, sum } from './read-numbers.ts';

/** By question id: which option is right, worked out from the case context. */
export const MCQ_TIME: Readonly<Record<string, (context: string) => OptionCheck>> = {
  Q33: (context) => isText(addMinutes('19:45', sum(readNumbers(context).slice(2)))),
  Q34: () => isText(toWeekday(toDay(2030, 6, 1))),
  Q35: () => (option) => countDaysOfMonth(Number(option), 2) === 29,
  Q36: (context) => isNumber(computeHourlyFlow(readNumbers(context))),
  Q37: (context) => isNumber(computeKilometres(readNumbers(context))),
  Q38: () => isNumber(210 / 1.75),
  Q39: () => isNumber(1.8 * 25 + 32),
  Q40: () => isText(`${addMinutes('22:30', (8 + 19 - 12) * 60)} on the next day`),
  Q41: () => isNumber((450 / 30) * (600 / 30)),
  Q42: () => (option) => toMetres(option) > 1.5,
  Q43: () => isOpen,
  Q44: () =>
    holds({
      '1.5 hours': 1.5 * 60 === 90,
      '5,400 seconds': 5400 / 60 === 90,
      'a sixteenth of a day of 24 hours': (24 * 60) / 16 === 90,
    }),
  Q45: () => isNumber(sum([4, 6, 9, 11].map((month) => countDaysOfMonth(2031, month)))),
  Q46: (context) => isHeaviest(context),
  Q47: () => (option) => countDaysOfMonth(2031, MONTHS.indexOf(option) + 1) === 31,
  Q48: () => isText(addMinutes('18:20', ((24 - 15) / 1.5) * 60)),
};

function addMinutes(clock: string, minutes: number): string {
  const [hour = Number.NaN, minute = Number.NaN] = clock.split(':').map(Number);
  const total = hour * 60 + minute + minutes;
  return [Math.floor(total / 60) % 24, total % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

function computeHourlyFlow([litres = Number.NaN, minutes = Number.NaN]: readonly number[]): number {
  return (litres / minutes) * 60;
}

/** Numbers of the context: 1 and 25,000 of the scale, then centimetres. */
function computeKilometres([, scale = Number.NaN, centimetres = Number.NaN]: readonly number[]): number {
  return (scale * centimetres) / 100_000;
}

function toMetres(length: string): number {
  const [value = Number.NaN] = readNumbers(length);
  const unit = length.split(' ').at(-1) ?? '';
  return value * ({ mm: 0.001, cm: 0.01, dm: 0.1, km: 1000 }[unit] ?? Number.NaN);
}

function isOpen(option: string): boolean {
  const [day = '', time = ''] = option.split(' ');
  if (day === 'Sunday') return false;
  const [opens, closes] = day === 'Saturday' ? ['10:00', '14:00'] : ['09:00', '18:00'];
  return time >= opens && time < closes;
}

function isHeaviest(context: string): OptionCheck {
  const [masses = ''] = context.split('. ');
  const bags = masses.match(/[\d.,]+ (?:kg|g|t)\b/g) ?? [];
  const heaviest = bags.toSorted((a, b) => toGrams(b) - toGrams(a))[0] ?? '';
  return isText(heaviest);
}

function toGrams(mass: string): number {
  const [value = Number.NaN] = readNumbers(mass);
  return value * ({ g: 1, kg: 1000, t: 1_000_000 }[mass.split(' ')[1] ?? ''] ?? Number.NaN);
}
