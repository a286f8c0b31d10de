import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFields } from '../../src/words/fields.ts';
import { tryOrUndefined } from '../../src/words/show.ts';
import { type LiveRun, listCacheFiles } from './live-run.ts';
import { type Call, CONCURRENCY, QUESTIONS, readCalls, readVersion, type World } from './world.ts';

/** What the checks need to know of a run. */
export type CheckedRun = Pick<LiveRun, 'pid' | 'worker' | 'folder' | 'known' | 'faults'>;

/**
 * What is wrong after the runs of a world, a sentence each; `undisturbed` are the figures of a run
 * without faults.
 */
export function findViolations(
  world: World,
  runs: readonly CheckedRun[],
  undisturbed: unknown,
): string[] {
  const last = runs.at(-1);
  const failed = new Set(
    world.questions.filter(({ state }) => state === 'errored').map(({ id }) => id),
  );
  // A pause, also one that the clock only shows, in one run or the other.
  const pauses = runs.flatMap(({ faults }) => faults.filter(isPause)).length;
  const excuse = (ids: readonly string[]) => [
    ...ids.filter((id) => !failed.has(id)),
    ...ids.filter((id) => failed.has(id)).slice(pauses * CONCURRENCY),
  ];
  return [
    ...findBadAnswers(world, runs),
    ...runs.flatMap((run, index) =>
      [...findRepeatedCalls(world, run, excuse), ...findLostRows(world, run)].map(
        (problem) => `run ${index + 1} (${run.faults.join(', ') || 'no fault'}): ${problem}`,
      ),
    ),
    ...runs.flatMap((run, index) =>
      runs.slice(index + 1).flatMap((later) => findPaidTwice(world, run, later)),
    ),
    ...(last === undefined ? [] : findUnfinished(world, last, undisturbed)),
  ];
}

/** An answer as the checks tell them apart: the question and the version of its agent. */
export type AnswerName = `${string} ${string}`;

/** The answers that are whole in the cache, or in the files of one worker. */
export function readKept(world: World, worker: number | null = null): ReadonlySet<AnswerName> {
  return new Set(
    listCacheFiles(world, worker).flatMap((file) =>
      readJsonLines(file)
        .lines.map(toKept)
        .map(({ name }) => name),
    ),
  );
}

/** The figures of a run that do not depend on when it ran. */
export function readFigures(run: CheckedRun): unknown {
  const summary = readJson(join(run.folder ?? '', 'summary.json'));
  const suites = isFields(summary) && Array.isArray(summary['suites']) ? summary['suites'] : [];
  return suites.map(({ groups }) =>
    groups.map(
      ({ group, n, graded, states, accuracy, bounds, ci95 }: Readonly<Record<string, unknown>>) => {
        return { group, n, graded, states, accuracy, bounds, ci95 };
      },
    ),
  );
}

/**
 * No answer in the cache is another than one version of the agent gave, none is there under the key
 * of another version, and at most one line is torn by each fault.
 */
function findBadAnswers(world: World, runs: readonly CheckedRun[]): readonly string[] {
  const expected = new Map(world.questions.map(({ id, output }) => [id, JSON.stringify(output)]));
  const files = listCacheFiles(world, null).map(readJsonLines);
  const kept = files.flatMap(({ lines }) => lines.map(toKept));
  const bad = kept.filter(
    ({ id, version, text }) =>
      !/^\d+\.\d+$/.test(version) || expected.get(id)?.replace('VERSION', version) !== text,
  );
  const names = new Map(kept.map(({ key, name }) => [key, name]));
  const mixed = kept.filter(({ key, name }) => names.get(key) !== name);
  const torn = files.reduce((sum, file) => sum + file.torn, 0);
  const tearing = runs
    .flatMap(({ faults }) => faults)
    .filter((fault) => fault === 'kill' || fault === 'disk').length;
  return [
    ...bad.map(
      ({ name, text }) =>
        `the cache has an answer to ${name} that the agent never gave: ${text.slice(0, 60)}`,
    ),
    ...mixed.map(({ key, name }) => `${name} and ${names.get(key)} are cached under one key`),
    ...(torn > tearing
      ? [`${torn} lines of the cache are torn, after ${tearing} kills and full disks`]
      : []),
  ];
}

function isPause(fault: string): boolean {
  return fault === 'pause' || fault === 'clock';
}

/**
 * A run asks each question at most once, none that was answered before, and loses only what was in
 * flight at a fault. `excuse` takes out what failed in a pause and was asked again for it.
 */
function findRepeatedCalls(
  world: World,
  run: CheckedRun,
  excuse: (ids: readonly string[]) => readonly string[],
): readonly string[] {
  const calls = readCalls(world).filter((call) => call.run === run.pid);
  const names = calls.map(({ id, turn }) => `${id} ${turn}`);
  const kept = new Set(run.worker === null ? [] : [...readKept(world, run.worker)].map(toQuestion));
  const again = calls.map(toName).filter((name) => run.known.has(name));
  const repeated = calls.filter(({ id, turn }, index) => names.indexOf(`${id} ${turn}`) < index);
  const twice = excuse([...new Set(repeated.map(({ id }) => id))]);
  const asked = [...new Set(calls.map(({ id }) => id))];
  const lost = excuse(asked.filter((id) => !kept.has(id)));
  return [
    ...twice.map((id) => `${id} was asked twice`),
    ...again.map((id) => `${id} was asked, though its answer was in the cache`),
    ...(lost.length > allowedLoss(run)
      ? [`answers were lost: ${lost.join(' ')}; at most ${allowedLoss(run)} may be`]
      : []),
  ];
}

