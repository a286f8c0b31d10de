import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { isFile, readRegular } from '../data/files/read-file.ts';
import { quote, tryOrUndefined } from '../words/show.ts';
import { isKnown, ProjectFiles, withoutWildcards } from './project-files.ts';

/** What the code of an agent depends on. */
export type AgentSource = Readonly<{
  /** Of the agent's place and all parts. */
  hash: string;
  /** A hash of each part, by the path of a file, "package zod" or "variable MODEL". */
  parts: Readonly<Record<string, string>>;
  /** The files that may be read or started while it answers. */
  read: readonly SeenFile[];
  /** What it reads that cannot be followed, as in "src/agent.ts:31 import(name)". */
  notFollowed: readonly string[];
  /** The names that it gives to `recordTools`; absent where these are not known. */
  recordings?: readonly string[] | undefined;
}>;

/** A file as it was when it was hashed. Its stamp is size, times and inode. */
export type SeenFile = Readonly<{ name: string; path: string; stamp: string; hash: string }>;

/**
 * The contents of files and of the local files that they import. Names are relative to `base`, so the
 * hash is the same on every machine. Without Vite, only the text of files shows what they import.
 */
export function readFiles(files: readonly string[], base: string): AgentSource {
  const show = (file: string) => relative(base, file).replaceAll('\\', '/');
  const read = withImports(files).map((path) => seeFile(path, show(path)));
  const parts = read.map(({ name, hash }) => [name, hash] as const);
  return toSource(files.map(show), { parts: Object.fromEntries(parts), read, notFollowed: [] });
}

/** `place` tells apart agents that have the same parts. */
export function toSource(place: readonly string[], source: Omit<AgentSource, 'hash'>): AgentSource {
  const parts = Object.entries(source.parts).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { ...source, hash: hash('sha256', JSON.stringify([place, parts])) };
}

export function seeFile(path: string, name: string): SeenFile {
  // Before the content: an edit in between is noticed later.
  const stamp = stampOf(path);
  return { name, path, stamp, hash: hashFile(path) };
}

/** Changes with whatever changes a file, and costs two microseconds; '' for what is no file. */
export function stampOf(path: string): string {
  const stats = tryOrUndefined(() => statSync(path, { throwIfNoEntry: false }));
  return stats === undefined ? '' : [stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino].join();
}

/** Looks at files again: returns the name of one whose content has changed, or null. */
export function lookAgain(files: readonly SeenFile[]): () => string | null {
  const stamps = new Map(files.map(({ path, stamp }) => [path, stamp]));
  const isChanged = ({ path, hash }: SeenFile) => {
    const stamp = stampOf(path);
    if (stamp === stamps.get(path)) return false;
    if (hashFile(path) !== hash) return true;
    stamps.set(path, stamp);
    return false;
  };
  return () => files.find(isChanged)?.name ?? null;
}

/** The files and all local files that they import, at any depth. */
export function withImports(files: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const pending = [...files];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    pending.push(...importsOf(file));
  }
  return [...found];
}

/**
 * The local files that a script imports: static and dynamic imports, require() and `new URL(...,
 * import.meta.url)` with a literal path. The text is searched, not parsed. A path in a comment
 * counts too; at worst questions are then asked again. Computed paths, `#aliases`, packages and
 * `import type` are not followed.
 */
