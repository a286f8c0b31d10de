import { isBuiltin } from 'node:module';
import { dirname } from 'node:path';
import { type Folders, isKnown, type Text, UNKNOWN } from '../agents/project-files.ts';
import { isNode, listIn, type Node, nameOf, walk, within } from './syntax-tree.ts';

/** Where code is: its file, the project's root, and the variables that it may read. */
export type Place = Readonly<{
  file: string;
  root: string;
  variables: Readonly<Record<string, string | undefined>>;
  folders?: Folders;
}>;

/** What an expression stands for; `from` is the module that it is imported from, '' for none. */
export type Meaning = Readonly<
  | { is: 'environment' | 'process' | 'global' | 'meta' | 'require' }
  | { is: 'module'; from: string }
  | { is: 'function'; name: string; from: string }
>;

/** The packages whose default export is a function, and the name of one that does the same. */
const DEFAULT_EXPORTS: Readonly<Record<string, string>> = {
  'better-sqlite3': 'Database',
  'cross-spawn': 'spawn',
  execa: 'execa',
  'fast-glob': 'glob',
  glob: 'glob',
  globby: 'glob',
  sqlite3: 'Database',
  'tiny-glob': 'glob',
};

const GLOBALS: Readonly<Record<string, Meaning>> = {
  process: { is: 'process' },
  globalThis: { is: 'global' },
  global: { is: 'global' },
  require: { is: 'require' },
  __vite_ssr_import_meta__: { is: 'meta' },
  __vite_ssr_dynamic_import__: { is: 'require' },
  Bun: { is: 'module', from: 'bun' },
  Deno: { is: 'module', from: 'deno' },
};

/** The module of an import whose module the project has itself: it is followed. */
export function isOwn(from: string): boolean {
  return /^[./]/.test(from);
}

/** The modules whose functions read files or start processes, whatever they are called. */
export function isOfSystem(from: string): boolean {
  return /^(?:node:)?(?:fs|fs\/promises|child_process|worker_threads)$|^(?:fs-extra|graceful-fs|bun|deno)$/.test(
    from,
  );
}

/** An installed package: neither a module of the project nor one of Node. */
export function isOfPackage(from: string): boolean {
  return /^(?:@[\w.-]+\/)?[a-zA-Z][\w.-]*(?:\/[\w./-]*)?$/.test(from) && !isBuiltin(from);
}

/** The names of a module: what its constants are, what they may stand for, and the texts that they make. */
export class ModuleScope {
  readonly #place: Place;
  /** The values of constants; null for a name that is declared twice, or is no constant. */
  readonly #constants = new Map<string, Node | null>();
  /** The functions that take names out of their arguments; null for a name that is declared elsewhere too. */
  readonly #takers = new Map<string, string | null>();
  /** The functions that have a parameter of a name. */
  readonly #owners = new Map<string, Set<string>>();
  /** What functions are given, by their names. */
  readonly #given = new Map<string, unknown[]>();
  /** What a parameter is unless a caller says otherwise. */
  readonly #defaults = new Map<string, Node>();
  /** The imported modules, by the names that Vite gives them. */
  readonly #imports: ReadonlyMap<string, string>;

