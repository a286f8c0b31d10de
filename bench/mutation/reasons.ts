import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutants.ts';

type Key = Pick<Mutant, 'file' | 'mutator' | 'line' | 'original' | 'replacement'>;

/** Why no test needs to kill a mutant. `line` is the code of the line that it begins in: no number, lines move. */
type Reason = Key & { readonly reason: string };

export type Judged = {
  readonly explained: readonly Mutant[];
  readonly unexplained: readonly Mutant[];
  /** Reasons for mutants of these files that are dead or gone. */
  readonly stale: readonly Reason[];
};

/** Holds survivors against the written reasons for those of the files that were tried. */
export function judgeSurvivors(survivors: readonly Mutant[], files: readonly string[]): Judged {
  const reasons = readReasons().filter(({ file }) => files.includes(file));
  const known = new Set(reasons.map(toKey));
  const found = new Set(survivors.map(toKey));
  return {
    explained: survivors.filter((mutant) => known.has(toKey(mutant))),
    unexplained: survivors.filter((mutant) => !known.has(toKey(mutant))),
    stale: reasons.filter((reason) => !found.has(toKey(reason))),
  };
}

/** A survivor as an entry of reasons.json that lacks its reason. */
export function toEntry({ file, mutator, line, original, replacement }: Key): string {
  return JSON.stringify({ file, mutator, line, original, replacement, reason: '' });
}

function readReasons(): readonly Reason[] {
  const reasons: readonly Reason[] = JSON.parse(readFileSync(join(import.meta.dirname, 'reasons.json'), 'utf8'));
  const empty = reasons.find(({ reason }) => reason.trim() === '');
  if (empty !== undefined) throw new Error(`reasons.json: an entry of ${empty.file} has no reason: ${empty.original}.`);
  return reasons;
}

function toKey({ file, mutator, line, original, replacement }: Key): string {
  return JSON.stringify([file, mutator, line, original, replacement]);
}
