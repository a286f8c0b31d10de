import { quote, showValue } from '../records/show-value.ts';
import type { ToolArguments } from './tool.ts';

export function requiredText(args: ToolArguments, name: string): string {
  const value = args.get(name);
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`${quote(name)} must be a text that is not empty, got ${showValue(value)}. Call the tool again.`);
}

export function optionalText(args: ToolArguments, name: string): string | null {
  const value = args.get(name) ?? '';
  return value === '' ? null : requiredText(args, name);
}

/** A line number or the like. Models also write numbers in quotes. */
export function optionalCount(args: ToolArguments, name: string): number | null {
  const value = args.get(name) ?? null;
  if (value === null || value === '') return null;
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1) return count;
  throw new Error(`${quote(name)} must be a whole number from 1 up, got ${showValue(value)}. Call the tool again.`);
}
