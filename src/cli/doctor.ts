import { mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join, resolve } from 'node:path';
import { ConfigError, isNodeWanted, readConfig, WANTED_NODE } from '../config.ts';
import { isHubSource, readHubSettings } from '../datasets/hub/hub-source.ts';
import { guardStreams } from '../run/printing.ts';
import { maskKeyForms, readSecrets, redact, redactMessage } from '../text/secrets.ts';
import { escapeLine } from '../text/show.ts';
import type { Command, CommandContext } from './command.ts';
import {
  agents,
  assertOptions,
  baseline,
  type Check,
  datasets,
  type Finding,
  keys,
  mcp,
  withConfig,
} from './doctor-run.ts';

const node: Check = {
  name: 'Node',
  run: () => [judgeNode(process.versions.node)],
};

/** Vitest's interface works with the very version of Vitest that it was made for. */
const packages: Check = {
  name: 'Vitest',
  run: () => [judgePair(readVersion('vitest'), readVersion('@vitest/ui'))],
};

/** Every EVAL_* name and value. What vitest.config.ts commits as defaults is not seen here. */
const settings: Check = {
  name: 'settings',
  run: ({ env }) => readSettings(env),
};

/** Whether the folder of the runs can be written, and the Hub's cache when the dataset is there. */
const disk = withConfig('disk', async ({ dir, gaia }, { env }) => {
  const runs = examineFolder(resolve(dir), 'Make it writable, or set EVAL_DIR to another folder.');
  if (gaia === null || !isHubSource(gaia)) return [runs];
  const { cacheDir } = readHubSettings(env);
  return [runs, examineFolder(resolve(cacheDir), 'Make it writable, or set HF_HOME to another folder.')];
});
/** In the order in which they are shown. To add a check: its file, and a line here. */
const CHECKS: readonly Check[] = [node, packages, settings, disk, keys, datasets, baseline, mcp, agents];

/** `pnpm viva doctor`: whether everything that the set run needs is there, and what to do where it is not. */
export const doctor: Command = {
  name: 'doctor',
  summary:
    'checks what a run needs: Node, packages, settings, disk, keys, datasets, MCP servers, agents (--yes: ask paid agents too)',
  run: async (context) => {
    assertOptions(context.args);
    // Agents that are modules run in this process, and print what they like.
    guardStreams((text) => redact(text, readSecrets(context.env)));
    let misses = 0;
    for (const check of CHECKS) {
      for (const finding of await runCheck(check, context)) {
        if (finding.status === 'miss') misses++;
        show(check.name, finding, context);
      }
    }
    context.print('');
    context.print(misses === 0 ? 'Everything that was checked is there.' : `${misses} missing: see "->" above.`);
    return misses === 0 ? 0 : 1;
  },
};

async function runCheck(check: Check, context: CommandContext): Promise<readonly Finding[]> {
  try {
    return await check.run(context);
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return [{ status: 'miss', what, remedy: 'Follow the message, then run "pnpm viva doctor" again.' }];
  }
}

const MARKS = { ok: 'ok  ', skipped: '-   ', miss: 'MISS' } as const;

function show(name: string, finding: Finding, { print, env }: CommandContext): void {
  const [first = '', ...rest] = maskKeyForms(redactMessage(finding.what, readSecrets(env))).split('\n');
  print(`${MARKS[finding.status]}  ${name}: ${escapeLine(first, 1000)}`);
  // One mark for each finding: they are counted at the end.
  for (const line of rest) print(`      ${escapeLine(line, 1000)}`);
  if (finding.status === 'miss') print(`      -> ${escapeLine(finding.remedy, 1000)}`);
}

function readSettings(env: CommandContext['env']): readonly Finding[] {
  const set = Object.keys(env).filter((name) => name.startsWith('EVAL_') && env[name] !== '');
  try {
    readConfig(env);
    return [{ status: 'ok', what: set.length === 0 ? 'none set: the committed samples' : set.toSorted().join(', ') }];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const remedy = 'Correct it in the environment or in .env; .env.example lists every setting.';
    return error.problems.map((what) => ({ status: 'miss', what, remedy }) as const);
  }
}

/** Judges a version such as "24.21.0". */
export function judgeNode(version: string) {
  if (isNodeWanted(version)) return { status: 'ok', what: `Node ${version}` } as const;
  return {
    status: 'miss',
    what: `Node ${version}, and ${WANTED_NODE} or later is needed`,
    remedy: 'Run "pnpm install", which brings it, and start commands through pnpm.',
  } as const;
}

/** Judges the versions of vitest and @vitest/ui; null for one that is not installed. */
export function judgePair(vitest: string | null, ui: string | null): Finding {
  if (vitest !== null && vitest === ui) return { status: 'ok', what: `vitest and @vitest/ui ${vitest}` };
  return {
    status: 'miss',
    what: `vitest ${vitest ?? 'is not installed'}, @vitest/ui ${ui ?? 'is not installed'}: they must be one version`,
    remedy: 'Run "pnpm install"; package.json pins both.',
  };
}

function readVersion(name: string): string | null {
  try {
    const file = findPackageJSON(name, import.meta.url);
    const manifest: unknown = file === undefined ? null : JSON.parse(readFileSync(file, 'utf8'));
    const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
    return isManifest ? String(manifest.version) : null;
  } catch {
    return null;
  }
}

/** A run with its traces stays far below; GAIA's files are about as large. */
const LEAST_FREE_MB = 200;

/** Writes a file into a folder, which is made if need be, and removes it. */
function examineFolder(folder: string, remedy: string): Finding {
  const file = join(folder, `.doctor-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, 'x'.repeat(4096));
    rmSync(file);
    const { bavail, bsize } = statfsSync(folder);
    return judgeSpace(folder, (bavail * bsize) / 1024 ** 2);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { status: 'miss', what: `${folder} cannot be written (${why})`, remedy };
  }
}

/** Judges the free space of a folder, in MB. */
export function judgeSpace(folder: string, freeMb: number): Finding {
  const what = `${folder} is writable, ${(freeMb / 1024).toFixed(1)} GB free`;
  if (freeMb >= LEAST_FREE_MB) return { status: 'ok', what };
  return { status: 'miss', what, remedy: `Free at least ${LEAST_FREE_MB} MB, or set EVAL_DIR to another disk.` };
}
