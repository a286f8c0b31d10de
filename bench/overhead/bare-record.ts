import { hash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

/*
 * Run as a process of its own, so that all is as cold as in a run: `node bare-record.ts FOLDER RUN`. Makes what is in the
 * files of a run folder again, with bare calls of Node and nothing of this suite, and writes it into FOLDER: the least
 * that the record itself costs. Prints what each part took, and its bytes, as JSON.
 */

type Row = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly target: string;
  readonly output: string;
};

const PLANNED = ['suite', 'dataset', 'agent', 'id', 'trial', 'group', 'prompt_hash', 'question_hash'] as const;
const RESULT = 'target answer state reason how latency_ms usage cost_usd cached steps model'.split(' ');

const [folder, run] = process.argv.slice(2);
if (folder === undefined || run === undefined) throw new Error('Call it as: node bare-record.ts FOLDER RUN');
const rows: readonly Row[] = readLines(read('samples.jsonl'));
const asked: { readonly questions: readonly { readonly input: string }[] } = JSON.parse(read('questions-gaia.json'));
const answers = read('answers.csv')
  .split('\r\n')
  .map((line) => line.split(','));
const submission = readLines(read('submission.jsonl'));
const page: unknown = JSON.parse(/id="data">(.*)<\/script>/.exec(read('report.html'))?.[1] ?? '');
const parts: Record<string, { readonly ms: number; readonly bytes: number }> = {};

measure('questions hashed', () => {
  for (const { input } of asked.questions) hash('sha256', input);
  return 0;
});
measure('rows as JSON, written 64 at a time', () => {
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`);
  for (let at = 0; at < lines.length; at += 64) appendFileSync(join(folder, 'rows'), lines.slice(at, at + 64).join(''));
  return lines.reduce((sum, line) => sum + line.length, 0);
});
measure('rows read and parsed again', () => {
  readLines(readFileSync(join(folder, 'rows'), 'utf8'));
  return 0;
});
measure('questions written, read and parsed again', () => {
  const bytes = write('questions', JSON.stringify(asked));
  JSON.parse(readFileSync(join(folder, 'questions'), 'utf8'));
  return bytes;
});
measure('task.meta to the main process, planned and with its result', () => {
  const planned = rows.map((row) => Object.fromEntries(PLANNED.map((name) => [name, row[name]])));
  const before = serialize(planned);
  deserialize(before);
  const results = rows.map((row, index) => ({ ...planned[index], ...pick(row, RESULT) }));
  let bytes = before.length;
  for (let at = 0; at < results.length; at += 64) {
    const message = serialize(results.slice(at, at + 64));
    deserialize(message);
    bytes += message.length;
  }
  return bytes;
});
measure('answers.csv', () => write('answers', answers.map((cells) => cells.join(',')).join('\r\n')));
measure('submission.jsonl', () => write('submission', submission.map((line) => `${JSON.stringify(line)}\n`).join('')));
measure('the data of report.html', () => write('page', JSON.stringify(page).replaceAll('<', '\\u003c')));
measure('two substring rules over each output, as the audit has them', () => {
  for (const { output, target } of rows) {
    const lower = output.toLowerCase();
    if (!lower.includes(target))
      lower
        .replace(/\s+/g, ' ')
        .replace(/[^\w\s]/g, '')
        .includes(target);
  }
  return 0;
});
console.log(JSON.stringify(parts));

function measure(part: string, work: () => number): void {
  const started = performance.now();
  const bytes = work();
  parts[part] = { ms: performance.now() - started, bytes };
}

function pick(row: Row, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

function read(file: string): string {
  return readFileSync(join(run ?? '', file), 'utf8');
}

function write(file: string, text: string): number {
  writeFileSync(join(folder ?? '', file), text);
  return text.length;
}

function readLines(text: string): readonly Row[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line): Row => JSON.parse(line));
}
