import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../data/files/read-file.ts';
import type { Manifest } from '../store/manifest.ts';
import type { StoredEnd } from '../store/run-end.ts';
import { slug } from '../store/run-folder.ts';
import { isFields } from '../words/fields.ts';
import type { Calibration } from '../words/figures.ts';
import { tryOrUndefined } from '../words/show.ts';
import {
  type CalibrationOf,
  calibrate,
  type GradeCounts,
  type JudgeKey,
  type LabelCounts,
  toJudgeKey,
} from './judge-calibration.ts';

/** What a judge was, by its name: the hash of its code, parameters and server. */
export type Fingerprints = Readonly<Record<string, string>>;

export function readFingerprints({ suites }: Pick<Manifest, 'suites'>): Fingerprints {
  const judges = suites.flatMap((suite) => suite.judges ?? []);
  return Object.fromEntries(judges.map(({ judge, fingerprint }) => [judge, fingerprint]));
}

/** How the judges of a run were calibrated, by the files in EVAL_DIR. */
export function findCalibrations(dir: string, manifest: Pick<Manifest, 'suites'>): CalibrationOf {
  const fingerprints = readFingerprints(manifest);
  return (judge) => readCalibration(dir, judge, fingerprints);
}

/** The same for a merge: where EVAL_DIR has no calibration, that of the shards, the last one. */
export function findKnownCalibrations(
  dir: string,
  manifest: Pick<Manifest, 'suites'>,
  shards: readonly { readonly end: Pick<StoredEnd, 'calibrations'> }[],
): CalibrationOf {
  const calibrationOf = findCalibrations(dir, manifest);
  const ofShards = new Map(
    shards.flatMap(({ end }) => end.calibrations.filter(([, found]) => found !== null)),
  );
  return (judge) => calibrationOf(judge) ?? ofShards.get(toJudgeKey(judge)) ?? null;
}

/** The file of a judge's calibration: $EVAL_DIR/judges/<judges>-<hash8>.json. */
export function toCalibrationFile(dir: string, judge: JudgeKey): string {
  const hash8 = hash('sha256', toJudgeKey(judge)).slice(0, 8);
  return join(dir, 'judges', `${slug(judge.models.join('-'))}-${hash8}.json`);
}

/**
 * The calibration of a judge with this prompt and criterion, from its counts of labels; null
 * without a readable one.
 */
function readCalibration(dir: string, judge: JudgeKey, now: Fingerprints): Calibration | null {
  const file = toCalibrationFile(dir, judge);
  if (!existsSync(file)) return null;
  const value = tryOrUndefined((): unknown => JSON.parse(readRegular(file).toString('utf8')));
  const { version, counts, fingerprints: then } = isFields(value) ? value : {};
  if (version !== 1 || !isCounts(counts)) return null;
  const hasChanged = (name: string) =>
    isFields(then) && (then[name] ?? now[name]) !== (now[name] ?? then[name]);
  return { ...calibrate(counts), ...(judge.models.some(hasChanged) ? { changed: true } : {}) };
}

function isCounts(value: unknown): value is LabelCounts | GradeCounts {
  if (!isFields(value)) return false;
  const { scale, grades, worth } = value;
  if (grades !== undefined) return isWhole(scale) && isTable(grades) && isWorth(worth);
  const parts = [value['passed'], value['failed']];
  const numbers = parts.flatMap((part) =>
    isFields(part) ? [part['as_pass'], part['as_fail']] : [],
  );
  return (
    numbers.length === 4 &&
    numbers.every(isWhole) &&
    numbers.some((count) => count !== 0) &&
    parts.every((part) => isFields(part) && isWorth(part['worth']))
  );
}

/** Whether it is a square of counts with a label. */
function isTable(value: unknown): boolean {
  const rows: readonly unknown[] = Array.isArray(value) ? value : [];
  const isRow = (row: unknown) => Array.isArray(row) && row.length === rows.length;
  const cells: readonly unknown[] = rows.flat();
  return rows.length > 1 && rows.every(isRow) && cells.every(isWhole) && cells.some(Boolean);
}

function isWhole(count: unknown): boolean {
  return Number.isSafeInteger(count) && Number(count) >= 0;
}

function isWorth(worth: unknown): boolean {
  return worth === undefined || (Number.isFinite(worth) && Number(worth) > 0);
}