/** What was in flight at a fault may have to be asked again; code that was imported goes on. */
function allowedLoss({ faults }: CheckedRun): number {
  return faults.filter((fault) => !HARMLESS.has(fault)).length * CONCURRENCY;
}

const HARMLESS: ReadonlySet<string> = new Set(['clock', 'code', 'comment']);

/**
 * Two runs at a time pay the same answer only where it was in flight in one of them: when the second
 * begins, when both meet, at the end, and after each pause. On a busy machine they meet for longer.
 */
function findPaidTwice(world: World, run: CheckedRun, other: CheckedRun): readonly string[] {
  if (run.worker === null || other.worker === null) return [];
  const kept = readKept(world, run.worker);
  const twice = [...readKept(world, other.worker)].filter((name) => kept.has(name));
  const pauses = Math.max(...[run, other].map(({ faults }) => faults.filter(isPause).length));
  const most = (4 + pauses) * CONCURRENCY;
  return twice.length > most
    ? [
        `two runs paid for ${twice.length} same answers, of which ${most} may be: ${twice.join(', ')}`,
      ]
    : [];
}

/**
 * Each row is once there and has the right verdict, and each answer that a run has kept has a row.
 */
function findLostRows(world: World, run: CheckedRun): readonly string[] {
  if (run.folder === null) return [];
  const expected = new Map(world.questions.map(({ id, state }) => [id, state]));
  const { lines, torn } = readJsonLines(join(run.folder, 'samples.jsonl'));
  const rows = lines.map(toRow);
  const ids = rows.map(({ id }) => id);
  const wrong = rows.filter(({ id, state }) => state !== 'not_run' && state !== expected.get(id));
  const kept = run.worker === null ? [] : [...readKept(world, run.worker)].map(toQuestion);
  const lost = kept.filter((id) => !ids.includes(id));
  const isWhole = !run.faults.includes('kill') && !run.faults.includes('disk');
  return [
    ...wrong.map(
      ({ id, state, why }) => `the verdict on ${id} is ${state}, not ${expected.get(id)} (${why})`,
    ),
    ...ids.filter((id, index) => ids.indexOf(id) < index).map((id) => `${id} has two rows`),
    // A slot is free for the next call before the row of the last is written.
    ...(lost.length > 2 * allowedLoss(run) ? [`answers without a row: ${lost.join(' ')}`] : []),
    ...(isWhole && ids.length < QUESTIONS ? [`only ${ids.length} questions have a row`] : []),
    ...(torn > run.faults.length ? [`${torn} torn rows`] : []),
  ];
}

/**
 * The last run, which nothing disturbed, has all rows and the figures of one that nothing ever
 * disturbed.
 */
function findUnfinished(world: World, last: CheckedRun, undisturbed: unknown): readonly string[] {
  const { lines } = readJsonLines(join(last.folder ?? '', 'samples.jsonl'));
  const open = lines.map(toRow).filter(({ state }) => state === 'not_run');
  const [figures, wanted] = [JSON.stringify(readFigures(last)), JSON.stringify(undisturbed)];
  const version = readVersion(world);
  const kept = [...readKept(world)].filter((name) => name.endsWith(` ${version}`)).length;
  const old = lines.map(toRow).filter((row) => row.state !== 'not_run' && row.version !== version);
  return [
    ...open.map(({ id, why }) => `the last run did not ask ${id}: ${why}`),
    ...(lines.length === QUESTIONS ? [] : [`the last run has ${lines.length} rows`]),
    ...(kept === QUESTIONS
      ? []
      : [`${kept} of ${QUESTIONS} answers of ${version} are in the cache`]),
    ...old.map(({ id, version: other }) => `${id} was answered by ${other}, not ${version}`),
    ...(figures === wanted ? [] : [`the figures are ${figures}, undisturbed ${wanted}`]),
  ];
}

type Fields = Readonly<Record<string, unknown>>;

/** The lines of a file that are JSON objects, and how many are not. */
function readJsonLines(file: string): { readonly lines: readonly Fields[]; readonly torn: number } {
  if (!existsSync(file)) return { lines: [], torn: 0 };
  const texts = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const lines = texts
    .map((text) => tryOrUndefined((): unknown => JSON.parse(text)))
    .filter(isFields);
  return { lines, torn: texts.length - lines.length };
}

function readJson(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** An answer in the cache, or the message of a crash, as JSON, and the key that it is found by. */
function toKept({ parts, kept }: Fields) {
  const { answer, error } = isFields(kept) ? kept : {};
  const said = isFields(answer)
    ? answer['output']
    : isFields(error)
      ? String(error['message']).replace(/^Error: /, '')
      : '';
  const text = JSON.stringify(said);
  const { id, version } = findVersion(text);
  const name: AnswerName = `${id} ${version}`;
  return { id, version, name, text, key: JSON.stringify(parts) };
}

/** Who answered, as each output says. */
function findVersion(text: string): { readonly id: string; readonly version: string } {
  const [, id = `"${text.slice(0, 60)}"`, version = '?'] = /(q\d+) (\S+) /.exec(text) ?? [];
  return { id, version };
}

function toName({ id, version }: Call): AnswerName {
  return `${id} ${version}`;
}

function toQuestion(name: AnswerName): string {
  return name.split(' ')[0] ?? '';
}

function toRow({ id, state, reason, explanation, error, output }: Fields) {
  const message = isFields(error) ? error['message'] : explanation;
  return {
    id: String(id),
    state: String(state),
    version: findVersion(JSON.stringify(output ?? message) ?? '').version,
    why: `${reason}: ${String(message).slice(0, 100)}`,
  };
}
