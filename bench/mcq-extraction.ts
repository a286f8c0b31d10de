import { extractChoice } from '../src/scoring/mcq/extract-choice.ts';
import { readRows } from './measure/read-rows.ts';

/**
 * `node bench/mcq-extraction.ts FILE [--failures]`: how often viva reads the labels that a person
 * read. FILE is JSON lines with output, chosen (list of labels, or null for no answer) and, where
 * known, options, multiple, id. --failures lists the outputs that are read wrongly, --time prints the
 * CPU time.
 */
type Row = Readonly<{
  output: string;
  options?: Readonly<Record<string, string>>;
  multiple?: boolean;
  chosen: readonly string[] | null;
}>;

const { name, rows } = readRows<Row>();
const readings = rows.map(read);
const start = process.cpuUsage();
for (const row of rows) read(row);
const { user, system } = process.cpuUsage(start);
const certain = readings.filter(({ isCertain, labels }) => isCertain && labels !== null);
const answered = readings.filter(({ labels }) => labels !== null);
const unanswerable = readings.filter(({ row }) => row.chosen === null);
console.log(`${name}: ${readings.length} outputs, ${unanswerable.length} without an answer
right: ${share(readings)}
right where it answers: ${share(answered)}
right where it is certain of ${certain.length}: ${share(certain)}
right of outputs without an answer: ${share(unanswerable)}`);
if (process.argv.includes('--time'))
  console.log(`CPU of an output: ${((user + system) / 1000 / rows.length).toFixed(2)} ms`);

if (process.argv.includes('--failures'))
  for (const { row, labels, how, isRight } of readings)
    if (!isRight) console.log(JSON.stringify({ ...row, read: labels, how }));

function read(row: Row) {
  const {
    choices,
    how,
    certain: isCertain,
  } = extractChoice(row.output, {
    choices: row.options,
    multiple: row.multiple,
  });
  const isRight = toKey(choices) === toKey(row.chosen);
  return { row, labels: choices, how, isRight, isCertain };
}

function toKey(labels: readonly string[] | null): string {
  return labels === null ? 'none' : labels.toSorted().join();
}

function share(some: ReturnType<typeof read>[]): string {
  const right = some.filter(({ isRight }) => isRight).length;
  return `${((100 * right) / some.length).toFixed(1)} %`;
}
