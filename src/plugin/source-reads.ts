import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { parseAst } from 'vitest/node';
import {
  endOf,
  isKnown,
  ProjectFiles,
  startOf,
  withoutWildcards,
} from '../agents/project-files.ts';
import { findWrittenTexts, isWrittenByRuns } from '../agents/source-files.ts';
import { readSecrets } from '../words/read-secrets.ts';
import { cut, tryOrUndefined } from '../words/show.ts';
import {
  isOfPackage,
  isOfSystem,
  isOwn,
  type Meaning,
  ModuleScope,
  nameOfPackage,
  type Place,
  readImports,
} from './module-scope.ts';
import type { Found } from './original-place.ts';
import { withoutQuestions } from './question-parts.ts';
import { isNode, isUse, listIn, type Node, nameOf, walk, within } from './syntax-tree.ts';
import { goesOn, isOfInterest, type Use, useOf } from './system-functions.ts';
import {
  findWriter,
  listNamedAgain,
  NOTHING_WRITTEN,
  type Writer,
  type WrittenFiles,
} from './written-files.ts';

/** The beginning and the end of a name whose middle only a run knows. */
type Ends = readonly [start: string, end: string];

/** What a module reads beyond the imports that Vite follows. */
export type SourceReads = Readonly<{
  /** Names of environment variables. */
  variables: readonly string[];
  /** Absolute paths of the files that it names, and of those in folders that it reads. */
  files: readonly string[];
  /** Those of them that it does not name, but reads with their folder. */
  listed: readonly string[];
  /** Others, which make the questions of an eval file and are part of their hashes. */
  inQuestions: readonly string[];
  /** All that an eval file reads, also to make its questions. */
  whole?: SourceReads;
  /** Absolute paths of files that it writes. */
  written: WrittenFiles;
  /** How the absolute paths begin and end of files that it writes by a computed name. */
  writtenIn: readonly Ends[];
  /** Its functions and classes that write to a path which they are given. */
  writers: readonly Writer[];
  /** Specs of `module:` and `command:`, such as judges. */
  specs: readonly string[];
  /** What only a run knows: where it stands in the code, and the code there. */
  notFollowed: readonly Found[];
}>;

/**
 * Reads the code that Vite makes of a module for Node. Its words are compared with the names of the
 * environment, and its texts with the paths of files, so it does not matter how the code reads
 * them. A word or a text too many only asks again where nothing has changed. What it puts together
 * when it runs is read from its tree. `plain` is the code without comments, where it is known.
 */
export function findReads(code: string, plain: string, place: Place): SourceReads {
  const all = readCode(code, plain, place);
  if (!/\.eval\.[cm]?[jt]s$/.test(place.file)) return all;
  const rest = readCode(withoutQuestions(code).code, withoutQuestions(plain).code, place);
  const others = new Set([...rest.files, ...all.written.files]);
  return { ...rest, inQuestions: all.files.filter((path) => !others.has(path)), whole: all };
}

