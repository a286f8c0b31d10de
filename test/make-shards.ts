import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toTrials } from '../src/figures/result.fixture.ts';
import { readVersion } from '../src/package.ts';
import type { Manifest, SuiteManifest } from '../src/store/manifest.ts';
import { BEGUN, type StoredEnd } from '../src/store/run-end.ts';
import { toTracePath, toWorkspacePath } from '../src/store/run-folder.ts';
import { readRunFiles } from '../src/store/run-reader.ts';
import { RunWriter } from '../src/store/run-writer.ts';
import type { SampleResult } from '../src/words/row.ts';
import { makeFolder } from './make-folder.ts';
import { MANIFEST, PLANNED, planned } from './make-run.ts';

/** What a shard of the small run has that others have not. */
export type ShardFacts = Readonly<{
  /** Where it lies; a folder of its own unless given. */
  dir?: string;
  name?: string;
  manifest?: Partial<Manifest>;
  /** What end.json says beside the usual; null if the shard was killed. */
  end?: Partial<StoredEnd> | null;
  suite?: Partial<SuiteManifest>;
  /** A mark for each of its questions, see `toTrials`; "" has no row. */
  marks?: string;
  presented?: NonNullable<SampleResult['presented']>;
  /** False if it was killed before it planned anything. */
  isPlanned?: boolean;
}>;

const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];
const OF_ROWS = { suite: 'mcq', dataset: 'sample', agent: 'a', group: 'all', prompt_hash: 'p' };

/** The run folder of a shard of a run of six questions, which all have right answers. */
export function makeShard(
  index: number,
  count: number,
  {
    dir = makeFolder(),
    name,
    manifest,
    end,
    suite,
    marks,
    presented,
    isPlanned = true,
  }: ShardFacts = {},
): string {
  const run = name ?? `20260101T000000Z-a-shard-${index}-of-${count}`;
  const entry = {
    ...PLANNED,
    agents: ['a'],
    questions: planned(IDS),
    ...suite,
    shard: { index, count },
  };
  const part = toPart(entry, index, count);
  const rows = takePart(isPlanned ? IDS : [], index, count).flatMap((id, place) =>
    toTrials(id, marks?.[place] ?? (marks === undefined ? '+' : ''), {
      ...OF_ROWS,
      ...(presented && { presented }),
    }),
  );
  const suites = isPlanned ? [{ ...part, ...suite }] : [];
  const versions = { viva: readVersion() };
  return writeShard(
    join(dir, run),
    { ...MANIFEST, versions, run, suites, ...manifest },
    rows,
    end === null ? null : { ...BEGUN, ended_at: MANIFEST.created_at, ...end },
  );
}

/** The run folders of all shards of that run, in one folder. */
export function makeShards(count: number, dir = makeFolder()): readonly string[] {
  return Array.from({ length: count }, (_, place) => makeShard(place + 1, count, { dir }));
}

/** The run folders that a run would have as shards, beside it. */
export function splitRun(whole: string, count: number): readonly string[] {
  const { manifest, rows, end } = readRunFiles(whole, {});
  return Array.from({ length: count }, (_, place) => {
    const index = place + 1;
    const suites = manifest.suites.map((entry) => toPart(entry, index, count));
    const asked = new Set(
      manifest.suites.flatMap(({ suite, questions }) =>
        takePart(questions, index, count).map(({ id }) => JSON.stringify([suite, id])),
      ),
    );
    const ofShard = rows.filter(({ suite, id }) => asked.has(JSON.stringify([suite, id])));
    const run = `${manifest.run}-shard-${index}-of-${count}`;
    const folder = writeShard(
      join(dirname(whole), run),
      { ...manifest, run, suites },
      ofShard,
      end,
    );
    for (const row of ofShard)
      for (const path of [toTracePath(row), toWorkspacePath(row)]) copy(path, whole, folder);
    for (const { suite } of suites) copy(`questions-${suite}.json`, whole, folder);
    copy('prompts', whole, folder);
    return folder;
  });
}

function copy(path: string, from: string, to: string): void {
  if (existsSync(join(from, path))) cpSync(join(from, path), join(to, path), { recursive: true });
}

function toPart(entry: SuiteManifest, index: number, count: number): SuiteManifest {
  const taken = new Set(takePart(entry.questions, index, count));
  const questions = entry.questions.map((question) =>
    taken.has(question) ? question : { ...question, elsewhere: true as const },
  );
  return { ...entry, questions, shard: { index, count } };
}

function takePart<T>(all: readonly T[], index: number, count: number): readonly T[] {
  return all.filter((_, place) => place % count === index - 1);
}

function writeShard(
  folder: string,
  manifest: Manifest,
  rows: readonly SampleResult[],
  end: StoredEnd | null,
): string {
  mkdirSync(folder, { recursive: true });
  const writer = new RunWriter(folder);
  writer.manifest(manifest);
  writer.open();
  for (const row of rows) writer.row(row);
  writer.close();
  if (end !== null) writer.end(end);
  return folder;
}
