import { hash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { basename, dirname, posix, relative, resolve } from 'node:path';
import { type ChunkingContext, type Plugin, rolldown } from 'rolldown';

/**
 * Writes a file for each source file, at its path, because viva finds some by path. Files that are
 * loaded together only point to a chunk that holds them: Node opens few files faster than hundreds.
 * Nothing is minified, so stack traces name functions, and a comment in the chunk their files.
 */
export async function bundle(): Promise<void> {
  const names = globSync('{src,reporters,evals}/**/*.d.ts', { cwd: 'dist' })
    .map((file) => file.slice(0, -'.d.ts'.length))
    .filter((name) => existsSync(`${name}.ts`));
  const built = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, resolve(`${name}.ts`)])),
    platform: 'node',
    external: /^[^./]/,
    tsconfig: false,
    preserveEntrySignatures: 'allow-extension',
    plugins: [chunkFiles, keepPaths],
  });
  await built.write({
    dir: 'dist',
    chunkFileNames: 'src/chunks/[name].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: chooseChunk, debugName: 'starts' }],
    },
  });
}

/** Files that others do not import: the exports of the package, and what viva() loads later. */
const STARTS = [
  'src/{index,agents/ai-sdk,addons/otel/index,matchers/setup,cli/index}.ts',
  'src/plugin/{plugin,attach,named-evals}.ts',
];

/** Paths of other such files, as in `./math-child${EXTENSION}`. */
const PATH = /`(\.[\w./-]+)\$\{EXTENSION\}`/g;

/** For each file, what loads it. */
const loadedBy = new Map<string, string>();

/** Finds what is loaded together: what the same files load, so that none gets more than it needs. */
function findChunks(starts: ReadonlySet<string>, graph: ChunkingContext): void {
  for (const start of starts)
    for (const file of findLoaded([start], graph))
      loadedBy.set(file, `${loadedBy.get(file) ?? ''} ${relative('.', start)}`);
}

/** Files, and all that are loaded with them. */
function findLoaded(
  files: readonly string[],
  graph: ChunkingContext,
  found = new Set<string>(),
): ReadonlySet<string> {
  for (const file of files) {
    if (found.has(file)) continue;
    found.add(file);
    findLoaded(graph.getModuleInfo(file)?.importedIds ?? [], graph, found);
  }
  return found;
}

/** What every run loads, by when it does. Opening a file costs more than code that is not needed. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  plugin: ['src/plugin/plugin.ts'],
  main: ['src/plugin/attach.ts', 'reporters/run-report.ts', 'reporters/page/report.ts'],
  index: ['src/index.ts'],
  worker: ['src/matchers/setup.ts', 'src/run/generate-eval.ts', 'src/run/jury.ts'],
  cli: ['src/cli/index.ts'],
};

/** What asks Vitest as soon as it is loaded, or names what older versions lack. */
const ALONE = ['src/matchers/setup.ts', 'src/run/task-runner.ts'];

/**
 * A name for the files that the same steps load, or for others that the same files load; null for a
 * file that nothing loads.
 */
function chooseChunk(file: string): string | null {
  const starts = loadedBy.get(file)?.trim().split(' ');
  if (starts === undefined || ALONE.includes(relative('.', file))) return null;
  const steps = Object.keys(STEPS).filter((step) =>
    STEPS[step]?.some((start) => starts.includes(start)),
  );
  // What a command loads too must not bring in the rest of a step, which asks Vitest.
  const isShared = starts.some((start) => start.startsWith('src/cli/'));
  if (steps.length === 1 && isShared) return `${steps[0]}-shared`;
  // A confined program may read and hold little.
  const isInProgram = starts.some((start) => /-(?:child|worker)\.ts$/.test(start));
  if (steps.length > 0 && !isInProgram) return steps.join('-');
  return `${basename(starts[0] ?? '', '.ts')}-${hash('sha256', starts.join()).slice(0, 8)}`;
}

/** Gives the chunks, by all files that are not only imported. */
const starts = new Set(STARTS.flatMap((pattern) => globSync(pattern)).map((file) => resolve(file)));
const chunkFiles: Plugin = {
  name: 'chunk-files',
  transform: (code, file) => {
    for (const [, path] of code.matchAll(PATH)) starts.add(resolve(dirname(file), `${path}.ts`));
  },
  buildEnd() {
    for (const id of this.getModuleIds())
      if ((this.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0) starts.add(id);
    findChunks(starts, this);
  },
};

const IN_SOURCE = /\bimport\.meta\.(url|dirname|filename)\b/g;
const IN_CHUNK = /\bimport\.meta\.(url|dirname|filename)\.of\("([^"]+)"\)/g;

/** `import.meta` stays that of the source file in a chunk elsewhere. */
const keepPaths: Plugin = {
  name: 'keep-paths',
  transform: (code, file) =>
    code.replace(IN_SOURCE, `import.meta.$1.of("${relative('.', file).replace(/ts$/, 'js')}")`),
  renderChunk: (code, { fileName }) => {
    const kept = code.replace(IN_CHUNK, (_, part: string, file: string) => {
      if (file === fileName) return `import.meta.${part}`;
      const url = `new URL("${posix.relative(dirname(fileName), file)}", import.meta.url)`;
      if (part === 'url') return `${url}.href`;
      return part === 'filename' ? `pathOf$(${url})` : `folderOf$(pathOf$(${url}))`;
    });
    return kept.includes('pathOf$(') ? NAMES + kept : kept;
  },
};

const NAMES = `import { fileURLToPath as pathOf$ } from "node:url";
import { dirname as folderOf$ } from "node:path";
`;
