import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseAst } from 'vitest/node';
import { isFile, isFolder } from '../data/files/read-file.ts';
import { cut, tryOrUndefined } from '../words/show.ts';
import { isNode, listIn, type Node, walk } from './syntax-tree.ts';

/** What code reads and writes by paths and names that it puts together. */
export type ComputedReads = {
  /** Absolute paths. */
  readonly files: string[];
  /** Absolute paths of files and folders. */
  readonly written: string[];
  /** How the names of environment variables begin and end. */
  readonly variables: (readonly [start: string, end: string])[];
  /** What only a run knows, and its place in the code. */
  readonly notFollowed: { readonly at: number; readonly what: string }[];
};

/** Where code is: its file, the project's root, and the variables that it may read. */
export type Place = Readonly<{
  file: string;
  root: string;
  variables: Readonly<Record<string, string | undefined>>;
}>;

/** Functions by their names: what reads a file or a folder, writes one, or starts a process. */
const READS =
  /^(?:readFile|readdir|read(?:JSON|Json|Text|TextFile)|createReadStream|opendir|openAsBlob|glob)(?:Sync)?$/;
const LISTS = /^(?:readdir|opendir|glob)/;
const WRITES =
  /^(?:(?:write|append|copy)File|createWriteStream|rename|rm|unlink|mkdir|outputFile|write(?:JSON|Json))(?:Sync)?$/;
const STARTS = /^(?:spawn|exec|execFile|fork|execa|execaCommand|execaNode|Worker)(?:Sync)?$|^\$$/;
const OPENS = /^Database(?:Sync)?$/;