function readCode(code: string, plain: string, place: Place): SourceReads {
  const { file, variables } = place;
  const text = withoutSnapshots(plain.replaceAll(COMMENT, ''));
  const words = new Set([
    ...(text.match(/[A-Za-z_]\w+/g) ?? []),
    ...[...text.matchAll(OF_ENVIRONMENT)].map(([, name]) => name),
  ]);
  const texts = textsOf(text);
  const reader = new Reader(code, place);
  if (/glob/i.test(text)) reader.readPatterns(texts.filter((each) => PATTERN.test(each)));
  // A tree takes as long as Vite's own work, and few modules need one.
  const isWorth = WORTH_A_TREE.test(code) || reader.namesFolder(foldersIn(code, text) ?? texts);
  const tree: unknown = isWorth ? tryOrUndefined(() => parseAst(code)) : undefined;
  if (tree !== undefined) reader.read(tree);
  const { found } = reader;
  const isNamed = (name: string) =>
    words.has(name) ||
    found.variables.some(
      ([start, end]) => name.startsWith(start) && name.endsWith(end) && !OF_JOB.test(name),
    );
  const files = [...reader.locate([...texts, ...joinsIn(text)]), ...findRequired(text, file)];
  const named = new Set([...files, ...found.named]);
  const databases = WRITES_ROWS.test(text) ? files.filter((path) => DATABASE.test(path)) : [];
  return {
    variables: Object.keys(variables).filter(
      (name) => isNamed(name) && isPartOfKey(name, variables[name]),
    ),
    files: [...named, ...found.listed].filter(
      (path, index, all) =>
        path !== file &&
        !isWrittenByRuns(path) &&
        !databases.includes(path) &&
        all.indexOf(path) === index,
    ),
    listed: found.listed.filter((path) => !named.has(path)),
    inQuestions: [],
    written: reader.written,
    writtenIn: found.writtenIn,
    writers: found.writers,
    specs: texts.filter((name) => /^(?:module|command):/.test(name)),
    notFollowed: [...found.notFollowed, ...databases.map((path) => locateIn(code, path))],
  };
}

