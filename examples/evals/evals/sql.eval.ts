import { DatabaseSync } from 'node:sqlite';
import { defineEval } from 'viva';
import { TABLES, writeSql } from '../src/ask-sql.ts';

const query = (sql: string) => {
  const database = new DatabaseSync(':memory:');
  database.exec(TABLES);
  return database.prepare(sql).all();
};

await defineEval('sql', {
  data: './sql.jsonl',
  agent: ({ input }) => writeSql(input),
  score: ({ output, target, expect }) => {
    expect(() => query(output)).not.toThrow();
    expect(query(output)).toEqual(query(target));
  },
});
