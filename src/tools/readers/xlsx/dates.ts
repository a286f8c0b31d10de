const DAY_MS = 86_400_000;

/** Excel's count of days as "2031-05-17", "2031-05-17 09:30" or "09:30"; the number itself when it is no date. */
export function toDateText(days: number, from1904: boolean): string {
  // Excel takes 1900 for a leap year, so that counts before its 1 March are one day off.
  const shift = from1904 ? 24_107 : days < 61 ? 25_568 : 25_569;
  const rounded = Math.round(days * 86_400) / 86_400;
  const date = new Date(Math.round((rounded - shift) * DAY_MS));
  if (days < 0 || Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999) return String(days);
  const [day = '', clock = ''] = date.toISOString().split('T');
  const time = clock.startsWith('00:00:00') ? '' : clock.slice(0, clock.slice(6, 8) === '00' ? 5 : 8);
  if (days < 1 && !from1904) return time || '00:00';
  return time === '' ? day : `${day} ${time}`;
}

/** Excel writes no longer number format. */
const MAX_CODE = 255;

/** Whether a number format shows a date or a time: by its number, or by the letters that stand outside of quotes. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47);
  const plain = code.slice(0, MAX_CODE).replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  return /[ymdhs]/i.test(plain) && !/general/i.test(plain);
}
