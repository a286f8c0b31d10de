import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { TestProject } from 'vitest/node';
import { kindOf } from '../agents/kinds.ts';
import type { AgentSources } from '../agents/module.ts';
import type { Folders } from '../agents/project-files.ts';
import {
  type AgentSource,
  hashFile,
  importsOf,
  isWrittenByRuns,
  seeFile,
  stampOf,
  toSource,
} from '../agents/source-files.ts';
import { isFile, readRegular } from '../data/files/read-file.ts';
import { parseSuiteSpec } from '../run/choose-agents.ts';
import type { ReadyRun } from '../run/provided-run.ts';
import { isFields } from '../words/fields.ts';
import { tryOrUndefined } from '../words/show.ts';
import { readCommandLine } from './command-line.ts';
import { codeChangesGlobals, hasState, hasStatements } from './global-changes.ts';
import type { Place } from './module-scope.ts';
import { placeAll } from './original-place.ts';
import { toPlainCode } from './plain-code.ts';
import { withoutJudges, withoutQuestions } from './question-parts.ts';
import {
  ADDED_BY_VITE,
  DATABASE,
  findReads,
  readScript,
  type SourceReads,
  withoutKeys,
} from './source-reads.ts';
import { type FoundAgents, findFactoryImport, findSuiteAgents } from './suite-agents.ts';
import { findGiven, NOTHING_WRITTEN, type WrittenFiles } from './written-files.ts';