/** A tree takes as long as Vite's own work, and few modules need one. */
const WORTH_A_TREE =
  /_dynamic_import__\(|\bimport\(|\brequire\(|\bcreateRequire\b|\benv\)?\[|\b(?:readFile|readdir|read(?:JSON|Json|Text)|create(?:Read|Write)Stream|open(?:dir|AsBlob)|glob|(?:write|append|copy|output)File|rename|rm|unlink|mkdir|write(?:JSON|Json)|spawn|exec\w*|fork)(?:Sync)?\)?\s?\(|\b(?:Worker|Database(?:Sync)?)\)?\s?\(|\$\)?`/;

/**
 * Follows what the code of a module puts together of texts: a path, an import, the name of a variable.
 * Where a folder is known and a name in it is not, all its files are read.
 */
export function findComputedReads(
  code: string,
  place: Place,
  patterns: readonly string[] = [],
): ComputedReads {
  const reader = new Reader(code, place);
  reader.readPatterns(patterns);
  const tree: unknown = WORTH_A_TREE.test(code) ? tryOrUndefined(() => parseAst(code)) : undefined;
  if (tree !== undefined) reader.read(tree);
  return reader.found;
}

/** A text in pieces; null is what only a run knows. */
type Text = readonly (string | null)[];

const UNKNOWN: Text = [null];

/** The question's own files are part of its key. */
const OF_QUESTION = /attachment|workdir/i;

/** A folder with more files is not followed. */
const MOST_FILES = 200;

class Reader {
  readonly found: ComputedReads = { files: [], written: [], variables: [], notFollowed: [] };
  readonly #code: string;
  readonly #place: Place;
  /** The values of constants; null for a name that is declared twice, or is no constant. */
  readonly #constants = new Map<string, Node | null>();

  constructor(code: string, place: Place) {
    this.#code = code;
    this.#place = place;
  }

  read(tree: unknown): void {
    walk(tree, (node) => this.#declare(node));
    walk(tree, (node) => this.#look(node));
  }

  /** Patterns such as "prompts/*.md", whichever package they are given to. */
  readPatterns(patterns: readonly string[]): void {
    for (const pattern of patterns)
      this.found.files.push(...(this.#listMatching(withoutWildcards(pattern), true) ?? []));
  }

  #declare(node: Node): void {
    const add = (id: unknown, value: Node | null) => {
      if (!isNode(id, 'Identifier')) return;
      const name = String(id['name']);
      this.#constants.set(name, this.#constants.has(name) ? null : value);
    };
    if (node.type === 'VariableDeclarator')
      add(node['id'], isNode(node['init']) ? node['init'] : null);
    else if (node.type === 'AssignmentExpression') add(node['left'], null);
    for (const param of listIn(node, 'params')) walk(param, (each) => add(each, null));
  }

  #look(node: Node): void {
    if (node.type === 'MemberExpression') this.#lookAtVariable(node);
    else if (node.type === 'ImportExpression') this.#lookAtImport(node, node['source']);
    else if (node.type === 'TaggedTemplateExpression')
      this.#lookAtCall(node, node['tag'], [node['quasi']]);
    else if (node.type === 'CallExpression' || node.type === 'NewExpression')
      this.#lookAtCall(node, node['callee'], listIn(node, 'arguments'));
  }

  #lookAtCall(node: Node, callee: unknown, given: readonly unknown[]): void {
    const name = nameOf(callee);
    const [first, second] = given;
    if (name === '__vite_ssr_dynamic_import__') this.#lookAtImport(node, first);
    else if (!isNode(first)) return;
    else if (READS.test(name)) this.#lookAtRead(node, name, first);
    else if (WRITES.test(name))
      this.#lookAtWrite(this.#evaluate(name.startsWith('copy') ? second : first));
    else if (STARTS.test(name) && !this.#isPattern(callee)) this.#lookAtStart(node, name, given);
    else if (name === 'require' || this.#isRequire(callee)) this.#lookAtImport(node, first, name);
    else if (OPENS.test(name) && !isKnown(this.#evaluate(first)))
      this.#miss(node, `${name}(${this.#show(first)})`);
  }

  /** `/\d+/.exec(text)`, `PATTERN.exec(text)` */
  #isPattern(callee: unknown): boolean {
    return (
      isNode(callee, 'MemberExpression') && /^[A-Z_]+\.exec$|^\/|[^\w.]/.test(this.#show(callee))
    );
  }

  /** `const load = createRequire(import.meta.url)` */
  #isRequire(callee: unknown): boolean {
    const made = this.#constantOf(callee);
    return isNode(made, 'CallExpression') && nameOf(made['callee']) === 'createRequire';
  }

  #lookAtImport(node: Node, path: unknown, name = 'import'): void {
    const text = this.#evaluate(path);
    const isPath = /^\.{0,2}\//.test(text[0] ?? '');
    // Vite follows a plain import itself.
    const known = isKnown(text) ? this.#resolve(text.join('')).filter(isFile) : null;
    const files = known ?? (isPath ? this.#listMatching(text, false) : null);
    if (files === null) this.#miss(node, `${name}(${this.#show(path)})`);
    else this.found.files.push(...files);
  }

  #lookAtVariable({ object, property, computed, start: at }: Node): void {
    if (computed !== true || nameOf(object) !== 'env') return;
    const text = this.#evaluate(property);
    const [start, end] = [startOf(text), endOf(text)];
    if (start + end === '') this.#miss({ start: at }, `process.env[${this.#show(property)}]`);
    else if (isKnown(text)) this.found.variables.push([text.join(''), '']);
    else this.found.variables.push([start, end]);
  }

  #lookAtRead(node: Node, name: string, path: Node): void {
    const isPattern = name.startsWith('glob');
    const isDeep = isPattern || this.#show(node).includes('recursive');
    for (const each of this.#listChoices(path)) {
      const whole = this.#evaluate(each);
      const text = isPattern ? whole.flatMap(withoutWildcards) : whole;
      const files = isKnown(text)
        ? this.#listKnown(text.join(''), LISTS.test(name), isDeep)
        : this.#listMatching(text, isDeep);
      if (files !== null) this.found.files.push(...files);
      else if (!OF_QUESTION.test(this.#show(path)))
        this.#miss(node, `${name}(${this.#show(path)})`);
    }
  }

  #lookAtWrite(text: Text): void {
    if (isKnown(text)) this.found.written.push(...this.#resolve(text.join('')));
    const folder = startOf(text).replace(/[^/]*$/, '');
    if (isKnown(text) || folder === '') return;
    // A folder of code is no folder of what it writes.
    const { file } = this.#place;
    const paths = this.#resolve(folder).filter((path) => !file.startsWith(join(path, '/')));
    this.found.written.push(...paths.filter((path) => !this.#isAround(path)));
  }

  /** A process is followed where its command line names a file, which is read as code. */
  #lookAtStart(node: Node, name: string, given: readonly unknown[]): void {
    const items = given
      .slice(0, 2)
      .flatMap((each) => (isNode(each, 'ArrayExpression') ? listIn(each, 'elements') : [each]));
    const texts = items.map((item) => this.#evaluate(item));
    // A path of several pieces, or the words of a command line.
    const words = texts.flatMap((text) => [
      ...(isKnown(text) ? [text.join('')] : []),
      ...text.flatMap((piece) => piece?.split(/\s+/) ?? []),
    ]);
    const paths = words.filter((word) => /[./]/.test(word));
    const files = paths.flatMap((path) => this.#resolve(path).filter(isFile));
    if (files.length > 0) this.found.files.push(...files);
    else this.#miss(node, `${name}(${this.#show(given[0])})`);
  }

  #miss({ start: at }: Pick<Node, 'start'>, what: string): void {
    this.found.notFollowed.push({ at, what });
  }

  /** Code for a message, as it was before Vite made it. */
  #show(node: unknown): string {
    const text = isNode(node) ? this.#code.slice(node.start, node.end) : '';
    const plain = text
      .replaceAll(/\(0, ?__vi\w+__\.([\w.$]+)\)/g, '$1')
      .replaceAll(/__vi\w+_\d+__\./g, '');
    return cut(plain.replaceAll(/\s+/g, ' '), 60);
  }

  /** The files of a path, or those of a folder; null for a folder of too many. */
  #listKnown(path: string, isList: boolean, isDeep: boolean): readonly string[] | null {
    const paths = this.#resolve(path);
    const folder = isList ? paths.find((each) => isFolder(each)) : undefined;
    return folder === undefined ? paths.filter(isFile) : this.#listFolder(folder, isDeep);
  }

  /** The files whose paths begin and end as a text does; null where these may be any. */
  #listMatching(text: Text, isDeep: boolean): readonly string[] | null {
    const [, inside = '', start = ''] = /^(.*\/)?(.*)$/s.exec(startOf(text)) ?? [];
    const folder = inside === '' ? undefined : this.#resolve(inside).find((path) => isFolder(path));
    if (folder === undefined) return null;
    const isBelow = isDeep || text.slice(1).some((each) => each?.includes('/') === true);
    const begin = join(folder, start);
    return (
      this.#listFolder(folder, isBelow)?.filter(
        (path) => path.startsWith(begin) && path.endsWith(endOf(text)),
      ) ?? null
    );
  }

  #listFolder(folder: string, isDeep: boolean): readonly string[] | null {
    if (this.#isAround(folder)) return null;
    const entries = readdirSync(folder, { withFileTypes: true, recursive: isDeep });
    const files = entries.filter((entry) => entry.isFile());
    const paths = files.map(({ parentPath, name }) => join(parentPath, name));
    const own = paths.filter((path) => !/\/(?:node_modules\/|\.)/.test(path.slice(folder.length)));
    return own.length > MOST_FILES ? null : own;
  }

  /** Whether a folder has the whole project in it. */
  #isAround(folder: string): boolean {
    return join(this.#place.root, '/').startsWith(join(folder, '/'));
  }

  /** A relative path is one of the root, where the process runs, or of the module. */
  #resolve(path: string): readonly string[] {
    const { root, file } = this.#place;
    return [...new Set([resolve(root, path), resolve(dirname(file), path)])];
  }

  /** The expressions that an expression may stand for: `a ?? b`, `PATHS[name]`. */
  #listChoices(node: Node): readonly Node[] {
    const { left, right, consequent, alternate, object, computed } = node;
    const named = this.#constantOf(node);
    const fields = computed === true ? this.#constantOf(object) : undefined;
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

  /** Once it is set, its name counts as that of a variable. */
  #isUnset({ type, object, computed, property }: Node): boolean {
    const isVariable = type === 'MemberExpression' && computed !== true && nameOf(object) === 'env';
    return isVariable && this.#place.variables[nameOf(property)] === undefined;
  }

  #constantOf(node: unknown): Node | undefined {
    return isNode(node, 'Identifier')
      ? (this.#constants.get(String(node['name'])) ?? undefined)
      : undefined;
  }

  /** The text that an expression makes, as far as the module says. */
  #evaluate(node: unknown, depth = 0): Text {
    if (!isNode(node) || depth > 20) return UNKNOWN;
    const evaluate = (each: unknown) => this.#evaluate(each, depth + 1);
    if (node.type === 'Literal') return [String(node['value'])];
    if (node.type === 'TemplateLiteral') return fillTemplate(node, evaluate);
    if (node.type === 'SequenceExpression') return evaluate(listIn(node, 'expressions').at(-1));
    if (node.type === 'Identifier')
      return /^__dirname$|^__filename$/.test(String(node['name']))
        ? this.#evaluateOwn(String(node['name']).slice(2))
        : evaluate(this.#constantOf(node));
    if (node.type === 'MemberExpression') return this.#evaluateField(node, evaluate);
    if (node.type === 'CallExpression' || node.type === 'NewExpression')
      return this.#evaluateCall(node, evaluate);
    if (node.type !== 'BinaryExpression' || node['operator'] !== '+') return UNKNOWN;
    return [...evaluate(node['left']), ...evaluate(node['right'])];
  }

  #evaluateField(node: Node, evaluate: (node: unknown) => Text): Text {
    const { object, property, computed } = node;
    const name = nameOf(node);
    if (nameOf(object) === '__vite_ssr_import_meta__') return this.#evaluateOwn(name);
    const value = nameOf(object) === 'env' ? this.#place.variables[name] : undefined;
    if (value !== undefined && computed !== true) return [value];
    const field = listIn(this.#constantOf(object), 'properties').find(
      (each) => isNode(each) && computed !== true && nameOf(each['key']) === nameOf(property),
    );
    if (isNode(field)) return evaluate(field['value']);
    return name === 'href' || name === 'pathname' ? evaluate(object) : UNKNOWN;
  }

  /** Lists have a `join` too, and promises a `resolve`. */
  #isOfPaths(callee: unknown): boolean {
    if (!isNode(callee, 'MemberExpression') || !isNode(callee['object'])) return true;
    const { start, end } = callee['object'];
    return /^__vi|^(?:path|posix)\b/.test(this.#code.slice(start, end));
  }

  /** `import.meta.dirname`, and the same of older modules. */
  #evaluateOwn(name: string): Text {
    const { file } = this.#place;
    if (name === 'dirname') return [dirname(file)];
    return name === 'filename' || name === 'url' ? [file] : UNKNOWN;
  }

  #evaluateCall(node: Node, evaluate: (node: unknown) => Text): Text {
    const name = nameOf(node['callee']);
    const given = listIn(node, 'arguments').map(evaluate);
    const [first = UNKNOWN, base = UNKNOWN] = given;
    if (name === 'cwd') return [this.#place.root];
    if ((name === 'join' || name === 'resolve') && this.#isOfPaths(node['callee']))
      return given.flatMap((text, index) => (index === 0 ? text : ['/', ...text]));
    if (name === 'URL' && given.length > 1)
      return isKnown(base) ? [`${dirname(base.join(''))}/`, ...first] : UNKNOWN;
    if (name === 'dirname') return isKnown(first) ? [dirname(first.join(''))] : UNKNOWN;
    return /^(?:fileURLToPath|pathToFileURL|String|URL|normalize)$/.test(name) ? first : UNKNOWN;
  }
}