  constructor(code: string, tree: unknown, place: Place) {
    this.#place = place;
    this.#imports = readImports(code);
    walk(tree, (node, parents) => this.#declare(node, parents));
  }

  #declare(node: Node, parents: readonly Node[]): void {
    if (node.type === 'VariableDeclarator') this.#declarePattern(node['id'], node['init']);
    else if (node.type === 'AssignmentExpression') this.#declarePattern(node['left'], null);
    else if (/^Function|^Class/.test(node.type)) this.#declarePattern(node['id'], null);
    else if (node.type === 'CallExpression') {
      const name = nameOf(node['callee']);
      if (name !== '')
        this.#given.set(name, [...(this.#given.get(name) ?? []), ...listIn(node, 'arguments')]);
    }
    const taker = nameOf(node['id'] ?? parents.at(-1)?.['id']);
    for (const param of listIn(node, 'params')) {
      this.#declareParameter(param);
      const pattern = isNode(param, 'AssignmentPattern') ? param['left'] : param;
      this.#owners.set(
        nameOf(pattern),
        new Set([...(this.#owners.get(nameOf(pattern)) ?? []), taker]),
      );
      for (const each of listIn(pattern, 'properties'))
        if (isNode(each, 'Property')) this.#takers.set(nameOf(each['value']), taker);
    }
  }

  /** `a`, `{ a, b: c = 1, ...d }`: a part of a pattern is a field of the value. */
  #declarePattern(id: unknown, value: unknown): void {
    if (isNode(id, 'AssignmentPattern')) this.#declarePattern(id['left'], value);
    else if (isNode(id, 'Identifier')) {
      const name = String(id['name']);
      if (this.#constants.has(name)) this.#takers.set(name, null);
      const isKnownOnce = !this.#constants.has(name) && isNode(value);
      this.#constants.set(name, isKnownOnce ? value : null);
    }
    for (const each of listIn(id, 'properties')) {
      if (!isNode(each)) continue;
      const { key: property, value: inner, computed, start, end } = each;
      const field = { type: 'MemberExpression', object: value, property, computed, start, end };
      if (each.type === 'RestElement') this.#declarePattern(each['argument'], value);
      else this.#declarePattern(inner, isNode(value) ? field : null);
    }
    for (const each of listIn(id, 'elements')) this.#declarePattern(each, null);
  }

  #declareParameter(param: unknown): void {
    this.#declarePattern(param, null);
    if (!isNode(param, 'AssignmentPattern')) return;
    const { left, right } = param;
    if (isNode(left, 'Identifier') && isNode(right)) this.#defaults.set(nameOf(left), right);
  }

  /** The URL of the module that Vite's name for an import stands for; null for other names. */
  importOf(value: unknown): string | null {
    return this.#imports.get(nameOf(value)) ?? null;
  }

  /**
   * Whether a name may be a field of the question: it is declared elsewhere, or by a function that takes it out
   * of its arguments, as an agent does, and that this module gives nothing else.
   */
  mayBeOfQuestion(name: string): boolean {
    if (!this.#constants.has(name)) return true;
    const taker = this.#takers.get(name) ?? null;
    return taker !== null && !this.#isGivenOthers(taker);
  }

  /** Whether this module calls a function with a value that is no parameter, which may be the question. */
  #isGivenOthers(name: string): boolean {
    const given = this.#given.get(name) ?? [];
    return given.some((each) => !isNode(each, 'Literal') && !this.#isUnknown(within(each)));
  }

  /** Whether a name is declared more than once, so that nobody knows which one code means. */
  isAmbiguous(name: string): boolean {
    return this.#takers.get(name) === null;
  }

  /** Whether an object may be the question: it is neither imported nor a constant, nor what this module gives a function. */
  mayBeQuestion(value: unknown): boolean {
    const owners = [...(this.#owners.get(nameOf(value)) ?? [])];
    return this.#isUnknown(value) && !owners.some((each) => this.#isGivenOthers(each));
  }

  #isUnknown(value: unknown): boolean {
    const name = nameOf(value);
    return isNode(value, 'Identifier') && !this.#imports.has(name) && !this.#constants.get(name);
  }

  constantOf(value: unknown): Node | undefined {
    const node = within(value);
    return isNode(node, 'Identifier')
      ? (this.#constants.get(nameOf(node)) ?? undefined)
      : undefined;
  }

  /** What an expression stands for, also by another name; null for what says nothing of the system. */
  resolve(value: unknown, depth = 0): Meaning | null {
    const node = within(value);
    if (!isNode(node) || depth > 20) return null;
    const resolve = (each: unknown) => this.resolve(each, depth + 1);
    if (node.type === 'Identifier') return this.#resolveName(nameOf(node), resolve);
    if (node.type === 'MemberExpression')
      return this.#resolveField(resolve(node['object']), this.fieldOf(node));
    if (node.type === 'LogicalExpression') return resolve(node['left']) ?? resolve(node['right']);
    if (node.type === 'ConditionalExpression')
      return resolve(node['consequent']) ?? resolve(node['alternate']);
    if (node.type === 'ObjectExpression') return this.#resolveCopy(node, resolve);
    if (node.type === 'ImportExpression') return toModule(this.evaluate(node['source']));
    if (node.type === 'NewExpression') return toMade(resolve(node['callee']));
    return node.type === 'CallExpression' ? this.#resolveCall(node, resolve) : null;
  }

  /** The name of a field; null for one that only a run knows. */
  fieldOf({ property, computed }: Node): string | null {
    if (computed !== true) return nameOf(property);
    const text = this.evaluate(property);
    return isKnown(text) ? text.join('') : null;
  }

  #resolveName(name: string, resolve: (node: unknown) => Meaning | null): Meaning | null {
    const from = this.#imports.get(name);
    if (from !== undefined) return { is: 'module', from: nameOfPackage(from) };
    if (!this.#constants.has(name)) return GLOBALS[name] ?? { is: 'function', name, from: '' };
    return resolve(this.#constants.get(name) ?? this.#defaults.get(name));
  }

  #resolveField(of: Meaning | null, name: string | null): Meaning | null {
    if (name === null) return null;
    switch (of?.is) {
      case undefined:
        return { is: 'function', name, from: '?' };
      case 'function':
        return /^(?:a?sync|stream)$/.test(name) ? of : { is: 'function', name, from: of.from };
      case 'module':
        return resolveExport(of.from, name);
      case 'process':
        if (name === 'getBuiltinModule') return { is: 'require' };
        return name === 'env' ? { is: 'environment' } : { is: 'function', name, from: '' };
      case 'meta':
        if (name === 'resolve') return { is: 'require' };
        return name === 'env' ? { is: 'environment' } : null;
      case 'require':
        return name === 'resolve' ? of : null;
      case 'global':
        return GLOBALS[name] ?? null;
      default:
        return null;
    }
  }

  /** `{ ...process.env, A: '1' }` */
  #resolveCopy(node: Node, resolve: (node: unknown) => Meaning | null): Meaning | null {
    const spread = listIn(node, 'properties').filter((each) => isNode(each, 'SpreadElement'));
    const found = spread.map((each) => (isNode(each) ? resolve(each['argument']) : null));
    return found.find((each) => each?.is === 'environment') ?? null;
  }

  /** `promisify(exec)`, `require('fs')`, `await import('fs')`, `createRequire(url)` */
  #resolveCall(node: Node, resolve: (node: unknown) => Meaning | null): Meaning | null {
    const { callee } = node;
    const [first] = listIn(node, 'arguments');
    const name = nameOf(callee);
    if (name === 'createRequire') return { is: 'require' };
    if (name === 'promisify') return resolve(first);
    const of = resolve(callee);
    if (of?.is !== 'require') return toMade(of);
    return isNode(first) ? toModule(this.evaluate(first)) : null;
  }

  /** The text that an expression makes, as far as the module says. */
  evaluate(value: unknown, depth = 0): Text {
    const node = within(value);
    if (!isNode(node) || depth > 20) return UNKNOWN;
    const evaluate = (each: unknown) => this.evaluate(each, depth + 1);
    if (node.type === 'Literal') return [String(node['value'])];
    if (node.type === 'TemplateLiteral') return fillTemplate(node, evaluate);
    if (node.type === 'Identifier')
      return /^__dirname$|^__filename$/.test(nameOf(node))
        ? this.#evaluateOwn(nameOf(node).slice(2))
        : evaluate(this.constantOf(node));
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
    const value = this.#place.variables[name];
    if (value !== undefined && this.resolve(object)?.is === 'environment') return [value];
    const field = listIn(this.constantOf(object), 'properties').find(
      (each) => isNode(each) && computed !== true && nameOf(each['key']) === nameOf(property),
    );
    if (isNode(field)) return evaluate(field['value']);
    return name === 'href' || name === 'pathname' ? evaluate(object) : UNKNOWN;
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
    if (this.isPath(node) && name !== 'URL')
      return given.flatMap((text, index) => (index === 0 ? text : ['/', ...text]));
    if (name === 'URL' && given.length > 1)
      return isKnown(base) ? [`${dirname(base.join(''))}/`, ...first] : UNKNOWN;
    if (name === 'dirname') return isKnown(first) ? [dirname(first.join(''))] : UNKNOWN;
    return /^(?:fileURLToPath|pathToFileURL|String|URL|normalize)$/.test(name) ? first : UNKNOWN;
  }

  /** `join(a, b)`, `new URL(path, base)`. Lists have a `join` too, and promises a `resolve`. */
  isPath({ callee }: Node): boolean {
    const name = nameOf(callee);
    if (name === 'URL') return true;
    if (name !== 'join' && name !== 'resolve') return false;
    const node = within(callee);
    if (!isNode(node, 'MemberExpression')) return true;
    const of = this.resolve(node['object']);
    return of?.is === 'module' || (of?.is === 'function' && /^(?:path|posix)$/.test(of.name));
  }
}

/** What a package made: its methods are functions of that package. */
function toMade(of: Meaning | null): Meaning | null {
  const isOf = of?.is === 'function' && isOfPackage(of.from) && !isOfSystem(of.from);
  return isOf ? { ...of, name: '' } : null;
}

function toModule(path: Text): Meaning | null {
  return isKnown(path) ? { is: 'module', from: path.join('') } : null;
}

function resolveExport(from: string, name: string): Meaning {
  // Also of a module of the project that hands it on.
  if (name === 'env') return { is: 'environment' };
  if (isOwn(from)) return { is: 'function', name, from };
  if (/^(?:node:)?process$/.test(from) && name === 'default') return { is: 'process' };
  const known = name === 'default' ? DEFAULT_EXPORTS[from] : undefined;
  if (known !== undefined) return { is: 'function', name: known, from };
  if (/^(?:default|promises|posix|win32)$/.test(name)) return { is: 'module', from };
  return { is: 'function', name, from };
}

/** "glob" of "/node_modules/glob/index.js"; other URLs as they are. */
export function nameOfPackage(url: string): string {
  const inPackages = url.split('/node_modules/').at(-1);
  return inPackages === url ? url : (/^(?:@[^/]+\/)?[^/]+/.exec(inPackages ?? '')?.[0] ?? url);
}

/** The modules that the code of Vite imports, by the names that Vite gives them. */
export function readImports(code: string): ReadonlyMap<string, string> {
  const imports = code.matchAll(/const (__vi\w+__) = await __vite_ssr_import__\("([^"]*)"/g);
  return new Map([...imports].map(([, name = '', url = '']) => [name, url]));
}

/** The URL that a dynamic import names; '' for one that only a run knows, null for other nodes. */
export function urlOfDynamicImport(node: Node): string | null {
  if (nameOf(node['callee']) !== '__vite_ssr_dynamic_import__') return null;
  const [given] = listIn(node, 'arguments');
  return isNode(given, 'Literal') ? nameOf(given) : '';
}

function fillTemplate(node: Node, evaluate: (node: unknown) => Text): Text {
  const expressions = listIn(node, 'expressions');
  return listIn(node, 'quasis').flatMap((quasi, index): Text => {
    const { cooked = null } = isNode(quasi) ? Object(quasi['value']) : {};
    const next = index < expressions.length ? evaluate(expressions[index]) : [];
    return [typeof cooked === 'string' ? cooked : null, ...next];
  });
}
