import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../src/data/files/read-file.ts';
import { readVersion } from '../src/package.ts';
import type { StoredRun } from '../src/store/stored-run.ts';
import { cut, lineIf, tryOrUndefined } from '../src/words/show.ts';
import type { RunFile } from './exports.ts';
import { isSealed } from './html/seal.ts';
import { evaluateAsWritten } from './past-run.ts';
import { hashSources, listFigureFiles } from './run-files.ts';
import { readSummary } from './summary-file.ts';

type Checked = Readonly<{ problems: readonly string[]; notes: readonly string[] }>;

/**
 * Renders the files of a run folder that have figures again, with the code that wrote them, and
 * names where they differ.
 */
export function checkFiles(run: StoredRun): Checked {
  const { folder, manifest, end } = run;
  // Nothing of a killed run may be quoted anyway.
  if (end.ended_at === null) return { problems: [], notes: [] };
  const { sources } = readSummary(folder) ?? {};
  const edited = sources === undefined ? [] : findEdited(sources, hashSources(folder));
  const { viva = '?' } = manifest.versions;
  if (viva !== readVersion()) {
    const note = `its files are not compared with its rows, because viva ${viva} wrote them; use that version`;
    return { problems: edited, notes: [note] };
  }
  const written = evaluateAsWritten(run);
  const [missing] = written.missing;
  const files = listFigureFiles(written, sources).filter(
    ({ name }) => missing === undefined || name !== 'summary.md',
  );
  const differing = files.flatMap((file) => describeDifference(folder, file));
  const taken = `the run ${missing} is not beside it: neither their comparison nor summary.md is checked`;
  return {
    problems: [...edited, ...differing, ...checkReport(folder)],
    notes: lineIf(missing !== undefined, taken),
  };
}

/** Whether the report is as it was written. Rendering it again would need much memory. */
function checkReport(folder: string): readonly string[] {
  const file = join(folder, 'report.html');
  const page = tryOrUndefined(() => readRegular(file));
  if (page === undefined) return ['report.html is missing or cannot be read'];
  return isSealed(page) ? [] : ['report.html was changed: it does not have its SHA-256'];
}

function findEdited(
  then: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): readonly string[] {
  return [...new Set([...Object.keys(then), ...Object.keys(now)])].flatMap((name) => {
    if (then[name] === now[name]) return [];
    if (now[name] === undefined) return [`${name} is missing`];
    return [
      `${name} was changed after the run: it does not have the SHA-256 that summary.json names`,
    ];
  });
}

function describeDifference(folder: string, { name, lines }: RunFile): readonly string[] {
  const file = join(folder, name);
  if (!existsSync(file)) return [`${name} is missing`];
  const stored = tryOrUndefined(() => readRegular(file).toString('utf8'));
  if (stored === undefined) return [`${name} cannot be read`];
  const rendered = [...lines].join('');
  // A lone surrogate is written as U+FFFD.
  if (stored === Buffer.from(rendered).toString('utf8')) return [];
  const [there, here] = [stored.split('\n'), rendered.split('\n')];
  const place = here.findIndex((line, index) => line !== there[index]);
  const index = place === -1 ? here.length : place;
  const where = `${name}, line ${index + 1}`;
  // Only these may be published whatever they contain.
  if (!/^summary\.(?:json|md)$/.test(name)) return [`${where}: it does not match the rows`];
  const show = (line = '') => `"${cut(line.trim(), 200)}"`;
  return [`${where}: ${show(there[index])} in the file, ${show(here[index])} by the rows`];
}