/** `readFile` of `readFile`, `fs.promises.readFile` and `(0, module.readFile)`; '' for no name. */
function nameOf(node: unknown): string {
  if (isNode(node, 'SequenceExpression')) return nameOf(listIn(node, 'expressions').at(-1));
  if (isNode(node, 'MemberExpression'))
    return node['computed'] === true ? '' : nameOf(node['property']);
  if (isNode(node, 'Literal')) return String(node['value']);
  return isNode(node, 'Identifier') ? String(node['name']) : '';
}

/** The values of `{ a: 'a.md' }` and `['a.md']`. */
function valuesOf(node: unknown): readonly unknown[] {
  const fields = listIn(node, 'properties').map((each) => (isNode(each) ? each['value'] : null));
  return [...fields, ...listIn(node, 'elements')];
}

function fillTemplate(node: Node, evaluate: (node: unknown) => Text): Text {
  const expressions = listIn(node, 'expressions');
  return listIn(node, 'quasis').flatMap((quasi, index): Text => {
    const { cooked = null } = isNode(quasi) ? Object(quasi['value']) : {};
    const next = index < expressions.length ? evaluate(expressions[index]) : [];
    return [typeof cooked === 'string' ? cooked : null, ...next];
  });
}

function isKnown(text: Text): text is readonly string[] {
  return !text.includes(null);
}

/** What stands before the first unknown piece, and behind the last. */
function startOf(text: Text): string {
  const first = text.indexOf(null);
  return text.slice(0, first < 0 ? text.length : first).join('');
}

function endOf(text: Text): string {
  return text.slice(text.lastIndexOf(null) + 1).join('');
}

/** "prompts/*.md" is known before and behind its wildcards. */
function withoutWildcards(text: string | null): Text {
  const [, start = '', end] = /^([^*?[{]*)(?:.*[*?\]}])?(.*)$/s.exec(text ?? '') ?? [];
  if (text === null) return UNKNOWN;
  return start === text ? [text] : [start, null, end ?? ''];
}
