import { lstatSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../processes/is-running.ts';
import { removeFolder } from './remove-folder.ts';

/** What the names of a process's work folders begin with. */
export function toPrefix(pid: number): string {
  return `viva-task-${pid}-`;
}

const NAME = /^viva-task-(\d{1,10})-\w{6}$/;

/** Work folders of processes that were killed before they could remove them; they may hold gated attachments. */
export function findAbandoned(folder = tmpdir()): readonly string[] {
  const names = tryTo(() => readdirSync(folder)) ?? [];
  return names.filter((name) => isAbandoned(folder, name)).map((name) => join(folder, name));
}

/** Removes them, and leaves what cannot be removed. */
export function removeAbandoned(folder = tmpdir()): void {
  for (const path of findAbandoned(folder)) removeFolder(path);
}

/** Only folders of this user, and no links: anybody may make such names in a folder that all share. */
function isAbandoned(folder: string, name: string): boolean {
  const pid = Number(NAME.exec(name)?.[1] ?? 0);
  if (pid === 0 || isRunning(pid)) return false;
  const entry = tryTo(() => lstatSync(join(folder, name)));
  return entry?.isDirectory() === true && entry.uid === (process.getuid?.() ?? entry.uid);
}

function tryTo<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}
