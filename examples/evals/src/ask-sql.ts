/** The tables that questions are asked of. */
export const TABLES = `
CREATE TABLE parcels (id TEXT, country TEXT, kg REAL, late INTEGER);
INSERT INTO parcels VALUES ('P1', 'NO', 2, 0), ('P2', 'NO', 9, 1), ('P3', 'PT', 4, 1), ('P4', 'PT', 1, 0);`;

/** Writes SQL for a question. Call your model here. */
export async function writeSql(question: string): Promise<string> {
  if (/late/.test(question))
    return 'SELECT country, count(*) AS n FROM parcels WHERE late = 1 GROUP BY country';
  if (/heaviest/.test(question)) return 'SELECT id FROM parcels ORDER BY kg DESC LIMIT 1';
  return 'SELECT count(*) FROM parcel';
}
