import { hash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

/*
 * Run as a process of its own, so that all is as cold as in a run: `node bare-record.ts FOLDER RUN`. What a run leaves
 * behind is made again with bare calls of Node and nothing of this suite: the least that the record itself costs.
 * Prints the milliseconds of each part as JSON.
 */

type Row = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly target: string;
  readonly output: string;
};
type Logged = { readonly questions: readonly { readonly id: string; readonly input: string }[] };

const [folder = '.', run = '.'] = process.argv.slice(2);
const rows: readonly Row[] = readLines(join(run, 'samples.jsonl'));
const asked: Logged = JSON.parse(readFileSync(join(run, 'questions-gaia.json'), 'utf8'));
const times: Record<string, number> = {};

measure('questions hashed', () => asked.questions.map(({ input }) => hash('sha256', input)));
measure('rows as JSON, written 64 at a time', () => {
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`);
  for (let at = 0; at < lines.length; at += 64) appendFileSync(join(folder, 'rows'), lines.slice(at, at + 64).join(''));
});
measure('rows read and parsed again', () => readLines(join(folder, 'rows')));
measure('questions written and read again', () => {
  writeFileSync(join(folder, 'questions'), JSON.stringify(asked));
  return JSON.parse(readFileSync(join(folder, 'questions'), 'utf8'));
});
measure('task.meta to the main process, before and after', () => {
  const metas = rows.map(({ output: _output, explanation: _explanation, ...meta }) => meta);
  for (let at = 0; at < metas.length; at += 64) deserialize(serialize(metas.slice(at, at + 64)));
  return deserialize(serialize(metas));
});
measure('answers.csv, submission.jsonl and the data of report.html', () => {
  const cells = rows.map(({ id, group, target, answer, state }) => [id, group, target, answer, state].join());
  writeFileSync(join(folder, 'answers'), cells.join('\n'));
  const lines = rows.map(({ id, answer, output }) => JSON.stringify([id, answer, output]));
  writeFileSync(join(folder, 'submission'), lines.join('\n'));
  const cases = rows.map((row, index) => [row, asked.questions[index]?.input]);
  writeFileSync(join(folder, 'report'), JSON.stringify(cases).replaceAll('<', '\\u003c'));
});
measure('two substring rules over each output, as the audit has them', () => {
  for (const { output, target } of rows) {
    const lower = output.toLowerCase();
    if (!lower.includes(target))
      lower
        .replace(/\s+/g, ' ')
        .replace(/[^\w\s]/g, '')
        .includes(target);
  }
});
console.log(JSON.stringify(times));

function measure(part: string, work: () => unknown): void {
  const started = performance.now();
  work();
  times[part] = performance.now() - started;
}

function readLines(file: string): readonly Row[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line): Row => JSON.parse(line));
}
