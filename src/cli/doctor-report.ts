import { arch, platform, release } from 'node:os';
import { kindOf } from '../agents/kinds.ts';
import { readVersion } from '../package.ts';
import { toCommand } from '../package-manager.ts';
import { readConfig } from '../settings.ts';
import { findRun } from '../store/find-run.ts';
import { readRun, type StoredRun } from '../store/run-reader.ts';
import { hasRun, type SampleResult, STATES } from '../words/row.ts';
import { lineIf, plural, tryOrUndefined } from '../words/show.ts';
import { type CommandContext, readRunSettings } from './command.ts';

/**
 * What an issue about viva needs, as Markdown: versions, which settings are set, and of a run the
 * states and figures of its results. Nothing of it is a text of a record, an agent, a score or a
 * setting: those are left out or counted, whoever reads.
 */
export function describeForIssue(
  run: string | undefined,
  env: CommandContext['env'],
): readonly string[] {
  const { dir } = readRunSettings(env);
  const folder = run === undefined ? findLatest(dir) : findRun(run, dir, 'RUN');
  return [
    'Read this before you paste it: it has no key, and no text of a question, an answer or a setting.',
    '',
    '```text',
    ...describeMachine(env),
    ...(folder === undefined ? ['no run yet'] : describeRun(readRun(folder, NOBODY))),
    '```',
  ];
}

/** The texts of hidden suites are hidden from the start. */
const NOBODY = { ci: true, showGated: false };

function findLatest(dir: string): string | undefined {
  return tryOrUndefined(() => findRun('latest', dir, 'RUN'));
}

function describeMachine(env: CommandContext['env']): readonly string[] {
  const vitest = tryOrUndefined(() => readVersion('vitest')) ?? 'not found';
  const versions = `viva ${readVersion()}, Vitest ${vitest}, Node ${process.versions.node}`;
  const started = toCommand('viva', { env });
  const names = Object.keys(env).filter((name) => /^EVAL_\w+$/.test(name) && env[name] !== '');
  const agents = tryOrUndefined(() => readConfig(env).agents) ?? [];
  return [
    `${versions}, ${platform()} ${release()} ${arch()}, started as "${started}"`,
    `set: ${names.toSorted().join(', ') || 'nothing'}`,
    ...lineIf(
      agents.length > 0,
      `agents: ${agents.map((spec) => `${spec.kind}${kindOf(spec).isModel ? ' (model)' : ''}`).join(', ')}`,
    ),
  ];
}

function describeRun({ manifest, end, results, duplicates, leftOut, unreadable }: StoredRun) {
  const versions = Object.entries(manifest.versions).map(([name, version]) => `${name} ${version}`);
  const { narrowed_by: by } = end;
  return [
    '',
    `run of ${versions.join(', ')}; ${plural(manifest.suites.length, 'suite')}, ${plural(results.length, 'result')}`,
    ...lineIf(end.ended_at === null, 'it has not ended'),
    ...lineIf(end.stop !== null, `stopped: ${end.stop}`),
    ...lineIf(by.name !== null || by.tags !== null || by.last_failed, 'narrowed by options'),
    ...Object.entries({
      'error outside of the answers': end.errors.length,
      'refused file': end.refused.length,
      'duplicate result': duplicates.length,
      'unreadable row': unreadable,
      'trial left out': leftOut,
    }).flatMap(([what, count]) => lineIf(count > 0, plural(count, what))),
    ...manifest.suites.flatMap(({ suite }, index) =>
      describeSuite(
        index + 1,
        results.filter((result) => result.suite === suite),
      ),
    ),
  ];
}

function describeSuite(number: number, results: readonly SampleResult[]): readonly string[] {
  const counts = [...Map.groupBy(results, nameOf)].map(([name, { length }]) => `${length} ${name}`);
  const odd = results.filter(({ state }) => state !== 'correct').slice(0, MOST_ROWS);
  return [
    '',
    `suite ${number}: ${counts.join(', ') || 'no result'}`,
    ...odd.map((result) => `  ${JSON.stringify(describeResult(result))}`),
  ];
}

const MOST_ROWS = 20;

/** "incorrect", "errored rate_limit". A reason that an agent wrote is left out. */
function nameOf(result: SampleResult): string {
  const { state, reason } = result;
  const isOurs = STATES[state].reasonBy === 'viva' && /^\w{1,30}$/.test(reason ?? '');
  return isOurs ? `${state} ${reason}` : state;
}

function describeResult(result: SampleResult) {
  const { trial, latency_ms, waited_ms, attempts, steps, cached, usage, cost_usd, output } = result;
  const length = typeof output === 'string' ? output.length : undefined;
  return {
    ...{ state: nameOf(result), trial, latency_ms, waited_ms, attempts, steps, cached },
    ...{ usage, cost_usd, characters: length, status: result.error?.status ?? undefined },
    ...(hasRun(result) ? {} : { ran: false }),
  };
}
