import { hash } from 'node:crypto';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { TestProject } from 'vitest/node';
import { kindOf } from '../agents/kinds.ts';
import type { AgentSources } from '../agents/module.ts';
import { hashFile } from '../agents/source-files.ts';
import { isFile, readRegular } from '../data/files/read-file.ts';
import { parseSuiteSpec } from '../run/choose-agents.ts';
import type { ReadyRun } from '../run/provided-run.ts';
import { isFields } from '../words/fields.ts';
import { tryOrUndefined } from '../words/show.ts';
import { readSource, type SourceReads } from './source-reads.ts';
import { type FoundAgents, findFactoryImport, findSuiteAgents } from './suite-agents.ts';

/** A Vitest project, as far as its sources depend on it. */
type Project = Pick<TestProject, 'vite'> & {
  readonly config: Pick<TestProject['config'], 'env'> &
    Partial<Pick<TestProject['config'], 'defines'>>;
};

type Variables = Readonly<Record<string, string | undefined>>;

type FoundSources = Readonly<{
  sources: AgentSources;
  /**
   * Files that Vitest itself does not watch for an eval file, by the path of that file or of a
   * module.
   */
  unwatched: ReadonlyMap<string, readonly string[]>;
}>;

/**
 * Finds what the agents of eval files and of `module:` depend on, by Vite's own resolution: the
 * local files that they import or read, the versions of installed packages, and environment
 * variables.
 */
export async function findAgentSources(
  project: Project,
  evalFiles: readonly string[],
  modules: readonly string[],
  variables: Variables,
  kinds: ReadyRun['kinds'] = [],
): Promise<FoundSources> {
  const graph = new SourceGraph(project, variables);
  const { root } = project.vite.config;
  const sources: Record<string, string> = {};
  const unwatched = new Map<string, readonly string[]>();
  const specs = new Set<string>();
  for (const file of evalFiles) {
    const found = await graph.collect(file);
    const watched = new Set(await graph.collect(file, 'imports'));
    for (const { reads } of found) for (const spec of reads?.specs ?? []) specs.add(spec);
    const { imported, named } = await graph.findAgents(file);
    const files = named.flatMap(({ spec, isReadElsewhere }) =>
      isReadElsewhere ? [] : kindOf(spec).listFiles(spec.target, root),
    );
    // An edit of one agent's file asks that agent alone again.
    sources[file] = graph.fingerprint(await graph.collect(file, 'all', files), file);
    for (const [place, { id, name }] of imported)
      sources[`${file}#${place}`] = graph.fingerprint(await graph.collect(id), id, name);
    const read = [listRead(found, watched)];
    for (const { kind, target } of named.map(({ spec }) => spec)) {
      if (kind !== 'module' || !isFile(target)) continue;
      const modules = await graph.collect(target);
      sources[target] = graph.fingerprint(modules, target);
      read.push(listRead(modules, watched));
    }
    unwatched.set(file, read.flat());
  }
  const judges = [...specs].map((spec) => resolve(spec.slice('module:'.length)));
  for (const file of new Set([...modules, ...judges.filter(isFile)])) {
    const found = await graph.collect(file);
    unwatched.set(file, listRead(found));
    sources[file] = graph.fingerprint(found, file);
  }
  for (const { name, file } of kinds) {
    const { id, as } = await graph.findFactory(file, name);
    sources[name] = graph.fingerprint(await graph.collect(id), id, as);
  }
  return { sources, unwatched };
}

/**
 * The files of modules, less the watched ones and those that the modules write: each run would
 * start the next one.
 */
function listRead(
  modules: readonly Module[],
  watched: ReadonlySet<Module> = new Set(),
): readonly string[] {
  const written = new Set(modules.flatMap(({ reads }) => [...(reads?.written ?? [])]));
  return modules.flatMap((module) => {
    const { file } = module;
    return file === null || watched.has(module) || written.has(file) ? [] : file;
  });
}

/** A module of Vite's graph: a local file, an installed package, or what a plugin makes. */
type Module = Readonly<{
  /** Its absolute path; null unless it is a local file. */
  file: string | null;
  /** A hash of the file, or of the code that a plugin makes. */
  content: string | null;
  /** "name@version" of an installed package. */
  package: string | null;
  /**
   * The ids of the modules that Vite knows it to import, and the paths of what else it loads or
   * reads.
   */
  imports: readonly string[];
  loads: readonly string[];
  reads: SourceReads | null;
}>;

const NOTHING = {
  file: null,
  content: null,
  package: null,
  imports: [],
  loads: [],
  reads: null,
} as const;

/** viva's own sources, which are not part of an agent: its updates must not ask everything again. */
const VIVA = join(import.meta.dirname, '..') + sep;
const HARNESS = /^(?:viva|vite|vitest|@vitest\/.*)@/;

/** Files that import nothing. Vite would load some of them, such as `./prompt.md?raw`, as text. */
const DATA = /\.(?:json|css|md|txt|csv|jsonl|html|svg|png|jpe?g|gif|webp|pdf|wasm|node)$/;

const NO_AGENTS: FoundAgents = { imported: new Map(), named: [] };

class SourceGraph {
  readonly #project: Project;
  readonly #variables: Variables;
  readonly #modules = new Map<string, Promise<Module>>();
  readonly #packages = new Map<string, string | null>();

  constructor(project: Project, variables: Variables) {
    this.#project = project;
    const { env, defines = {} } = project.config;
    const constants = Object.entries(defines).map(([name, value]) => [name, JSON.stringify(value)]);
    const all = { ...project.vite.config.env, ...variables, ...env };
    this.#variables = { ...Object.fromEntries(constants), ...all };
  }

