import { plural } from '../../text/plural.ts';
import { UsageError } from '../command.ts';

const MS_OF = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** "30d" in ms; h, d and w are hours, days and weeks. Throws a UsageError. */
export function parseAge(text: string): number {
  const [, count, unit] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  if (unit === 'h' || unit === 'd' || unit === 'w') return Number(count) * MS_OF[unit];
  throw new UsageError(
    `--older-than must be hours, days or weeks, got ${JSON.stringify(text)}. Write it as 12h, 30d or 8w.`,
  );
}

const BYTES_OF = { k: 1e3, m: 1e6, g: 1e9 } as const;

/** "1g" in bytes; k, m and g are thousands, millions and thousand millions. Throws a UsageError. */
export function parseSize(text: string): number {
  const [, count, unit] = /^(\d{1,9}(?:\.\d{1,3})?)([kmg])$/i.exec(text) ?? [];
  const letter = unit?.toLowerCase();
  if (letter === 'k' || letter === 'm' || letter === 'g') return Number(count) * BYTES_OF[letter];
  throw new UsageError(`--larger-than must be a size, got ${JSON.stringify(text)}. Write it as 500m or 1.5g.`);
}

/** "1.5 MB": three figures at most, in the units of `parseSize`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return plural(bytes, 'byte');
  if (bytes < 999_500) return `${round(bytes / 1e3)} kB`;
  return bytes < 999_500_000 ? `${round(bytes / 1e6)} MB` : `${round(bytes / 1e9)} GB`;
}

/** "31 days", "5 hours". */
export function formatAge(ms: number): string {
  const hours = Math.max(0, Math.floor(ms / MS_OF.h));
  return hours < 48 ? plural(hours, 'hour') : plural(Math.floor(hours / 24), 'day');
}

function round(value: number): string {
  return value < 99.95 ? value.toFixed(1) : value.toFixed(0);
}
