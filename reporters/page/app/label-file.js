/**
 * A row of a file of labels. What stands before and after its label is kept as it is, so that nothing
 * here writes a cell.
 * @typedef {Readonly<{ cells: Readonly<Record<string, string>>, label: string, before: string, after: string }>} LabelRow
 */

/** @typedef {Readonly<{ head: string, rows: readonly LabelRow[] }>} LabelFile */

/** A cell of CSV: its text, and where it stands. @typedef {Readonly<{ text: string, start: number, end: number }>} Cell */

/**
 * Reads a file of labels; null if it has no column "label".
 * @param {string} csv
 * @returns {LabelFile | null}
 */
export function readLabelFile(csv) {
  const [head, ...lines] = splitCsv(csv.replace(/^\uFEFF/, ''));
  const names = (head?.cells ?? []).map(({ text }) => text);
  const at = names.indexOf('label');
  if (head === undefined || at < 0) return null;
  const rows = lines.flatMap(({ source, cells }) => {
    const label = cells[at];
    if (label === undefined) return [];
    const named = names.map((name, place) => [name, cells[place]?.text ?? '']);
    return [
      {
        cells: Object.fromEntries(named),
        label: label.text.trim().toLowerCase(),
        before: source.slice(0, label.start),
        after: source.slice(label.end),
      },
    ];
  });
  return { head: head.source, rows };
}

/**
 * The lines of CSV with their cells. A quoted cell may have line breaks.
 * @param {string} csv
 * @returns {readonly Readonly<{ source: string, cells: readonly Cell[] }>[]}
 */
function splitCsv(csv) {
  const lines = [];
  let at = 0;
  while (at < csv.length) {
    const start = at;
    /** @type {Cell[]} */
    const cells = [];
    for (;;) {
      const end = findEnd(csv, at);
      const written = csv.slice(at, end);
      const text = written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written;
      cells.push({ text, start: at - start, end: end - start });
      at = end + 1;
      if (csv[end] !== ',') break;
    }
    const source = csv.slice(start, at - 1).replace(/\r$/, '');
    if (csv[at - 1] === '\r' && csv[at] === '\n') at += 1;
    if (source !== '') lines.push({ source, cells });
  }
  return lines;
}

/** Where a cell ends. @param {string} csv @param {number} start */
function findEnd(csv, start) {
  let at = start;
  if (csv[at] === '"') {
    at += 1;
    while (at < csv.length && (csv[at] !== '"' || csv[at + 1] === '"'))
      at += csv[at] === '"' ? 2 : 1;
    at += 1;
  }
  while (at < csv.length && !/[,\r\n]/.test(csv[at] ?? '')) at += 1;
  return at;
}

/**
 * The letter of each label: p, f or s, or the last digit of a grade. What is empty at the end was not
 * reached.
 * @param {LabelFile} file
 */
export function toLetters({ rows }) {
  const letters = rows.map(({ label }) =>
    /^(pass|fail|[1-9]|10)$/.test(label) ? label.replace('10', '0').slice(0, 1) : 's',
  );
  return letters.join('').replace(/s+$/, '');
}

/** @type {Readonly<Record<string, string>>} */
const LABELS = { p: 'pass', f: 'fail', s: '', 0: '10' };

/**
 * The file with these labels.
 * @param {LabelFile} file
 * @param {string} letters
 */
export function writeLabelFile({ head, rows }, letters) {
  const lines = rows.map(
    ({ before, after }, at) => `${before}${LABELS[letters[at] ?? 's'] ?? letters[at]}${after}`,
  );
  return [head, ...lines].map((line) => `${line}\r\n`).join('');
}

/** A text that tells files apart: the browser keeps labels under it. @param {LabelFile} file */
export function nameFile({ rows }) {
  let hash = 0;
  for (const { cells } of rows)
    for (const letter of `${cells['row'] || cells['id']};`)
      hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  return `viva labels ${rows.length} ${hash >>> 0}`;
}