  /**
   * A module and all that it imports, loads or reads, at any depth; without some files that it
   * names itself.
   */
  async collect(
    id: string,
    by: 'imports' | 'all' = 'all',
    without: readonly string[] = [],
  ): Promise<readonly Module[]> {
    const found = new Map<string, Module>();
    const add = async (next: string): Promise<void> => {
      if (found.has(next)) return;
      found.set(next, NOTHING);
      const module = await this.#read(next);
      found.set(next, module);
      const loads = by === 'all' ? module.loads : [];
      const named = next === id ? loads.filter((file) => !without.includes(file)) : loads;
      await Promise.all([...module.imports, ...named].map(add));
    };
    await add(id);
    return [...found.values()];
  }

  fingerprint(modules: readonly Module[], id: string, name = ''): string {
    const toPath = (file: string) =>
      relative(this.#project.vite.config.root, file).replaceAll('\\', '/');
    const reads = modules.flatMap((module) => module.reads ?? []);
    // What a run writes would ask everything again.
    const written = new Set(reads.flatMap((each) => [...each.written]));
    const variables = new Set(reads.flatMap((each) => each.variables));
    const packages = new Set(modules.flatMap((module) => module.package ?? []));
    const hashed = [
      [toPath(id), name],
      modules
        .flatMap(({ file, content }) =>
          file !== null && written.has(file) ? [] : JSON.stringify([file && toPath(file), content]),
        )
        .sort(),
      [...packages].filter((each) => !HARNESS.test(each)).sort(),
      [...variables].sort().map((variable) => [variable, this.#variables[variable] ?? null]),
    ];
    return hash('sha256', JSON.stringify(hashed));
  }

  /**
   * The agents that an eval file imports, with the ids of their modules, and the specs of those that
   * it names.
   */
  async findAgents(file: string) {
    const node = await this.#environment.moduleGraph.getModuleByUrl(file);
    const code = node?.transformResult?.code ?? '';
    const { imported, named } = tryOrUndefined(() => findSuiteAgents(code)) ?? NO_AGENTS;
    const modules = [...imported].flatMap(([place, { url, name }]) => {
      const id = [...(node?.importedModules ?? [])].find((each) => each.url === url)?.id ?? null;
      return id === null ? [] : [[place, { id, name }] as const];
    });
    const specs = [...Map.groupBy(named, String)].flatMap(([text, { length }]) => {
      const spec = parseSuiteSpec(text, file);
      return spec === null ? [] : [{ spec, isReadElsewhere: code.split(text).length - 1 > length }];
    });
    return { imported: modules, named: specs };
  }

  /** The module of a kind's factory where the configuration file imports it, else that file. */
  async findFactory(file: string, kind: string) {
    await this.collect(file);
    const node = await this.#environment.moduleGraph.getModuleByUrl(file);
    const found = findFactoryImport(node?.transformResult?.code ?? '', kind);
    const id = [...(node?.importedModules ?? [])].find(({ url }) => url === found?.url)?.id;
    return found === null || !id ? { id: file, as: '' } : { id, as: found.name };
  }

  get #environment() {
    const { ssr } = this.#project.vite.environments;
    return ssr;
  }

  #read(id: string): Promise<Module> {
    const module = this.#modules.get(id) ?? this.#load(id);
    this.#modules.set(id, module);
    return module;
  }

  async #load(id: string): Promise<Module> {
    const file = id.replace(/[?#].*$/s, '');
    if (file.startsWith(VIVA) || id.startsWith('\0vite/')) return NOTHING;
    if (file.includes('/node_modules/'))
      return { ...NOTHING, package: this.#namePackage(dirname(file)) };
    const isLocal = isFile(file);
    const compiled = isLocal && DATA.test(file) ? null : await this.#transform(id);
    const content = isLocal ? hashFile(file) : compiled && hash('sha256', compiled.code);
    const reads = compiled && this.#readCode(compiled.code, file);
    return {
      file: isLocal ? file : null,
      content,
      package: null,
      imports: compiled?.imports ?? [],
      loads: [...(reads?.files ?? [])],
      reads,
    };
  }

  /** Null for a file that Vite cannot compile: its import in the worker says why. */
  async #transform(id: string) {
    const { moduleGraph } = this.#environment;
    const url = moduleGraph.getModuleById(id)?.url ?? id;
    try {
      const result = await this.#environment.transformRequest(url);
      const node = moduleGraph.getModuleById(id) ?? (await moduleGraph.getModuleByUrl(url));
      const imports = [...(node?.importedModules ?? [])].flatMap((each) => each.id ?? []);
      return result === null ? null : { code: result.code, imports };
    } catch {
      return null;
    }
  }

  #readCode(code: string, file: string): SourceReads | null {
    const { root } = this.#project.vite.config;
    return (
      tryOrUndefined(() => readSource(code, { file, root, variables: this.#variables })) ?? null
    );
  }

  /** The package of a folder below node_modules. */
  #namePackage(folder: string): string | null {
    const earlier = this.#packages.get(folder);
    if (earlier !== undefined || folder === dirname(folder)) return earlier ?? null;
    const manifest: unknown = tryOrUndefined(() =>
      JSON.parse(readRegular(join(folder, 'package.json')).toString('utf8')),
    );
    const { name, version } = isFields(manifest) ? manifest : {};
    const isWhole = typeof name === 'string' && typeof version === 'string';
    const found = isWhole ? `${name}@${version}` : this.#namePackage(dirname(folder));
    this.#packages.set(folder, found);
    return found;
  }
}