export function findLocalImports(file: string, source: string): readonly string[] {
  return [...source.replace(TYPE_IMPORT, '').matchAll(IMPORT)].flatMap(({ groups }) => {
    const path = resolve(dirname(file), groups?.['path'] ?? '');
    // Bundlers add a query: "./prompt.md?raw".
    const bare = path.replace(/[?#].*$/s, '');
    return [path, bare, ...guesses(bare)].find(isFile) ?? [];
  });
}

/** The absolute paths of the files that a command line names. Relative ones start at `root`. */
export function findNamedFiles(line: string, root: string): readonly string[] {
  return [...new Set(locateFiles(line, root).map(({ file }) => file))];
}

/**
 * Makes relative paths of files below `root` absolute, since the command runs in its own folder. A
 * word without "." and "/" is not a path.
 */
export function anchorNamedFiles(line: string, root: string): string {
  return locateFiles(line, root).reduceRight((anchored, { path, file, start, end }) => {
    if (path.startsWith('/') || !/[./]/.test(path)) return anchored;
    const quoted = file.replaceAll("'", "'\\''");
    return `${anchored.slice(0, start)}'${quoted}'${anchored.slice(end)}`;
  }, line);
}

/** Says that a file which an agent's spec names does not exist; null if it does. */
export function describeMissingFile(path: string, root: string): string | null {
  return path !== '' && isFile(resolve(root, path))
    ? null
    : `no such file, got ${quote(path)}. Write its path relative to the working directory.`;
}

/** Says that a command line begins with no command; null if it may run. */
export function describeMissingCommand(line: string, root: string): string | null {
  // With quotes, variables or assignments, only a call can tell.
  const [, word] = /^\s*([\w./+-]+)(?=\s|$)/.exec(line) ?? [];
  if (word === undefined) return null;
  const { status } = spawnSync('/bin/sh', ['-c', 'command -v -- "$1"', 'sh', word], {
    cwd: root,
    stdio: 'ignore',
  });
  return status === 0
    ? null
    : `command not found: ${word}. Correct the command or install it, then run again.`;
}

/**
 * Of larger files (such as a model's weights) only size and time are hashed: reading them would
 * delay every start.
 */
const MAX_READ_BYTES = 64 * 1024 * 1024;

export function hashFile(file: string): string {
  const read = () => {
    const { size, mtimeMs } = statSync(file);
    return size > MAX_READ_BYTES
      ? `${size} bytes of ${mtimeMs}`
      : hash('sha256', readRegular(file));
  };
  return tryOrUndefined(read) ?? 'unreadable';
}

/** The local files that a script imports, starts or names, in JavaScript, TypeScript, Python or a shell. */
export function importsOf(file: string): readonly string[] {
  const read = () => (statSync(file).size > MAX_SCRIPT_BYTES ? '' : readRegular(file).toString());
  const isNamed = /\.\w+$/.test(file);
  const known = READERS.find(({ named }) => named.test(file));
  if (isNamed && known === undefined) return [];
  const source = tryOrUndefined(read) ?? '';
  const [, first = ''] = /^#!([^\n]{1,200})/.exec(source) ?? [];
  const reader = known ?? READERS.find(({ started }) => started.test(first));
  return reader?.find(file, source) ?? [];
}

const MAX_SCRIPT_BYTES = 16 * 1024 * 1024;

/** How the files are found that a script needs, by its name or by its first line. */
const READERS: readonly Readonly<{
  named: RegExp;
  started: RegExp;
  find(file: string, source: string): readonly string[];
}>[] = [
  { named: /\.[cm]?[jt]sx?$/, started: /\b(?:node|tsx|bun|deno)\b/, find: findLocalImports },
  {
    named: /\.py$/,
    started: /\bpython/,
    find: (file, source) => [...findPythonImports(file, source), ...findTexts(file, source)],
  },
  { named: /\.(?:ba|z|fi)?sh$/, started: /sh\b/, find: findShellFiles },
  { named: /\.(?:rb|pl|php|lua|r|jl)$/i, started: /\b(?:ruby|perl|php)/, find: findTexts },
  {
    named:
      /\.(?:ejs|njk|nunjucks|hbs|handlebars|mustache|liquid|eta|pug|j2|jinja2?|twig|html?|md|txt)$/,
    started: /^$/,
    find: (file, source) => findNear(file, source.matchAll(INCLUDED)),
  },
  {
    // What a project's own settings name is no part of an agent.
    named: /(?<!\/(?:package|package-lock|tsconfig[\w.]{0,20}))\.(?:json|ya?ml|toml)$/,
    started: /^$/,
    find: (file, source) =>
      source.length > MOST_SETTINGS ? [] : findNear(file, source.matchAll(SETTING)),
  },
];

/** A larger file has data. */
const MOST_SETTINGS = 100_000;

/** `{% include "a.md" %}`, `<%- include('a') %>`, `{{> a}}`, "include a" of Pug */
const INCLUDED =
  /(?:\{\{|\{%|<%|\b(?:includes?|extends|import|embed|render|partial|layout)\b)[^"'\n]{0,80}["']([^"'\n]{1,200})["']|\{\{[#~]{0,2}>[ \t]{0,9}([\w./-]{1,200})|^[ \t]{0,40}(?:include|extends)[ \t]{1,9}([\w./-]{1,200})/gm;

/** `prompt: prompts/a.md`, `"prompt": "file://a.md"` */
const SETTING = /(?<![\w@./-])(?:file:\/\/)?([\w@./-]{1,200}\.\w{1,9})(?![\w./-])/g;

/** The files that a template or a setting names, from its folder, one around it, or the root. */
function findNear(file: string, found: Iterable<RegExpMatchArray>): readonly string[] {
  const own = dirname(file);
  const folders = [own, resolve(own, '..'), resolve(own, '../..'), process.cwd()];
  const [ending = ''] = /\.\w+$/.exec(file) ?? [];
  const names = [...found].map(([, ...texts]) => texts.find((text) => text !== undefined) ?? '');
  return [...new Set(names)].flatMap((name) => {
    const paths = folders.flatMap((folder) => [
      resolve(folder, name),
      resolve(folder, name + ending),
    ]);
    return paths.find((path) => path !== file && isRead(path)) ?? [];
  });
}

/** Modules beside a script or in a folder above it: "import helper", "from .tools import add". */
function findPythonImports(file: string, source: string): readonly string[] {
  const from = [...source.matchAll(PYTHON_FROM)].flatMap(({ 1: module = '', 2: list = '' }) => [
    module,
    ...namesIn(list).map((name) => (module.endsWith('.') ? module + name : `${module}.${name}`)),
  ]);
  const plain = [...source.matchAll(PYTHON_IMPORT)].flatMap(({ 1: list = '' }) => namesIn(list));
  const late = [...source.matchAll(PYTHON_LATE)].map(({ 2: name = '' }) => name);
  return [...from, ...plain, ...late].flatMap((name) => {
    const [, dots = '', module = ''] = /^(\.*)(.*)$/.exec(name) ?? [];
    const near = resolve(dirname(file), ...dots.slice(1).replaceAll('.', '../').split('/'));
    const folders = dots === '' ? [near, dirname(near), process.cwd()] : [near];
    const steps = module.split('.');
    // A package runs its own `__init__.py`, and those of the packages that it is in.
    const paths = steps.flatMap((_, index) => {
      const path = steps.slice(0, index + 1).join('/');
      return [`${path}.py`, `${path}/__init__.py`];
    });
    const here = folders.find((folder) => paths.some((path) => isFile(resolve(folder, path))));
    return here === undefined ? [] : paths.map((path) => resolve(here, path)).filter(isFile);
  });
}

/** The files of `python3 -m app.main`, started in a folder. */
export function findStartedModules(line: string, folder: string): readonly string[] {
  return [...line.matchAll(PYTHON_STARTED)].flatMap(({ 1: name = '' }) =>
    findPythonImports(resolve(folder, 'main.py'), `import ${name}\nimport ${name}.__main__`),
  );
}

const PYTHON_STARTED =
  /\bpython[\d.]{0,5}(?:[ \t]{1,9}-[a-zA-LN-Z]\S{0,40}){0,9}[ \t]{1,9}-m[ \t]{1,9}([\w.]{1,200})/g;

const PYTHON_FROM =
  /^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^()]{0,4000}\)|[^\n]{1,1000})/gm;
const PYTHON_IMPORT = /^[ \t]*import[ \t]+([^\n]{1,1000})/gm;

const PYTHON_LATE = /\b(?:import_module|__import__)\(\s{0,9}(["'])([.\w]{1,200})\1/g;

/** "a, b.c as d" */
function namesIn(list: string): readonly string[] {
  return list.split(',').flatMap((each) => /[\w.]+/.exec(each)?.[0] ?? []);
}

/**
 * The files that the texts in quotes of a script name, from its folder or where the process runs, and those
 * in folders and patterns that it names: "prompts", f"prompts/{name}.md", "prompts/*.md".
 */
function findTexts(file: string, source: string): readonly string[] {
  const written = new Set(findWrittenTexts(source).map(({ text }) => text));
  const textsIn = (code: string) => [...code.matchAll(TEXT)].map(([, , text = '']) => text);
  const joined = [...source.matchAll(JOINED)].map(([parts]) => textsIn(parts).join('/'));
  const files = new ProjectFiles(process.cwd(), file);
  const find = (text: string) =>
    !/[./]/.test(text) || written.has(text)
      ? []
      : ([dirname(file), process.cwd()].map((folder) => resolve(folder, text)).find(isRead) ?? []);
  const named = [...textsIn(source), ...joined].flatMap(find);
  // The folders of a path whose file is known are not read as a whole.
  const isWhole = (parts: string) => [find(textsIn(parts).join('/'))].flat().length > 0;
  const reading = source
    .replaceAll(WRITING_LINE, '')
    .replaceAll(JOINED, (parts) => (isWhole(parts) ? '' : parts));
  const paths = [...textsIn(reading), ...joined].filter(
    (text) => text.includes('/') && /\w/.test(text),
  );
  const words = [...reading.matchAll(USED_AS_FOLDER)].map(([, , word = '']) => word);
  const folders = [...paths, ...words].flatMap((text) =>
    text.startsWith('/') || written.has(text) ? [] : listNamed(text, files),
  );
  return [...named, ...folders.filter(isRead)];
}

function listNamed(text: string, files: ProjectFiles): readonly string[] {
  const pattern = withoutWildcards(text);
  // A name in braces is computed: f"prompts/{name}.md".
  const reach = text.includes('{') ? 'any' : text.includes('**') ? 'below' : 'files';
  if (!isKnown(pattern)) return files.match(pattern, reach) ?? [];
  return files.isFolder(text) ? (files.list(text, 'below') ?? []) : [];
}

/** `HERE / "prompts"`, `os.listdir("prompts")`: elsewhere a word is no folder. */
const USED_AS_FOLDER =
  /(?:\/[ \t]{0,9}|\b(?:Path|join|listdir|walk|scandir|i?glob)\((?:[^\n"']{0,80},)?[ \t]{0,9})(["'])([\w@-][\w@.-]{0,100})\1/g;

/** A line that makes a folder or writes a file names no folder that is read. */
const WRITING_LINE = /^.*(?:mkdir|makedirs|,[ \t]*["'][wax]b?\+?["']|\.write_).*$/gm;

/** `open(MEMORY, "w")`, `MEMORY.write_text(...)` */
const WRITTEN_BY_NAME =
  /\bopen\([ \t]{0,9}(\w{1,60})[ \t]{0,9},[ \t]{0,9}["'][wax]|\b(\w{1,60})\.write_/g;

/** The texts by which a script writes files, and whether it names these in other places too. */
export function findWrittenTexts(source: string) {
  const isAgain = (pattern: RegExp, most: number) => [...source.matchAll(pattern)].length > most;
  const texts = [...source.matchAll(WRITTEN)].map(({ 2: text = '', index }) => ({
    ...{ text, index },
    isAgain: isAgain(new RegExp(`["']${toPattern(text)}["']`, 'g'), 1),
  }));
  const named = [...source.matchAll(WRITTEN_BY_NAME)].flatMap(({ 1: one, 2: other, index }) =>
    findLastText(source, [one, other]).map((text) => ({
      ...{ text, index },
      isAgain: isAgain(new RegExp(`\\b${one ?? other}\\b`, 'g'), 2),
    })),
  );
  return [...texts, ...named];
}

function toPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The last text of the line that gives a variable its value: `join(HERE, "memory.json")`. */
function findLastText(source: string, names: readonly (string | undefined)[]): readonly string[] {
  return names.flatMap((name) => {
    if (name === undefined) return [];
    const [, value = ''] = new RegExp(`^[ \\t]*${name}[ \\t]*=(.*)$`, 'm').exec(source) ?? [];
    return [...value.matchAll(TEXT)].at(-1)?.[2] ?? [];
  });
}

const TEXT = /(["'])((?:(?!\1)[^\\\n]){1,300})\1/g;

/** `"prompts" / "a.md"`, `join("prompts", "a.md")` */
const JOINED = /(?:(["'])[^"'\n]{1,100}\1\s{0,9}[,/]\s{0,9}){1,9}(["'])[^"'\n]{1,100}\2/g;

/** `open("log.txt", "w")`, `Path("log.txt").write_text(...)` */
const WRITTEN = /(["'])([^"'\n]{1,300})\1(?:,[ \t]*["'][wax]|\)[ \t]*\.write_)/g;

/** The files that the words of a shell script name: those that it starts, reads or sources. */
function findShellFiles(file: string, source: string): readonly string[] {
  const folders = [dirname(file), process.cwd()];
  // As a rule "$(dirname "$0")/tool.py" and "$DIR"/tool.py are beside the script.
  const plain = source.replaceAll(QUOTED_FOLDER, './').replaceAll(FOLDER, './');
  const files = new ProjectFiles(process.cwd(), file);
  const matched = [...plain.matchAll(PATTERN)].flatMap(([, text = '']) => listNamed(text, files));
  const named = folders.flatMap((folder) => [
    ...findNamedFiles(plain, folder),
    ...findStartedModules(plain, folder),
  ]);
  return [...named, ...matched].filter(isRead);
}

/** `prompts/*.md`, also behind a word in quotes */
const PATTERN = /(?<![^\s"';&|()=])([\w@./-]{1,200}\/[\w@.-]{0,100}[*?][\w@.*?-]{0,100})/g;

const FOLDER = /\$(?:\(dirname[^()]{0,40}\)|\{?\w{1,40}\}?)\//g;
const QUOTED_FOLDER = /"\$(?:\(dirname[^()]{0,40}\)|\{?\w{1,40}\}?)"\//g;

/** What a run writes itself would ask everything again. */
export function isWrittenByRuns(path: string): boolean {
  return /\.(?:log|lock|pid|tmp)$/.test(path);
}

function isRead(path: string): boolean {
  return isFile(path) && !isWrittenByRuns(path);
}

/** The start of `import type { A } from './a.ts'` or `export type * from './a.ts'`. */
const TYPE_IMPORT =
  /\b(?:import|export)\s+type\s+(?:\{[^{}'"]*\}|\*(?:\s+as\s+\w+)?|\w+)\s*from\b/g;

const IMPORT =
  /(?:\bfrom|\bimport|\b(?:import|require|URL)\s{0,20}\()\s{0,20}(?<quote>['"`])(?<path>(?:\.{1,2}\/|\/)[^'"`\n]{1,4096})\k<quote>/g;

/**
 * The files that bundlers and require() try for a path without an extension, or with the compiled
 * file's extension.
 */
function guesses(path: string): readonly string[] {
  const extensions = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx', '.json'];
  const source = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  return [
    source,
    ...extensions.flatMap((extension) => [path + extension, resolve(path, `index${extension}`)]),
  ];
}

/** The files that words of a command line name, and the places of these words. */
function locateFiles(line: string, root: string) {
  return [...line.matchAll(WORD)].flatMap(({ 0: word, index: start, groups = {} }) => {
    const path = groups['single'] ?? groups['double'] ?? groups['bare'] ?? '';
    const file = resolve(root, path);
    return path !== '' && isFile(file) ? [{ path, file, start, end: start + word.length }] : [];
  });
}

/**
 * A word of a POSIX command line, or the part after its "=". What else matches names no file: a
 * comment, a file that is written to, and text that only the shell can expand.
 */
const WORD =
  /(?<![^\s;&|()])#[^\n]*|>[>|&]*\s*\S+|(?<![^\s;&|()<=])(?:'(?<single>[^']*)'|"(?<double>[^"$`\\]*)"|(?<bare>[^\s;&|()<>'"\\$`*?[\]{}~!=]+))(?![^\s;&|()<>])|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/g;
