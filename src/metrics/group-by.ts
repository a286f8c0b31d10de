/** Rows by key, in order of first appearance. A Map, because keys come from datasets and may be "__proto__". */
export function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, [Row, ...Row[]]> {
  const groups = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const key = keyOf(row);
    const found = groups.get(key);
    if (found === undefined) groups.set(key, [row]);
    else found.push(row);
  }
  return groups;
}