/** A Vitest project, as far as its sources depend on it. */
type Project = Pick<TestProject, 'vite'> & {
  readonly config: Pick<TestProject['config'], 'env'> &
    Partial<Pick<TestProject['config'], 'defines' | 'provide' | 'setupFiles' | 'globalSetup'>>;
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
 * What the settings name: the paths of `module:`, the lines of `command:`, and the files and folders
 * that agents write. `start` is the working directory of the run, where relative paths start; the
 * root by default.
 */
type Named = Readonly<{
  start?: string;
  modules?: readonly string[];
  commands?: readonly string[];
  written?: readonly string[];
}>;

/**
 * Finds what the agents of eval files, of `module:` and of `command:` depend on, by Vite's own
 * resolution: the local files that they import or read, installed packages, and environment variables.
 */
export async function findAgentSources(
  project: Project,
  evalFiles: readonly string[],
  { modules = [], commands = [], written = [], start = project.vite.config.root }: Named,
  variables: Variables,
  kinds: ReadyRun['kinds'] = [],
): Promise<FoundSources> {
  const graph = new SourceGraph(project, variables, written, start);
  const sources: Record<string, AgentSource> = {};
  const unwatched = new Map<string, readonly string[]>();
  const suites = new Map<string, FoundAgents>();
  const specs = commands.map((line) => `command:${line}`);
  for (const file of evalFiles) {
    const found = await describeEvalFile(graph, file, modules);
    Object.assign(sources, found.sources);
    unwatched.set(file, found.unwatched);
    specs.push(...found.specs);
    suites.set(file, found.suite);
  }
  const targetsOf = (kind: string) =>
    specs.flatMap((spec) => (spec.startsWith(kind) ? spec.slice(kind.length).trim() : []));
  const judges = targetsOf('module:').map((path) => resolve(path));
  for (const file of new Set([...modules, ...judges.filter(isFile)])) {
    const found = await graph.collect([file]);
    unwatched.set(file, listRead(graph, found));
    sources[file] = graph.describe(found, [file]);
  }
  for (const line of new Set(targetsOf('command:'))) {
    const { files, variables } = readCommandLine(line, graph.start, graph.variables);
    const found = await graph.collect(files);
    unwatched.set(line, listRead(graph, found));
    const options = { started: files, variables };
    sources[`command:${line}`] = graph.describe(found, files, options);
    for (const [file, suite] of suites) {
      const all = await graph.collectInfluenced(file, suite, files);
      if (all !== null) sources[`${file}#command:${line}`] = graph.describe(all, files, options);
    }
  }
  for (const { name, file } of kinds) {
    const { id, as } = await graph.findFactory(file, name);
    sources[name] = graph.describe(await graph.collect([id]), [id], { name: as });
    for (const [file, suite] of suites) {
      const all = await graph.collectInfluenced(file, suite, [id]);
      if (all !== null) sources[`${file}#${name}`] = graph.describe(all, [id], { name: as });
    }
  }
  return { sources, unwatched };
}

/**
 * The agents that an eval file has, imports or names, and the specs in its code. `modules` are those that answer
 * its questions by a setting.
 */
async function describeEvalFile(graph: SourceGraph, file: string, modules: readonly string[]) {
  const suite = await graph.findAgents(file);
  await graph.countQuestions(file, suite.found, modules);
  const found = await graph.collect([file]);
  const watched = new Set(await graph.collect([file], 'imports'));
  const files = suite.named.flatMap(({ spec, isReadElsewhere }) =>
    isReadElsewhere ? [] : kindOf(spec).listFiles(spec.target, graph.start),
  );
  const sources: Record<string, AgentSource> = {
    // An edit of one agent's file asks that agent alone again.
    [file]: graph.describe(await graph.collect([file], 'all', files), [file]),
  };
  for (const [place, { id, name }] of suite.imported) {
    const all = await graph.collectInfluenced(file, suite.found, [id], files);
    sources[`${file}#${place}`] = graph.describe(all ?? (await graph.collect([id])), [id], {
      name,
    });
  }
  const unwatched = [...listRead(graph, found, watched)];
  const specs = found.flatMap(({ reads }) => reads?.specs ?? []);
  const targetsOf = (of: string) =>
    suite.named.flatMap(({ spec: { kind, target } }) => (kind === of ? target : []));
  for (const target of targetsOf('module').filter(isFile)) {
    const own = await graph.collect([target]);
    sources[target] = graph.describe(own, [target]);
    unwatched.push(...listRead(graph, own, watched));
  }
  for (const target of new Set([...targetsOf('module'), ...modules])) {
    const all = await graph.collectInfluenced(file, suite.found, [target], files);
    if (all !== null) sources[`${file}#${target}`] = graph.describe(all, [target]);
  }
  specs.push(...targetsOf('command').map((line) => `command:${line}`));
  return { sources, unwatched, specs, suite: suite.found };
}

/**
 * The files of modules, less the watched ones and those that the modules write: each run would
 * start the next one.
 */
function listRead(
  graph: SourceGraph,
  modules: readonly Module[],
  watched: ReadonlySet<Module> = new Set(),
): readonly string[] {
  const written = graph.findWritten(modules);
  return modules.flatMap((module) => [
    ...(watched.has(module) || isWritten(module, written) ? [] : [module.file ?? []].flat()),
    ...(module.reads?.inQuestions ?? []),
  ]);
}

/** What modules write, and what they name. */
type Written = Readonly<{
  files: ReadonlySet<string>;
  /** Those of them that the code also names in other places, with a module that writes them. */
  again: ReadonlyMap<string, Module>;
  /** Files and folders by `EVAL_AGENT_WRITES`. */
  given: readonly string[];
  /** The ids of modules that count although others of their folder are written. */
  named: ReadonlySet<string>;
  /** How names of files begin and end, and the module that writes them. */
  ends: readonly Readonly<{ start: string; end: string; by: Module }>[];
}>;

/** Code that is in a folder of written files counts, and so does a file there that code names. */
function isWritten(module: Module, written: Written): boolean {
  return isKnownAsWritten(module, written) || findWriter(module, written) !== undefined;
}

function isKnownAsWritten({ file, made }: Module, { files, given }: Written): boolean {
  if (file === null) return false;
  const isInside = (path: string) => made === null && file.startsWith(join(path, sep));
  // Code that is compiled is no output.
  return (
    (made === null && files.has(file)) || given.some((path) => file === path || isInside(path))
  );
}

/** Who writes files by computed names such as that of a module. */
function findWriter({ id, file, made }: Module, { named, ends }: Written) {
  if (file === null || made !== null || named.has(id)) return undefined;
  return ends.find(({ start, end }) => file.startsWith(start) && file.endsWith(end));
}

/** A module of Vite's graph: a local file, an installed package, or what a plugin makes. */
type Module = Readonly<{
  id: string;
  /** Its absolute path; null unless it is a local file. */
  file: string | null;
  /** A hash of the code that Vite makes of it, less comments and layout; of other files, of the file. */
  content: string | null;
  /** The name and version of an installed package, and a hash of the file that is imported. */
  package: (PackageName & { readonly entry: string }) | null;
  /** The code that Vite made, and the ids of the modules that this imports, by their URLs. */
  made: Readonly<{ code: string; map: unknown; ids: ReadonlyMap<string, string> }> | null;
  /** The modules that Vite knows it to import, and those of them that it imports when it runs. */
  imports: readonly string[];
  lazy: readonly string[];
  /** The paths of what else it loads or reads. */
  loads: readonly string[];
  reads: SourceReads | null;
  /** What cannot be followed, as in "31 import(name)". */
  notFollowed: readonly string[];
}>;

type PackageName = Readonly<{ name: string; version: string }>;

const NO_FILES = {
  ...{ files: [], listed: [], inQuestions: [], writtenIn: [], writers: [], specs: [] },
  written: NOTHING_WRITTEN,
} as const;

const NOTHING = {
  id: '',
  file: null,
  content: null,
  package: null,
  made: null,
  imports: [],
  lazy: [],
  loads: [],
  reads: null,
  notFollowed: [],
} as const;

/** viva's own sources, which are not part of an agent: its updates must not ask everything again. */
const VIVA = join(import.meta.dirname, '..') + sep;
const HARNESS = /^(?:viva|vite|vitest|@vitest\/.*)$/;

/** Files that import nothing. Vite would load some of them, such as `./prompt.md?raw`, as text. */
const DATA = /\.(?:json|css|md|txt|csv|jsonl|html|svg|png|jpe?g|gif|webp|pdf|wasm|node)$/;

const CODE = /\.[cm]?[jt]sx?$/;

/** Scripts of other languages name files too, but Vite cannot compile them. */
const SCRIPT = /\.(?:py|(?:ba|z|fi)?sh|rb|pl|php|lua|r|jl)$/i;

/** Compiled bundles, which a command may start, and programs: nobody edits them by hand. */
function isLarge(file: string): boolean {
  return statSync(file).size > 1_000_000;
}

/** The files that Vite has compiled, as they were then: it learns of an edit by its watcher alone. */
const compiled = new WeakMap<object, string>();

/** The names that some code gives to `recordTools`; undefined unless each use of it shows one. */
function nameRecordings(codes: readonly string[]): readonly string[] | undefined {
  const using = codes.filter((code) => code.includes('recordTools'));
  const uses = using.flatMap((code) => code.match(/(?<!["'\w])recordTools\b(?!["'])/g) ?? []);
  const named = using.flatMap((code) => [...code.matchAll(NAMED_RECORDING)]);
  const whole = named.filter(([, call = '']) => count(call, '(') === count(call, ')'));
  const isWhole = whole.length > 0 && whole.length === uses.length;
  return isWhole ? [...new Set(whole.map(([, , name = '']) => name))].sort() : undefined;
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** `recordTools(tools, { name: "orders" })` */
const NAMED_RECORDING =
  /(?<!["'\w])recordTools\)?(\([^;]{0,2000}?,\s*\{\s*name:\s*["'`]([\w.-]+)["'`],?\s*\},?\s*\))/g;

/** In watch mode most modules stay as they are. */
const printed = new WeakMap<object, Printed>();

type Printed = Readonly<{ code: string; plain: string | null; content: string | null }>;

const NOT_PRINTED: Printed = { code: '', plain: null, content: null };

function printOnce(result: Readonly<{ code: string }>, root: string): Printed {
  const earlier = printed.get(result);
  if (earlier !== undefined) return earlier;
  const code = result.code.replace(ADDED_BY_VITE, '');
  const plain = toPlainCode(code);
  const made = { code, plain, content: hash('sha256', withoutPlaces(plain ?? code, root)) };
  printed.set(result, made);
  return made;
}

/** The URLs of imports as they are on every machine, for every package manager and in watch mode. */
function withoutPlaces(code: string, root: string): string {
  return code
    .replaceAll(/(["'`])(?:\/@fs)?\/[^"'`\n]*\/node_modules\//g, '$1')
    .replaceAll(/(["'`])\/@fs(\/[^"'`\n?]*)/g, (_, quote, path) => quote + relative(root, path))
    .replaceAll(`${root}/`, '/')
    .replaceAll(/[?&]t=\d{13}/g, '');
}

const NO_AGENTS: FoundAgents = {
  ...{ imported: new Map(), named: [], isChanging: true },
  ...{ ofAgents: new Set(), others: new Set(), changed: new Set() },
};

type DescribeOptions = Readonly<{
  name?: string;
  started?: readonly string[];
  variables?: readonly string[];
}>;

class SourceGraph {
  readonly #project: Project;
  readonly variables: Variables;
  /** Where processes run. */
  readonly start: string;
  /** What users say that agents write. */
  readonly #written: readonly string[];
  /** What runs before all agents. */
  readonly #setup: readonly string[];
  readonly #modules = new Map<string, Promise<Module>>();
  readonly #folders: Folders = new Map();
  readonly #packages = new Map<string, PackageName | null>();
  readonly #given = new Map<string, WrittenFiles>();

  constructor(project: Project, variables: Variables, written: readonly string[], start: string) {
    this.#project = project;
    this.start = start;
    const { env, defines = {}, provide = {}, setupFiles = [], globalSetup = [] } = project.config;
    this.#written = written.map((path) => resolve(start, path));
    this.#setup = [...setupFiles, ...globalSetup].filter(isFile);
    const constants = Object.entries({ ...provide, ...defines }).map(([name, value]) => [
      name,
      JSON.stringify(value),
    ]);
    // DEV, PROD and SSR are no texts.
    const ofVite = Object.entries(project.vite.config.env).map(([name, value]) => [
      name,
      String(value),
    ]);
    const all = { ...Object.fromEntries(ofVite), ...variables, ...env };
    this.variables = { ...Object.fromEntries(constants), ...all };
  }

  /**
   * Modules and all that they and the setup files import, load or read, at any depth; without some files
   * that they name themselves.
   */
  async collect(
    ids: readonly string[],
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
      const named = ids.includes(next) ? loads.filter((file) => !without.includes(file)) : loads;
      await Promise.all([...module.imports, ...named].map(add));
    };
    const setup = by === 'all' ? this.#setup : [];
    await Promise.all([...ids, ...setup].map(add));
    return [...found.values()];
  }

  /**
   * What modules that were collected from `ids` depend on. `name` is that of an agent in them. A command
   * starts its files itself, and its line has variables.
   */
  describe(
    modules: readonly Module[],
    ids: readonly string[],
    { name = '', started = [], variables: given = [] }: DescribeOptions = {},
  ): AgentSource {
    const reads = modules.flatMap((module) => module.reads ?? []);
    // What a run writes would ask everything again.
    const written = this.findWritten(modules);
    const own = modules.filter((module) => !isWritten(module, written));
    const variables = new Set([...given, ...reads.flatMap((each) => each.variables)]);
    const all: (readonly [name: string, content: string])[] = [
      ...own.flatMap((module) =>
        module.content === null ? [] : [[this.#nameOf(module), module.content] as const],
      ),
      ...modules.flatMap(({ package: of }) =>
        of === null || HARNESS.test(of.name)
          ? []
          : [[`package ${of.name}`, `${of.version} ${of.entry}`] as const],
      ),
      ...[...variables].map((each) => [`variable ${each}`, this.#hashVariable(each)] as const),
    ];
    // One package may have several files that are imported.
    const parts = [...Map.groupBy(all, ([part]) => part)].map(([part, contents]) => {
      const whole = contents.map(([, content]) => content);
      return [part, whole.length === 1 ? whole[0] : hash('sha256', whole.sort().join())];
    });
    return toSource([...ids.map((id) => this.#toPath(id)), name], {
      parts: Object.fromEntries(parts),
      read: this.#listReadLate(own, started),
      notFollowed: [
        ...own.flatMap((module) =>
          module.notFollowed.map((what) => `${this.#nameOf(module)}:${what}`),
        ),
        ...this.#listHidden(modules, written),
      ],
      recordings: nameRecordings(own.map(({ made }) => made?.code ?? '')),
    });
  }

  /** What is read where the agent writes may be what it wrote, or not. */
  #listHidden(modules: readonly Module[], written: Written): readonly string[] {
    const show = (by: Module, path: string) =>
      `${this.#nameOf(by)}:${this.#toPath(path)}, which it writes`;
    const writers = modules.flatMap((module) =>
      isKnownAsWritten(module, written) ? [] : (findWriter(module, written) ?? []),
    );
    return [
      ...[...written.again].map(([path, by]) => show(by, path)),
      ...[...new Set(writers)].map(({ start, end, by }) => show(by, `${start}*${end}`)),
    ];
  }

  /** What modules write, also by functions of each other. */
  findWritten(modules: readonly Module[]): Written {
    const all = this.#listWritten(modules);
    const files = new Set(all.flatMap((each) => each.files));
    const isListed = ({ reads }: Module, path: string) => reads?.listed.includes(path) ?? false;
    const loads = modules.flatMap((by) =>
      by.loads.flatMap((path) => (isListed(by, path) ? [] : [{ by, path }])),
    );
    const compiled = new Set(modules.flatMap(({ file, made }) => (made === null ? [] : file)));
    const writersOf = (path: string) => all.filter((each) => each.files.includes(path));
    const again = [
      ...all.flatMap(({ by, again }) => again.map((path) => [path, by] as const)),
      ...loads.flatMap(({ by, path }) => {
        const [writer, ...others] = files.has(path) ? writersOf(path) : [];
        const isOwn = [writer, ...others].some((each) => each?.by === by);
        return writer === undefined || isOwn ? [] : [[path, writer.by] as const];
      }),
    ];
    const isSaid = (path: string) =>
      this.#written.some((each) => path === each || path.startsWith(join(each, sep)));
    return {
      files,
      again: new Map(
        again.filter(([path]) => !(isSaid(path) || compiled.has(path) || isWrittenByRuns(path))),
      ),
      given: this.#written,
      named: new Set([
        ...modules.flatMap(({ imports }) => imports),
        ...loads.map(({ path }) => path),
      ]),
      ends: modules.flatMap((by) =>
        (by.reads?.writtenIn ?? []).map(([start, end]) => ({ start, end, by })),
      ),
    };
  }

  /** The files that each module writes, and gives to functions of others that do. */
  #listWritten(modules: readonly Module[]) {
    const byId = new Map(modules.map((module) => [module.id, module]));
    return modules.map((by) => {
      const { file, made, reads } = by;
      const writersOf = (url: string) =>
        (url === '' ? reads : byId.get(made?.ids.get(url) ?? '')?.reads)?.writers ?? [];
      const writers = ['', ...(made?.ids.keys() ?? [])].flatMap(writersOf);
      // Several agents have the same modules.
      const key = `${by.id} ${JSON.stringify(writers)}`;
      const given =
        file !== null && made !== null && writers.length > 0
          ? (this.#given.get(key) ?? findGiven(made.code, writersOf, this.#placeOf(file)))
          : NOTHING_WRITTEN;
      this.#given.set(key, given);
      const own = reads?.written ?? NOTHING_WRITTEN;
      return {
        by,
        files: [...own.files, ...given.files],
        again: [...own.again, ...given.again],
      };
    });
  }

  /**
   * The files that are read or started while the agent answers. What it imports at once is not read
   * again: Vite has compiled it. Databases are written to without a change of what they say.
   */
  #listReadLate(modules: readonly Module[], started: readonly string[]) {
    const byId = new Map(modules.map((module) => [module.id, module]));
    const late = new Set<string>();
    const add = (id: string) => {
      const module = byId.get(id);
      if (module === undefined || late.has(id)) return;
      late.add(id);
      for (const next of [...module.imports, ...module.loads]) add(next);
    };
    for (const { lazy, loads } of modules) for (const id of [...lazy, ...loads]) add(id);
    for (const id of started) add(id);
    const files = new Set([...late].flatMap((id) => byId.get(id)?.file ?? []));
    return [...files]
      .filter((file) => !DATABASE.test(file))
      .map((file) => seeFile(file, this.#toPath(file)));
  }

  /**
   * The agents that an eval file imports, with the ids of their modules, and the specs of those that
   * it names.
   */
  async findAgents(file: string) {
    const { code = '', ids } = (await this.#read(file)).made ?? {};
    const found = tryOrUndefined(() => findSuiteAgents(code)) ?? NO_AGENTS;
    const imported = [...found.imported].flatMap(([place, { url, name }]) => {
      const id = ids?.get(url);
      return id === undefined ? [] : [[place, { id, name }] as const];
    });
    const named = [...Map.groupBy(found.named, String)].flatMap(([text, { length }]) => {
      const spec = parseSuiteSpec(text, file);
      return spec === null ? [] : [{ spec, isReadElsewhere: code.split(text).length - 1 > length }];
    });
    return { found, imported, named };
  }

  /**
   * The modules that may change an agent of other modules before it answers: the eval file itself, or what
   * it imports. A module that has only functions and texts cannot be changed.
   */
  async findInfluences(file: string, found: FoundAgents, agent: readonly string[]) {
    const { ids } = (await this.#read(file)).made ?? {};
    if (found.isChanging) return [file];
    const own = new Set((await this.collect(agent, 'imports')).map(({ id }) => id));
    const others: string[] = [];
    for (const [url, id] of ids ?? []) {
      const isUsed = found.others.has(url);
      if (own.has(id) && !isUsed) continue;
      const modules = await this.collect([id], 'imports');
      const both = modules.flatMap(({ id, made }) => (own.has(id) && made !== null ? made : []));
      const rest = modules.flatMap(({ id, made }) => (own.has(id) || made === null ? [] : made));
      // What judges, and other agents, can change it only when they are imported.
      const isActive = both.some(hasState) && (isUsed || rest.some(hasStatements));
      const active = isUsed ? [...both, ...rest] : rest;
      if (!isActive && !active.some(codeChangesGlobals)) continue;
      if (found.changed.has(url)) return [file];
      if (!own.has(id)) others.push(id);
    }
    return others;
  }

  /** The modules of an agent with those that may change it; null without any. */
  async collectInfluenced(
    file: string,
    found: FoundAgents,
    agent: readonly string[],
    without: readonly string[] = [],
  ) {
    const more = await this.findInfluences(file, found, agent);
    if (more.length === 0) return null;
    const all = await this.collect([...agent, ...more], 'all', without);
    return all.map((each) => (each.id === file ? this.#withoutJudges(each) : each));
  }

  #withoutJudges(module: Module): Module {
    const { made } = module;
    if (made === null) return module;
    const code = withoutJudges(made.code.replace(ADDED_BY_VITE, ''));
    const content = hash('sha256', withoutPlaces(toPlainCode(code) ?? code, this.root));
    return { ...module, content };
  }

  /**
   * Lets what makes the questions of an eval file count for its agents too, where that uses a module or a
   * package which they use.
   */
  async countQuestions(file: string, { named }: FoundAgents, modules: readonly string[]) {
    const module = await this.#read(file);
    const { made, reads } = module;
    if (made === null || reads?.whole === undefined) return;
    const { code, used } = withoutQuestions(made.code);
    const rest = tryOrUndefined(() => findSuiteAgents(code)) ?? NO_AGENTS;
    const toIds = (urls: Iterable<string>) => [...urls].flatMap((url) => made.ids.get(url) ?? []);
    const paths = named.flatMap((text) => parseSuiteSpec(text, file)?.target ?? []);
    const agents = [
      ...toIds([...rest.ofAgents, ...rest.others]),
      ...[...paths, ...modules].filter(isFile),
    ];
    const own = new Set((await this.collect(agents, 'imports')).map(({ id }) => id));
    const shared = (await this.collect(toIds(used), 'imports')).filter(
      ({ id, package: of, made }) =>
        own.has(id) && (of !== null ? !HARNESS.test(of.name) : made !== null && hasState(made)),
    );
    if (shared.length === 0) return;
    const { whole } = reads;
    const notFollowed = placeAll(whole.notFollowed, made.code, made.map);
    const counted = { ...module, reads: whole, loads: whole.files, notFollowed };
    this.#modules.set(file, Promise.resolve(counted));
  }

  /** The module of a kind's factory where the configuration file imports it, else that file. */
  async findFactory(file: string, kind: string) {
    const { code = '', ids } = (await this.#read(file)).made ?? {};
    const found = findFactoryImport(code, kind);
    const id = ids?.get(found?.url ?? '');
    return found === null || id === undefined ? { id: file, as: '' } : { id, as: found.name };
  }

  get root(): string {
    return this.#project.vite.config.root;
  }

  #hashVariable(name: string): string {
    return hash('sha256', withoutKeys(name, this.variables[name] ?? ''));
  }

  #placeOf(file: string): Place {
    return { file, root: this.start, variables: this.variables, folders: this.#folders };
  }

  #nameOf({ id, file }: Pick<Module, 'id' | 'file'>): string {
    return file === null ? id.replaceAll('\0', '') : this.#toPath(file);
  }

  #toPath(file: string): string {
    return relative(this.root, file).replaceAll('\\', '/');
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
    if (file.includes('/node_modules/')) {
      const of = this.#findPackage(dirname(file));
      return { ...NOTHING, id, package: of && { ...of, entry: hashFile(file) } };
    }
    const isLocal = isFile(file);
    if (isLocal && SCRIPT.test(file)) return this.#readScript(id, file);
    if (isLocal && (this.#isData(id, file) || isLarge(file)))
      return { ...NOTHING, id, file, content: hashFile(file), loads: importsOf(file) };
    const made = await this.#compile(id, file);
    const { code, plain, content } = made?.printed ?? NOT_PRINTED;
    const place = this.#placeOf(file);
    const reads = made && (tryOrUndefined(() => findReads(code, plain ?? code, place)) ?? null);
    return {
      id,
      file: isLocal ? file : null,
      // The import of what Vite cannot compile says why.
      content: isLocal && made === null ? hashFile(file) : content,
      package: null,
      made,
      imports: [...(made?.ids.values() ?? [])],
      lazy: made?.lazy ?? [],
      loads: reads?.files ?? (isLocal ? importsOf(file) : []),
      reads,
      notFollowed: made && reads ? placeAll(reads.notFollowed, code, made.map) : [],
    };
  }

  /** What Vite was not asked to import is code only by its name: YAML may be JavaScript too. */
  #isData(id: string, file: string): boolean {
    const isImported = this.#environment.moduleGraph.getModuleById(id) !== undefined;
    return DATA.test(file) || !(isImported || CODE.test(file));
  }

  #readScript(id: string, file: string): Module {
    const source = tryOrUndefined(() => readRegular(file).toString('utf8')) ?? '';
    const { variables, notFollowed } = readScript(source, this.variables);
    return {
      ...NOTHING,
      ...{ id, file, content: hashFile(file), loads: importsOf(file) },
      reads: { variables, notFollowed, ...NO_FILES },
      notFollowed: file.endsWith('.py') ? placeAll(notFollowed, source, null) : [],
    };
  }

  /** Null for a file that Vite cannot compile: its import in the worker says why. */
  async #compile(id: string, file: string) {
    const { moduleGraph } = this.#environment;
    const earlier = moduleGraph.getModuleById(id);
    const stamp = stampOf(file);
    if (earlier !== undefined && (compiled.get(earlier) ?? stamp) !== stamp)
      moduleGraph.invalidateModule(earlier);
    try {
      const result = await this.#environment.transformRequest(earlier?.url ?? id);
      const node = moduleGraph.getModuleById(id) ?? (await moduleGraph.getModuleByUrl(id));
      if (result === null) return null;
      if (node !== undefined) compiled.set(node, stamp);
      const { code, map, dynamicDeps = [] } = result;
      const all = [...(node?.importedModules ?? [])];
      const ids = all.flatMap(({ url, id }) => (id === null ? [] : [[url, id] as const]));
      const lazy = ids.flatMap(([url, id]) => (dynamicDeps.includes(url) ? id : []));
      return { code, map, printed: printOnce(result, this.root), ids: new Map(ids), lazy };
    } catch {
      return null;
    }
  }

  /** The package of a folder below node_modules. */
  #findPackage(folder: string): PackageName | null {
    const earlier = this.#packages.get(folder);
    if (earlier !== undefined || folder === dirname(folder)) return earlier ?? null;
    const manifest: unknown = tryOrUndefined(() =>
      JSON.parse(readRegular(join(folder, 'package.json')).toString('utf8')),
    );
    const { name, version } = isFields(manifest) ? manifest : {};
    const isWhole = typeof name === 'string' && typeof version === 'string';
    const found = isWhole ? { name, version } : this.#findPackage(dirname(folder));
    this.#packages.set(folder, found);
    return found;
  }
}