/** All texts of code that imports a package, which may get a folder; null for other code. */
function foldersIn(code: string, text: string): readonly string[] | null {
  const urls = [...readImports(code).values()];
  return urls.some((url) => isOfPackage(nameOfPackage(url))) ? text.split(/["'`\n]/) : null;
}

/** `env.A`, `env['a.b']`, `inject('a')`: elsewhere a letter is no name of a variable. */
const OF_ENVIRONMENT = /\b(?:env(?:\??\.|\[["'`])|inject\)?\(["'`])([^\s"'`.,;()[\]{}]{1,100})/g;

/** "prompts/*.md" */
const PATTERN = /^[\w@.-][\w@./-]*\/[\w@./-]*\*[\w@./*-]*$/;

/** A database that the code writes, and the place of its name. */
function locateIn(code: string, path: string): Found {
  const name = basename(path);
  return { at: Math.max(0, code.indexOf(name)), what: `${name}, which it writes` };
}

export const DATABASE = /\.(?:db|sqlite3?)$/;
const WRITES_ROWS =
  /\b(?:insert\s+(?:or\s+\w+\s+)?into|update\s+[\w"]+\s+set|delete\s+from|replace\s+into|(?:create|drop|alter)\s+(?:virtual\s+)?table)\b|\.(?:insert|upsert)\(/i;

export const ADDED_BY_VITE = /^__vite_ssr_import_meta__\.env = \{.*\};$/m;

/** What a script of another language reads, whose files are found by its text. */
export function readScript(
  source: string,
  variables: Place['variables'],
): Pick<SourceReads, 'variables' | 'notFollowed'> {
  const text = source.replaceAll(SCRIPT_COMMENT, (comment) => ' '.repeat(comment.length));
  const words = new Set(text.match(/[A-Za-z_]\w+/g));
  return {
    variables: [...words].filter((name) => isPartOfKey(name, variables[name])),
    notFollowed: [
      ...[...text.matchAll(UNKNOWN_IN_PYTHON)].map(({ 0: what, index: at }) => ({ at, what })),
      ...findWrittenTexts(text).flatMap(({ text: what, index: at, isAgain }) =>
        isAgain && !isWrittenByRuns(what) ? [{ at, what: `${what}, which it writes` }] : [],
      ),
    ],
  };
}

const SCRIPT_COMMENT = /^[ \t]*#.*$/gm;

/**
 * `open(path)`, `open(os.path.join(folder, name))`, `Path(name).read_text()`, `import_module(name)`,
 * `os.environ[name]`, `subprocess.run(line)`
 */
const UNKNOWN_IN_PYTHON =
  /\b(?:import_module|__import__)\(\s*f["'][^"'\n]{0,60}\{[^"'\n]{0,60}["']\)?|\b(?:open|import_module|__import__|run_path|Path|getenv|environ\.get|os\.system|Popen|subprocess\.\w+)\(\s*[a-z_](?!["'])[^\n()"']{0,60}(?:\([^()\n"']{0,60}\)[^()\n"']{0,60})?(?=[,)])\)?|\benviron\[\s*[a-z_](?!["'])[^\n\]"']{0,60}\]/g;

const COMMENT = /^\s{0,99}(?:\/\/|\*|\/\*).*$/gm;

/**
 * Without the paths that a score compares with, which are no part of an agent: those in the call, and
 * those of a variable that is used in such calls alone.
 */
function withoutSnapshots(code: string): string {
  const counts = new Map<string, number>();
  for (const [, name = ''] of code.matchAll(SNAPSHOT_IN))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  const rest = [...counts].reduce((text, [name, calls]) => {
    const declared = new RegExp(`\\b(?:const|let|var)\\s+${name}\\s*=[^;,()\\n]{1,300}`, 'g');
    const without = text.replaceAll(declared, '');
    const uses = without.match(new RegExp(`\\b${name}\\b`, 'g'))?.length;
    return uses === calls ? without : text;
  }, code);
  return rest.replaceAll(SNAPSHOT, '');
}

const SNAPSHOT = /\btoMatchFileSnapshot\((?:\s*(["'`])(?:(?!\1)[^\\\n]){1,300}\1|[^()]{1,300}\))/g;

const SNAPSHOT_IN = /\btoMatchFileSnapshot\(\s*([A-Za-z_]\w{0,60})\s*[,)]/g;

const JOIN = /\b(?:join|resolve)\)?\(([^()\n]{1,300}(?:\(\)[^()\n]{0,300})?)\)/g;

/**
 * What stands between quotes in some code and may be a path or a spec, whole and by its words. What is
 * between a text and the next one counts too: a quote in a pattern hides nothing.
 */
function textsOf(code: string): readonly string[] {
  const texts = code.split(/["'`\n]/).filter((text) => text.length <= 300 && /[./:]/.test(text));
  return [...texts, ...texts.flatMap((text) => (text.includes(' ') ? text.split(' ') : []))];
}

/** `join('prompts', 'a.md')` */
function joinsIn(code: string): readonly string[] {
  return [...code.matchAll(JOIN)].map(([, parts = '']) =>
    [...parts.matchAll(/(["'`])([^"'`\n]*)\1/g)].map(([, , text]) => text).join('/'),
  );
}

/** The modules of `require('./a')`, which Vite does not follow. */
function findRequired(code: string, file: string): readonly string[] {
  if (!/\brequire\b|createRequire/.test(code)) return [];
  const { resolve: find } = createRequire(file);
  return textsOf(code)
    .flatMap((text) => (/^[\w@./#-]+$/.test(text) ? (tryOrUndefined(() => find(text)) ?? []) : []))
    .filter((path) => path.startsWith('/') || /^[A-Z]:/i.test(path));
}

/** Another machine or user asks nothing again, and neither does a new key. */
const OF_MACHINE =
  /^(?:EVAL_|npm_|PNPM_|VITEST)|^(?:PATH|HOME|PWD|OLDPWD|HOSTNAME|USER|LOGNAME|SHELL|SHLVL|TERM|TMPDIR|TEMP|TMP|CI|GITHUB_ACTIONS|GITLAB_CI|BUILDKITE|CIRCLECI|NODE_OPTIONS)$/;

/** Nor does another job, unless the code has the whole name. */
const OF_JOB = /^(?:CI|GITHUB|GITLAB|RUNNER|BUILDKITE|CIRCLE)_/;

export function isPartOfKey(name: string, value: string | undefined): boolean {
  return value !== undefined && !OF_MACHINE.test(name) && withoutKeys(name, value) !== '';
}

/** The value of a variable without keys and passwords in it: the rest of an address counts. */
export function withoutKeys(name: string, value: string): string {
  return readSecrets({ [name]: value }).reduce((rest, key) => rest.replaceAll(key, ''), value);
}

/** Any word that `Reader` knows. */
const WORTH_A_TREE =
  /_dynamic_import__\(|\bimport\(|\b(?:require|createRequire|getBuiltinModule)\b|\benv\b(?!\??\.[A-Za-z_])|import_meta__\.(?:dirname|filename|url)\b|\b__(?:dir|file)name\b|"(?:node:)?(?:fs|fs\/promises|child_process|worker_threads|path|path\/posix)"|\b(?:readFile|readdir|read(?:JSON|Json|Text)|create(?:Read|Write)Stream|chdir|cwd|attachments?|workdir|open(?:dir|AsBlob)|glob\w*|(?:write|append|copy|output)File|write(?:JSON|Json)|spawn|exec(?:File|a\w*)|fork|(?:read|load|from|import)\w*(?:File|Json|JSON|Yaml|Toml))(?:Sync)?\b|\b(?:Worker|Database(?:Sync)?|sqlite3|Bun|Deno)\b|\$\)?`/;

/** What is between two texts, and no path. */
const IS_CODE = /[;{}<>=|&,]|^[)(:+?\]]|[([:+?]$/;

/** The question's own files are part of its key, by the fields that agents get. */
const OF_QUESTION = /^(?:attachments?|workdir)$/;

const NO_PARENT = { type: '', start: 0, end: 0 };

/** What else their files do not say: images, recipes and scripts of packages. */
const STARTS_OTHERS =
  /^(?:docker|docker-compose|podman|kubectl|ssh|make|just|npm|npx|pnpm|yarn|bun)$/;

/**
 * Follows what the code of a module puts together of texts: a path, an import, the name of a variable.
 * Where a folder is known and a name in it is not, all its files are read.
 */
class Reader {
  readonly found = {
    named: [] as string[],
    listed: [] as string[],
    writtenIn: [] as Ends[],
    writers: [] as Writer[],
    /** How the names of environment variables begin and end. */
    variables: [] as Ends[],
    notFollowed: [] as Found[],
  };
  written = NOTHING_WRITTEN;
  readonly #writes = { files: [] as string[], places: [] as Node[] };
  readonly #code: string;
  readonly #place: Place;
  readonly #files: ProjectFiles;
  #scope: ModuleScope;

  constructor(code: string, place: Place) {
    this.#code = code;
    this.#place = place;
    this.#files = new ProjectFiles(place.root, place.file, place.folders);
    this.#scope = new ModuleScope(code, null, place);
  }

  read(tree: unknown): void {
    this.#scope = new ModuleScope(this.#code, tree, this.#place);
    walk(tree, (node, parents) => this.#look(node, parents));
    const { files } = this.#writes;
    const again = listNamedAgain(tree, this.#scope, this.#files, this.#writes);
    this.written = { files, again };
  }

  /** Patterns such as "prompts/*.md", whichever package they are given to. */
  readPatterns(patterns: readonly string[]): void {
    for (const pattern of patterns)
      this.found.listed.push(...(this.#files.match(withoutWildcards(pattern), 'below') ?? []));
  }

  /** The files among some texts. */
  locate(texts: readonly string[]): readonly string[] {
    const paths = new Set(texts.filter((text) => /[./]/.test(text) && !IS_CODE.test(text)));
    return [...paths].flatMap((path) => this.#files.find(path));
  }

  namesFolder(texts: readonly string[]): boolean {
    return texts.some((text) => /^[\w@./-]+$/.test(text) && this.#files.isFolder(text));
  }

  #look(node: Node, parents: readonly Node[]): void {
    if (node.type === 'ImportExpression') this.#lookAtImport(node, node['source']);
    else if (node.type === 'TaggedTemplateExpression')
      this.#lookAtCall(node, node['tag'], [node['quasi']], parents);
    else if (node.type === 'CallExpression' || node.type === 'NewExpression')
      this.#lookAtCall(node, node['callee'], listIn(node, 'arguments'), parents);
    else if (node.type === 'TemplateLiteral' || node.type === 'BinaryExpression')
      this.#lookAtPath(node);
    else if (node.type === 'MemberExpression') this.#lookAtField(node, parents);
    else if (node.type === 'Identifier' || node.type === 'ObjectExpression')
      this.#lookAtValue(node, parents);
  }

  #lookAtCall(node: Node, callee: unknown, given: readonly unknown[], parents: readonly Node[]) {
    const [first, second] = given;
    const meaning = this.#scope.resolve(callee);
    const use = useOf(meaning);
    if (!isNode(first)) return;
    if (meaning?.is === 'require') this.#lookAtImport(node, first);
    else if (use === 'read' || use === 'list' || use === 'glob')
      this.#lookAtRead(node, use, given, parents);
    else if (use === 'write') this.#lookAtWrite(first, parents);
    else if (use === 'copy') this.#lookAtCopy(node, [first, second], parents);
    else if (use === 'start') this.#lookAtStart(node, given);
    else if (use === 'move') this.#miss(node);
    else if (use === 'open' && !isKnown(this.#scope.evaluate(first))) this.#miss(node);
    else if (this.#scope.isPath(node)) this.#lookAtPath(node);
    else {
      if (this.#takesFolder(meaning, given) || this.#givesLikeQuestion(meaning, given))
        this.#miss(node);
      this.#lookAtValue(node, parents);
    }
  }

  /** What a package does with a folder, nobody knows: `nunjucks.configure('prompts')`. */
  #takesFolder(meaning: Meaning | null, given: readonly unknown[]): boolean {
    if (meaning?.is !== 'function' || !isOfPackage(meaning.from)) return false;
    return !NO_PATH.test(meaning.name) && given.some((each) => this.#hasFolder(each));
  }

  /** Also in lists and fields, or one of several: `new Liquid({ root: ['prompts'] })`. */
  #hasFolder(value: unknown, depth = 0): boolean {
    const text = this.#scope.evaluate(value);
    if (isKnown(text)) return this.#files.isFolder(text.join(''));
    const node = this.#scope.constantOf(value) ?? within(value);
    if (!isNode(node) || depth >= 9) return false;
    const inside = [...valuesOf(node), ...this.#listChoices(node).filter((each) => each !== node)];
    return inside.some((each) => this.#hasFolder(each, depth + 1));
  }

  /** A function of another module takes a field such as `workdir` for that of the question. */
  #givesLikeQuestion(meaning: Meaning | null, given: readonly unknown[]): boolean {
    if (meaning?.is !== 'function' || !isOwn(meaning.from)) return false;
    const fields = given.flatMap((each) =>
      listIn(this.#scope.constantOf(each) ?? within(each), 'properties'),
    );
    return fields.some(
      (each) =>
        isNode(each, 'Property') &&
        OF_QUESTION.test(nameOf(each['key'])) &&
        !isNode(each['value'], 'ArrayExpression') &&
        !this.#isOfQuestion(each['value']),
    );
  }

  #lookAtImport(node: Node, path: unknown): void {
    const text = this.#scope.evaluate(path);
    const isPath = /^\.{0,2}\//.test(text[0] ?? '');
    // Vite follows a plain import itself.
    const known = isKnown(text) ? this.#files.find(text.join('')) : null;
    const listed = isPath ? this.#files.match(text, 'any') : null;
    if (known !== null) this.found.named.push(...known);
    else if (listed !== null) this.found.listed.push(...listed);
    else this.#miss(node);
  }

  /** A path that is whole names a file, whoever takes it. */
  #lookAtPath(node: Node): void {
    const text = this.#scope.evaluate(node);
    if (isKnown(text)) this.found.named.push(...this.locate([text.join('')]));
  }

  #lookAtField(node: Node, parents: readonly Node[]): void {
    const of = this.#scope.resolve(node['object']);
    if (of?.is === 'environment') this.#lookAtVariable(node);
    else if (of?.is === 'module' && isOfSystem(of.from) && this.#scope.fieldOf(node) === null)
      this.#miss(node);
    else this.#lookAtValue(node, parents);
  }

  #lookAtVariable(node: Node): void {
    if (node['computed'] !== true) return;
    const text = this.#scope.evaluate(node['property']);
    const [start, end] = [startOf(text), endOf(text)];
    if (start + end === '') this.#miss(node);
    else this.found.variables.push(isKnown(text) ? [text.join(''), ''] : [start, end]);
  }

  /** The environment or a function that reads, where it goes on under another name. */
  #lookAtValue(node: Node, parents: readonly Node[]): void {
    const meaning = this.#scope.resolve(node);
    if (meaning === null || !isOfInterest(meaning) || !goesOn(node, parents)) return;
    const call = parents.findLast(({ type }) => !PART_OF_ARGUMENT.test(type));
    const isArgument = call?.type === 'CallExpression' || call?.type === 'NewExpression';
    const callee = isArgument ? call['callee'] : null;
    const takesAll =
      useOf(this.#scope.resolve(callee)) === 'start' || TAKES_ENVIRONMENT.test(nameOf(callee));
    if (meaning.is !== 'environment' || !takesAll) this.#miss(isArgument ? call : node);
  }

  #lookAtRead(node: Node, use: Use, given: readonly unknown[], parents: readonly Node[]): void {
    const [path, options] = given;
    if (!isNode(path)) return;
    const flags = this.#scope.evaluate(options)[0] ?? '';
    if (/^open/.test(nameOf(node['callee'])) && /^[wa]/.test(flags)) {
      this.#lookAtWrite(path, parents);
      return;
    }
    const isDeep = use === 'glob' || this.#show(node).includes('recursive');
    const reach = isDeep ? 'below' : 'files';
    for (const each of this.#listChoices(path)) {
      const whole = this.#scope.evaluate(each);
      const text = use === 'glob' ? whole.flatMap(withoutWildcards) : whole;
      const known = (path: string) =>
        use === 'read' ? this.#files.find(path) : this.#files.list(path, reach);
      const files = isKnown(text)
        ? known(text.join(''))
        : this.#files.match(text, use === 'glob' ? 'below' : 'any');
      const isNamed = use === 'read' && isKnown(text);
      if (files !== null) (isNamed ? this.found.named : this.found.listed).push(...files);
      else if (!this.#isOfQuestion(path)) this.#miss(node);
    }
  }

  #lookAtCopy(node: Node, given: readonly unknown[], parents: readonly Node[]): void {
    this.#lookAtRead(node, 'list', given, parents);
    this.#lookAtWrite(given[1], parents);
    // A folder is copied with all that is in it.
    const to = this.#scope.evaluate(given[1]);
    if (isKnown(to)) this.#addWritten(`${to.join('')}/`, '');
  }

  #lookAtWrite(path: unknown, parents: readonly Node[]): void {
    const text = this.#scope.evaluate(path);
    this.found.writers.push(...[findWriter(path, parents) ?? []].flat());
    if (!isKnown(text)) this.#addWritten(startOf(text), endOf(text));
    else if (isNode(path)) {
      this.#writes.files.push(...this.#files.resolveFromRoot(text.join('')));
      this.#writes.places.push(path);
    }
  }

  #addWritten(start: string, end: string): void {
    const [, folder = '', name = ''] = /^(.*\/)?([^/]*)$/s.exec(start) ?? [];
    if (folder === '') return;
    // A folder of code is no folder of what it writes.
    const { file } = this.#place;
    const paths = this.#files.resolve(folder).map((path) => join(path, '/'));
    const own = paths.filter((path) => !file.startsWith(path) && !this.#files.isAround(path));
    this.found.writtenIn.push(...own.map((path): Ends => [path + name, end]));
  }

  /** A process is followed where its command line names a file, which is read as code. */
  #lookAtStart(node: Node, given: readonly unknown[]): void {
    const items = given
      .slice(0, 2)
      .flatMap((each) => (isNode(each, 'ArrayExpression') ? listIn(each, 'elements') : [each]));
    const texts = items.map((item) => this.#scope.evaluate(item));
    // A path of several pieces, or the words of a command line.
    const words = texts.flatMap((text) => [
      ...(isKnown(text) ? [text.join('')] : []),
      ...text.flatMap((piece) => piece?.split(/\s+/) ?? []),
    ]);
    const files = this.locate(words);
    this.found.named.push(...files);
    if (files.length === 0 || words.some((word) => STARTS_OTHERS.test(word))) this.#miss(node);
  }

  #miss(node: Node): void {
    this.found.notFollowed.push({ at: node.start, what: this.#show(node) });
  }

  /** Code for a message, as far as possible as it was before Vite made it. */
  #show({ start, end }: Node): string {
    const text = this.#code.slice(start, end);
    const plain = text
      .replaceAll(/\(0, ?__vi\w+__\.([\w.$]+)\)/g, '$1')
      .replaceAll(/__vi\w+_\d+__\.(?:default\.)?/g, '')
      .replaceAll('__vite_ssr_dynamic_import__', 'import')
      .replaceAll('__vite_ssr_import_meta__', 'import.meta');
    return cut(plain.replaceAll(/\s+/g, ' '), 60);
  }

  /** The expressions that an expression may stand for: `a ?? b`, `PATHS[name]`. */
  #listChoices(node: Node): readonly Node[] {
    const { left, right, consequent, alternate, object, computed } = node;
    const named = this.#scope.constantOf(node);
    const fields = computed === true ? this.#scope.constantOf(object) : undefined;
    const choices =
      node.type === 'LogicalExpression'
        ? [left, right]
        : node.type === 'ConditionalExpression'
          ? [consequent, alternate]
          : isNode(named, 'LogicalExpression') || isNode(named, 'ConditionalExpression')
            ? [named]
            : valuesOf(fields);
    const own = choices.flatMap((each) => (isNode(each) && !this.#isUnset(each) ? each : []));
    return own.length === 0 ? [node] : own.flatMap((each) => this.#listChoices(each));
  }

  /** Whether a path begins in a file or the folder of a question, also under another name. */
  #isOfQuestion(path: unknown, depth = 0): boolean {
    let isFound = false;
    walk(path, (node, parents) => {
      const name = nameOf(node);
      if (node.type === 'MemberExpression')
        isFound ||= OF_QUESTION.test(name) && this.#scope.mayBeQuestion(within(node['object']));
      if (!isUse(node, parents.at(-1) ?? NO_PARENT)) return;
      const value = this.#scope.constantOf(node);
      if (value === undefined)
        isFound ||= OF_QUESTION.test(name) && this.#scope.mayBeOfQuestion(name);
      else isFound ||= depth < 9 && this.#isOfQuestion(value, depth + 1);
    });
    return isFound;
  }

  /** Once it is set, its name counts as that of a variable. */
  #isUnset(node: Node): boolean {
    if (node.type !== 'MemberExpression') return false;
    const isVariable = this.#scope.resolve(node['object'])?.is === 'environment';
    return isVariable && this.#place.variables[nameOf(node)] === undefined;
  }
}

/** Functions of schemas that get words. */
const NO_PATH = /^(?:enum|literal)$/;

/** What stands between a value and the call that it is given to: `f({ env: { ...process.env } })`. */
const PART_OF_ARGUMENT =
  /^(?:Property|ObjectExpression|SpreadElement|ArrayExpression|SequenceExpression|ChainExpression|ParenthesizedExpression|AwaitExpression|LogicalExpression|ConditionalExpression)$/;

/** A schema names the variables that it takes, and processes have all of them anyway. */
const TAKES_ENVIRONMENT = /^(?:(?:safe)?parse(?:Async)?|cleanEnv|createEnv)$/;

/** The values of `{ a: 'a.md', ...more }` and `['a.md']`. */
function valuesOf(node: unknown): readonly unknown[] {
  const inside = [...listIn(node, 'properties'), ...listIn(node, 'elements')];
  return inside.map((each) =>
    isNode(each, 'Property')
      ? each['value']
      : isNode(each, 'SpreadElement')
        ? each['argument']
        : each,
  );
}
