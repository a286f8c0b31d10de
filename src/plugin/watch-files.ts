import { dirname, resolve } from 'node:path';
import type { Reporter, TestSpecification, Vitest } from 'vitest/node';
import { kindOf } from '../agents/kinds.ts';
import { isHubSource } from '../data/hub/hub-source.ts';
import { type EvalConfig, listSpecs } from '../settings.ts';
import { readManifest } from '../store/manifest.ts';
import { toLiteralPattern } from '../words/show.ts';
import { readSuiteNames } from './eval-files.ts';
import type { Session } from './session.ts';

/**
 * Has Vitest run eval files again after an edit of a file, or of files with such names in a folder.
 */
export type WatchFile = (path: string, evalFiles: readonly string[], names?: string) => void;

/** Vite itself watches eval files. */
const BUT_EVAL_FILES = '(?!.*\\.eval\\.[cm]?[jt]s$)';

/** A refused suite has no list of files yet. Other files, such as an editor's copy, do not count. */
const DATA_FILES = '(?:.*/)?[^./][^/]*\\.(?:md|txt|jsonl?|ndjson|csv|tsv|parquet)$';

export function watchWith({ vite, config }: Vitest): WatchFile {
  const watched = new Set<string>();
  return (path, files, names = BUT_EVAL_FILES) => {
    const key = JSON.stringify([path, files]);
    if (!config.watch || watched.has(key)) return;
    watched.add(key);
    vite.watcher.add(path);
    const pattern = new RegExp(`^${toLiteralPattern(path)}(?:$|/)${names}`);
    const patterns = config.watchTriggerPatterns ?? [];
    config.watchTriggerPatterns = [...patterns, { pattern, testsToRun: () => [...files] }];
  };
}

/**
 * Runs an eval file again after an edit of a data file in its folder, of a file that its suite
 * reads, or of the files of EVAL_AGENT.
 */
export function watchData(session: Session, watch: WatchFile): Reporter {
  return {
    onTestRunStart(specifications: readonly TestSpecification[]) {
      const files = specifications.map(({ moduleId }) => moduleId);
      if (session.config === null || files.length === 0) return;
      for (const file of files) watch(dirname(file), [file], DATA_FILES);
      watchSettings(session.config, files, watch);
    },
    onTestRunEnd() {
      if (session.folder === null) return;
      for (const { eval_file, files = [] } of readManifest(session.folder).suites) {
        if (eval_file === undefined) continue;
        for (const path of files) watch(resolve(path), [resolve(eval_file)]);
      }
    },
  };
}

function watchSettings(config: EvalConfig, files: readonly string[], watch: WatchFile): void {
  const { gaia, mcq, prompts } = config;
  const root = process.cwd();
  const agentFiles = listSpecs(config).flatMap((spec) => kindOf(spec).listFiles(spec.target, root));
  const dataFiles = [gaia ?? [], mcq ?? []].flat().filter((path) => !isHubSource(path));
  for (const path of [...agentFiles, ...dataFiles]) watch(resolve(path), files);
  for (const { suite, path } of prompts ?? []) {
    const isAsked = (file: string) => suite === null || readSuiteNames(file).includes(suite);
    watch(resolve(path), files.filter(isAsked));
  }
}
