const DAY_MS = 86_400_000;

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export const MONTHS: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Days since 1970 of a date; `month` counts from 1. */
export function toDay(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

/** Days since 1970 of a date such as "2031-01-04" or "11 November 2026". */
export function parseDay(text: string): number {
  const [, day = '', name = '', year = ''] = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(text) ?? [];
  if (MONTHS.includes(name)) return toDay(Number(year), MONTHS.indexOf(name) + 1, Number(day));
  const milliseconds = Date.parse(`${text}T00:00Z`);
  if (Number.isNaN(milliseconds)) throw new Error(`Expected a date, got ${JSON.stringify(text)}. Adapt the text.`);
  return milliseconds / DAY_MS;
}

export function toWeekday(day: number): string {
  return WEEKDAYS[new Date(day * DAY_MS).getUTCDay()] ?? '';
}

export function countDaysOfMonth(year: number, month: number): number {
  return toDay(year, month + 1, 1) - toDay(year, month, 1);
}
