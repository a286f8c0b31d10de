import { existsSync, globSync } from 'node:fs';
import { dirname, posix, relative, resolve } from 'node:path';
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
    plugins: [keepPaths],
  });
  await built.write({
    dir: 'dist',
    chunkFileNames: 'src/chunks/[name].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: chooseChunk, debugName: 'occasions' }],
    },
  });
}

/** The occasions on which files are loaded, and the files that load the others. */
const OCCASIONS = {
  config: ['src/plugin/plugin.ts'],
  main: ['src/plugin/attach.ts'],
  worker: ['src/index.ts', 'src/matchers/setup.ts', 'src/run/task-runner.ts'],
  run: ['src/generate-eval.ts'],
  report: ['reporters/run-report.ts', 'reporters/html/render-page.ts'],
  cli: ['src/cli/commands.ts'],
};

/**
 * A chunk holds what is loaded on the same occasions, so that none loads what it does not need: the
 * worker's files fail outside of it. Null leaves a file alone.
 */
function chooseChunk(file: string, graph: ChunkingContext): string | null {
  const occasions = Object.entries(OCCASIONS).flatMap(([occasion, starts]) => {
    if (!loaded.has(occasion))
      loaded.set(
        occasion,
        findLoaded(
          starts.map((start) => resolve(start)),
          graph,
        ),
      );
    return loaded.get(occasion)?.has(file) === true ? occasion : [];
  });
  return occasions.some((occasion) => occasion !== 'cli') ? occasions.join('-') : null;
}

const loaded = new Map<string, ReadonlySet<string>>();

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
