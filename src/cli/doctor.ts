import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readBaseline, resolveLatest } from '../compare/read-run.ts';
import { ConfigError, type EvalConfig, readConfig } from '../config.ts';
import { isHubSource, readHubSettings } from '../datasets/hub/hub-source.ts';
import { isNodeWanted, WANTED_NODE } from '../plugin/plugin.ts';
import { ensureFolder } from '../records/files.ts';
import { guardStreams } from '../run/guard-output.ts';
import { maskKeyForms, readSecrets, redactMessage } from '../text/secrets.ts';
import { escapeLine } from '../text/show.ts';
import { messageOf } from '../text/thrown.ts';
import { plural } from '../text/wording.ts';
import { type Command, type CommandContext, parseWords } from './command.ts';
import { agents, type Check, datasets, type Finding, FOLLOW, mcp, miss, ok, skipped } from './doctor-run.ts';

/** In the order in which they are shown. To add a check: its function, and a line here. */
const CHECKS: Readonly<Record<string, Check>> = { disk, keys: token, dataset: datasets, baseline, mcp, agent: agents };

/** `pnpm viva doctor`: whether everything that the set run needs is there, and what to do where it is not. */
export const doctor: Command = {
  name: 'doctor',
  summary: 'checks what a run needs: Node, settings, disk, keys, datasets, MCP servers, agents',
  usage: '[--yes], where --yes asks agents that may cost money one short question too',
  run: async (context) => {
    const isAgreed = parseWords(context.args, { yes: { type: 'boolean', short: 'y' } }).values.yes === true;
    const secrets = readSecrets(context.env);
    const redact = (text: string) => maskKeyForms(redactMessage(text, secrets));
    // Agents that are modules run in this process, and print what they like.
    guardStreams(redact);
    const { config, findings } = readSettings(context.env);
    let misses = 0;
    const report = (name: string, found: readonly Finding[]) => {
      for (const finding of found) show(name, redact(finding.what), finding, context.print);
      misses += found.filter(({ status }) => status === 'miss').length;
    };
    report('Node', [judgeNode(process.versions.node)]);
    report('settings', findings);
    for (const [name, check] of Object.entries(CHECKS)) {
      report(name, await runCheck(() => config && check(config, { ...context, isAgreed })));
    }
    context.print('');
    context.print(misses === 0 ? 'Everything that was checked is there.' : `${misses} missing: see "->" above.`);
    return misses === 0 ? 0 : 1;
  },
};

/** Judges a version such as "24.21.0". */
export function judgeNode(version: string): Finding {
  if (isNodeWanted(version)) return ok(version);
  const remedy = 'Run "pnpm install", which brings it, and start commands through pnpm.';
  return miss(`${version}, and ${WANTED_NODE} or later is needed`, remedy);
}

/** Every EVAL_* name. The defaults that vitest.config.ts commits are not seen here. */
function readSettings(env: CommandContext['env']) {
  const set = Object.keys(env).filter((name) => name.startsWith('EVAL_') && env[name] !== '');
  try {
    const what = set.length === 0 ? 'none set: the committed samples' : set.toSorted().join(', ');
    return { config: resolveLatest(readConfig(env)), findings: [ok(what)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const remedy = 'Correct it in the environment or in .env; .env.example lists every setting.';
    return { config: null, findings: error.problems.map((what) => miss(what, remedy)) };
  }
}

/** Null from a check: the settings are wrong. */
async function runCheck(check: () => ReturnType<Check> | null): Promise<readonly Finding[]> {
  try {
    return (await check()) ?? [skipped('not checked before the settings are right')];
  } catch (error) {
    return [miss(messageOf(error), FOLLOW)];
  }
}

const MARKS = { ok: 'ok  ', skipped: '-   ', miss: 'MISS' } as const;

function show(name: string, what: string, finding: Finding, print: CommandContext['print']): void {
  const [first = '', ...rest] = what.split('\n');
  print(`${MARKS[finding.status]}  ${name}: ${escapeLine(first, 1000)}`);
  // One mark for each finding: they are counted at the end.
  for (const line of rest) print(`      ${escapeLine(line, 1000)}`);
  if (finding.status === 'miss') print(`      -> ${escapeLine(finding.remedy, 1000)}`);
}

/** Whether the folder of the runs can be written, and the Hub's cache when the dataset is there. */
function disk({ dir, gaia }: EvalConfig, { env }: CommandContext): readonly Finding[] {
  const runs = examineFolder(resolve(dir), 'Make it writable, or set EVAL_DIR to another folder.');
  if (gaia === null || !isHubSource(gaia)) return [runs];
  const cache = resolve(readHubSettings(env).cacheDir);
  return [runs, examineFolder(cache, 'Make it writable, or set HF_HOME to another folder.')];
}

function examineFolder(folder: string, remedy: string): Finding {
  const file = join(folder, `.doctor-${process.pid}`);
  try {
    ensureFolder(folder);
    writeFileSync(file, 'x'.repeat(4096));
    rmSync(file);
    const { bavail, bsize } = statfsSync(folder);
    return judgeSpace(folder, (bavail * bsize) / 1024 ** 2);
  } catch (error) {
    return miss(`${folder} cannot be written (${messageOf(error)})`, remedy);
  }
}

/** A run with its traces needs far less; GAIA's files take about as much. */
const LEAST_FREE_MB = 200;

/** Judges the free space of a folder, in MB. */
export function judgeSpace(folder: string, freeMb: number): Finding {
  const what = `${folder} is writable, ${(freeMb / 1024).toFixed(1)} GB free`;
  if (freeMb >= LEAST_FREE_MB) return ok(what);
  return miss(what, `Free at least ${LEAST_FREE_MB} MB, or set EVAL_DIR to another disk.`);
}

/** Whether there is a token where the dataset is on the Hub. Agents without their key are told by `agents`. */
function token({ gaia }: EvalConfig, { env }: CommandContext): readonly Finding[] {
  if (gaia === null || !isHubSource(gaia)) return [];
  const lacking = 'no token of the Hub is set (HF_TOKEN), which gated datasets need';
  return [readHubSettings(env).token === null ? skipped(lacking) : ok('a token of the Hub is set')];
}

/** Whether the run that EVAL_BASELINE names can be compared with; nothing where it is not set. */
export function baseline(config: EvalConfig): readonly Finding[] {
  const run = readBaseline(config);
  if (run === null) return [];
  const sides = run.sides.map(({ suite, dataset, agent, results }) => {
    return `${suite} (${dataset}) by ${agent}, ${plural(results.length, 'result')}`;
  });
  return [ok(`${run.name}: ${sides.join('; ')}`)];
}
