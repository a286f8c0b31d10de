import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readBaseline } from '../compare/compared-run.ts';
import { ConfigError, type EvalConfig, readConfig } from '../config.ts';
import { isHubSource, readHubSettings } from '../datasets/hub/hub-source.ts';
import { DOCS } from '../package.ts';
import { ensureFolder } from '../records/files.ts';
import { guardStreams } from '../run/guard-output.ts';
import { resolveReplays } from '../store/find-run.ts';
import { readSecrets } from '../text/read-secrets.ts';
import { maskKeyForms, redactMessage } from '../text/secrets.ts';
import { escapeLine } from '../text/show.ts';
import { messageOf } from '../text/thrown.ts';
import { plural } from '../text/wording.ts';
import { type Command, type CommandContext, parseWords } from './command.ts';
import { agents, type Check, type Finding, FOLLOW, mcp, miss, ok, skipped } from './doctor-run.ts';

/** All checks in their order. To add one, add its function and an entry here. */
const CHECKS: Readonly<Record<string, Check>> = {
  disk,
  Hub: hub,
  baseline,
  mcp,
  agent: agents,
};

const DRY_RUN = 'Now see what each suite would ask: EVAL_DRY_RUN=1 vitest run evals';

/**
 * `viva doctor`: checks what a run with these settings needs outside of its eval files, and says
 * what to do if something is missing.
 */
export const doctor: Command = {
  name: 'doctor',
  summary: 'checks what a run needs: settings, disk, keys, MCP servers and agents',
  usage: '[--yes], which asks paid agents of EVAL_AGENT one short question',
  run: async ({ args, env, print }) => {
    const { values } = parseWords(args, { yes: { type: 'boolean', short: 'y' } });
    const secrets = readSecrets(env);
    const redact = (text: string) => maskKeyForms(redactMessage(text, secrets));
    // Module agents run in this process and may print anything.
    guardStreams(redact);
    let misses = 0;
    const report = (name: string, found: readonly Finding[]) => {
      for (const finding of found) {
        show(name, redact(finding.what), finding, print);
        if (finding.status === 'miss') misses += 1;
      }
    };
    report('Node', [ok(process.versions.node)]);
    const { config, findings } = readSettings(env);
    report('settings', findings);
    const asked = { env, isAgreed: values.yes === true };
    if (config !== null) {
      for (const [name, check] of Object.entries(CHECKS))
        report(name, await runCheck(async () => check(config, asked)));
    }
    print('');
    print(
      misses === 0
        ? `All checks passed. ${DRY_RUN}`
        : `${plural(misses, 'check')} failed: see "->" above.`,
    );
    return misses === 0 ? 0 : 1;
  },
};

/** The EVAL_* names that are set. Only a run sees the defaults of vitest.config.ts. */
function readSettings(env: CommandContext['env']) {
  const set = Object.keys(env).filter((name) => name.startsWith('EVAL_') && env[name] !== '');
  try {
    const config = resolveReplays(readConfig(env));
    return { config, findings: [ok(set.length === 0 ? 'none set' : set.toSorted().join(', '))] };
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems : [messageOf(error)];
    const remedy = `Correct it in the environment or in .env; ${DOCS}/settings.md lists every setting.`;
    return { config: null, findings: problems.map((what) => miss(what, remedy)) };
  }
}

async function runCheck(check: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [miss(messageOf(error), FOLLOW)];
  }
}

const MARKS = { ok: 'ok  ', skipped: '-   ', miss: 'MISS' } as const;

function show(name: string, what: string, finding: Finding, print: CommandContext['print']): void {
  const [first = '', ...rest] = what.split('\n');
  print(`${MARKS[finding.status]}  ${name}: ${escapeLine(first, 1000)}`);
  // Only one mark for each finding: users count them.
  for (const line of rest) print(`      ${escapeLine(line, 1000)}`);
  if (finding.remedy !== undefined) print(`      -> ${escapeLine(finding.remedy, 1000)}`);
}

/** Whether the folder for runs is writable. */
function disk({ dir }: EvalConfig): readonly Finding[] {
  return [examineFolder(resolve(dir), 'Make it writable, or set EVAL_DIR to another folder.')];
}

/** For settings that name a Hub dataset: the Hub's cache and the token. */
function hub({ gaia, mcq }: EvalConfig, { env }: Pick<CommandContext, 'env'>): readonly Finding[] {
  if (![gaia, mcq].some((source) => source !== null && isHubSource(source))) return [];
  const { cacheDir, token } = readHubSettings(env);
  const lacking = 'no token is set (HF_TOKEN). Gated datasets need one.';
  return [
    examineFolder(resolve(cacheDir), 'Make it writable, or set HF_HOME to another folder.'),
    token === null ? skipped(lacking) : ok('a token is set'),
  ];
}

/** A run with traces needs far less; GAIA's files need about as much. */
const LEAST_FREE_MB = 200;

function examineFolder(folder: string, remedy: string): Finding {
  const file = join(folder, `.doctor-${process.pid}`);
  try {
    ensureFolder(folder);
    writeFileSync(file, 'x'.repeat(4096));
    rmSync(file);
    const { bavail, bsize } = statfsSync(folder);
    const freeMb = (bavail * bsize) / 1024 ** 2;
    const what = `${folder} is writable, ${(freeMb / 1024).toFixed(1)} GB free`;
    return freeMb < LEAST_FREE_MB
      ? miss(what, `Free at least ${LEAST_FREE_MB} MB, or use another disk.`)
      : ok(what);
  } catch (error) {
    return miss(`${folder} cannot be written (${messageOf(error)})`, remedy);
  }
}

/** Whether the run in EVAL_BASELINE can be compared; nothing if it is not set. */
export function baseline(config: EvalConfig): readonly Finding[] {
  const run = readBaseline(config);
  if (run === null) return [];
  const sides = run.sides.map(({ suite, dataset, agent, results }) => {
    return `${suite} (${dataset}) by ${agent}, ${plural(results.length, 'result')}`;
  });
  return [ok(`${run.name}: ${sides.join('; ')}`)];
}
