import { parse } from 'csv-parse/sync';

/** The rows of a CSV text by column name. */
export function readRows(csv: string): readonly Readonly<Record<string, string>>[] {
  return parse(csv, { columns: true });
}
