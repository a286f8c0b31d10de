import { dirname, join } from 'node:path';
import { RecordError } from '../data/files/record.ts';
import { isHubSource, showProgress } from '../data/hub/hub-source.ts';
import { loadRecords, toDataset, toRecordsDataset } from '../data/load.ts';
import type { MapRecord } from '../data/prepare-records.ts';
import { requireJson, toClusterField, toClusterName } from '../data/record-fields.ts';
import type { ClusterSource } from '../data/samples.ts';
import { isFields } from '../words/fields.ts';
import { ownCopy } from '../words/own-copy.ts';
import { plainName } from '../words/plain-name.ts';
import type { Dataset, Note, Sample } from '../words/sample.ts';
import { redactIn } from '../words/secrets.ts';
import { quote, showPath } from '../words/show.ts';
import { told } from '../words/told.ts';
import type { DataContext, SuiteDefinition } from './definition.ts';
import { writeOwn } from './guard-output.ts';
import type { ReadyRun } from './provided-run.ts';
import { resolveBeside, type Suite } from './suite.ts';
import { awaitOfSuite, callOfSuite, type SuiteFunction } from './user-code.ts';

/**
 * What the `data` of a suite says: its records or samples, as copies that no code of the user holds.
 * Rejects with a RecordError for bad records, and where
 * a function of the user does not end.
 */
export async function loadData(
  suite: Pick<Suite, 'name' | 'file' | 'definition'>,
  { config, hub, secrets }: Pick<ReadyRun, 'config' | 'hub' | 'secrets'>,
  patience = PATIENCE,
): Promise<Dataset> {
  const { name, file, definition } = suite;
  const { data, map: given } = definition;
  const map: MapRecord | undefined =
    given && ((record, index) => callOfSuite({ name: 'map', file }, given, record, index));
  const reading = {
    hub,
    onProgress: showProgress(name, writeOwn),
    pictures: join(config.dir, 'cache', 'pictures'),
    skipBad: config.skipBad === true,
    accepts: definition.accepts,
    cluster: toClusterSource(definition.cluster, file),
  };
  if (typeof data === 'string') {
    const path = isHubSource(data) ? data : resolveBeside(file, data);
    return loadRecords({ path, suite: name, ...reading, map });
  }
  const { cluster, ...others } = reading;
  // A function of the suite gets what the dataset has: samples.
  const known = typeof cluster === 'function' ? {} : { cluster };
  const context = { settings: config, folder: dirname(file), ...others, ...known };
  const isCalled = typeof data === 'function';
  const loaded = isCalled
    ? await callData(data, context, suite, patience)
    : callOfSuite({ name: 'data', file }, () => data);
  if (Array.isArray(loaded)) return toRecordsDataset(loaded, name, file, map, reading);
  if (isFields(loaded) && 'samples' in loaded)
    return nameClusters(toOwnDataset(loaded, suite), cluster, file);
  if (isFields(loaded) && 'source' in loaded) {
    // What an agent was asked and answered may contain keys, as its outputs do.
    const records = redactIn(loaded.records, secrets);
    return toDataset({ ...loaded, records }, reading, 'records', name, map);
  }
  throw new RecordError({
    file,
    field: 'data',
    problem: told`must be a list of records, a path, or a function that returns records or a dataset`,
    value: loaded,
    remedy: 'Return the list itself.',
  });
}

function toClusterSource(
  cluster: SuiteDefinition['cluster'],
  file: string,
): ClusterSource | undefined {
  if (typeof cluster !== 'function') return cluster;
  return (record, sample) => callOfSuite({ name: 'cluster', file, sample }, cluster, record);
}

/** A dataset of the user's own with its clusters, by a field of the metadata or by the sample. */
function nameClusters(dataset: Dataset, cluster: ClusterSource | undefined, file: string): Dataset {
  const isNamed =
    typeof cluster === 'string' && plainName(dataset.clusteredBy ?? '') === plainName(cluster);
  if (cluster === undefined || isNamed) return dataset;
  const samples = dataset.samples.map(({ cluster: _, ...sample }): Sample => {
    const value =
      typeof cluster === 'string' ? sample.metadata[cluster] : cluster(sample, sample.id);
    const field = toClusterField({ file, id: sample.id }, value, sample.id);
    return field === null ? sample : { ...sample, cluster: toClusterName(field.value) };
  });
  if (typeof cluster === 'string' && samples.every((sample) => sample.cluster === undefined))
    throw new Error(
      `${showPath(file)}: no sample has ${quote(cluster)} in its metadata, which "cluster" names.`,
    );
  const { clusteredBy: _, ...rest } = dataset;
  return { ...rest, samples, ...(typeof cluster === 'string' && { clusteredBy: cluster }) };
}

type DataFunction = Extract<SuiteDefinition['data'], (context: DataContext) => unknown>;

/**
 * When it is said that the data still loads, and when it is given up unless a download goes on; both in
 * ms.
 */
const PATIENCE = { sayMs: 30_000, mostMs: 600_000, say: writeOwn };

/** The user's function may return or throw anything, or never end. */
async function callData(
  data: DataFunction,
  context: DataContext,
  suite: Pick<Suite, 'name' | 'file'>,
  patience: typeof PATIENCE,
) {
  let hasMoved = false;
  const onProgress: DataContext['onProgress'] = (progress) => {
    hasMoved = true;
    context.onProgress(progress);
  };
  const isExcused = () => {
    const moved = hasMoved;
    hasMoved = false;
    return moved;
  };
  const wait = <T>(name: string, call: () => T | PromiseLike<T>) =>
    waitAloud({ name, suite: suite.name, file: suite.file }, patience, isExcused, call);
  const own = ownCopy({ ...context, onProgress });
  const loaded = await wait<Awaited<ReturnType<DataFunction>>>('data', () => data(own));
  if (!isFields(loaded) || !('fetch' in loaded) || typeof loaded.fetch !== 'function')
    return loaded;
  const { fetch } = loaded;
  const fetchOwn = (samples: readonly Sample[]) =>
    wait('fetch', () => fetch.call(loaded, ownCopy(samples)));
  return { ...loaded, fetch: fetchOwn };
}

async function waitAloud<T>(
  of: SuiteFunction,
  { sayMs, mostMs, say }: typeof PATIENCE,
  isExcused: () => boolean,
  call: () => T | PromiseLike<T>,
): Promise<T> {
  const word = `${of.suite}: "${of.name}" in ${showPath(of.file)} still loads after ${sayMs / 1000} s\n`;
  const timer = setTimeout(say, sayMs, word);
  return awaitOfSuite(of, [mostMs, isExcused], call).finally(() => clearTimeout(timer));
}

type Made = Omit<Dataset, 'notes'> & { readonly notes?: readonly (Note | string)[] };

/** A dataset that the user's function made. Throws where JSON has no such input or target. */
function toOwnDataset(
  { samples, notes = [], ...facts }: Made,
  { file, definition }: Pick<Suite, 'file' | 'definition'>,
): Dataset {
  const { accepts } = definition;
  const read = (sample: Sample, index: number): Sample => {
    const [place, { input, target }] = [{ file, line: index + 1, listed: true }, sample];
    const isAny = accepts === 'any' && Array.isArray(target);
    return {
      ...sample,
      input: requireJson(place, { name: 'input', value: input }),
      target:
        (target ?? null) === null ? null : requireJson(place, { name: 'target', value: target }),
      ...(isAny && { accepts: 'any' as const }),
    };
  };
  return {
    ...facts,
    samples: samples.map(read),
    notes: notes.map((note) => (typeof note === 'string' ? { kind: 'own', text: note } : note)),
  };
}
