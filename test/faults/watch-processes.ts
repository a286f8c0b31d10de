import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';

const RECORDER = pathToFileURL(join(ROOT, 'test/fixtures/record-children.mjs')).href;

/**
 * Variables for a program in Node, and what finds afterwards which of its processes are there: what
 * a process in Node started, which may have no environment at all (calculators, readers),
 * and what bears the mark in its environment or command line.
 */
export function watchProcesses(mark: string) {
  const file = join(makeFolder(), 'children');
  return {
    env: { NODE_OPTIONS: `--import=${RECORDER}`, CHILDREN_FILE: file },
    findLeft: (): readonly number[] => [...new Set([...findStarted(file), ...findMarked(mark)])],
  };
}

function findStarted(file: string): readonly number[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  const started = lines.map((line) => line.split(' '));
  return started.filter(([id, start]) => readStart(id) === start).map(([id]) => Number(id));
}

/** As the recorder has it. */
function readStart(id: string | undefined): string | undefined {
  const stat = readProcess(`${id}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

/** But this process. */
function findMarked(mark: string): readonly number[] {
  const ids = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid,
  );
  const isMarked = (id: string) =>
    `${readProcess(`${id}/environ`)}${readProcess(`${id}/cmdline`)}`.includes(mark);
  return ids.filter(isMarked).map(Number);
}

/** Nothing of a process that has ended. */
function readProcess(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'latin1');
  } catch {
    return '';
  }
}
