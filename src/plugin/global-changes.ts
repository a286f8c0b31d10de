import { parseAst } from 'vitest/node';
import { tryOrUndefined } from '../words/show.ts';
import { isOwn, nameOfPackage, readImports, urlOfDynamicImport } from './module-scope.ts';
import { isNode, listIn, type Node, nameOf, walk, within } from './syntax-tree.ts';

/** The code of a module, which is looked at once. */
type Made = Readonly<{ code: string }>;

function once(look: (code: string) => boolean): (made: Made) => boolean {
  const known = new WeakMap<Made, boolean>();
  return (made) => {
    const found = known.get(made) ?? look(made.code);
    known.set(made, found);
    return found;
  };
}

const parse = (code: string): unknown => tryOrUndefined(() => parseAst(code));

/** Whether the code of a module may change what all modules share, such as `process.env`. */
export const codeChangesGlobals = once(
  (code) => MENTIONED.test(code) && changesGlobals(parse(code)),
);

const MENTIONED =
  /\b(?:globalThis|global|process|prototype|stubEnv|stubGlobal)\b|\b(?:Math|Date|JSON|console)\.\w+ =/;

/** Whether a node may do so. What only reads a variable does not; an alias may do anything. */
export function changesGlobals(tree: unknown): boolean {
  let found = false;
  const own = namesDeclaredIn(tree);
  walk(tree, (node, parents) => {
    const { type } = node;
    const name = nameOf(node);
    if (own.has(name)) return;
    if (type === 'AssignmentExpression') found ||= isGlobal(node['left']);
    else if (
      type === 'UpdateExpression' ||
      (type === 'UnaryExpression' && node['operator'] === 'delete')
    )
      found ||= isGlobal(node['argument']);
    else if (type === 'CallExpression') found ||= CHANGES.test(nameOf(node['callee']));
    else if (type === 'Identifier' && SHARED.test(name)) found ||= isHandedOn(node, parents);
    else if (type === 'Literal' && /^(?:node:)?process$/.test(name))
      found ||= nameOf(parents.at(-1)?.['callee']) === '__vite_ssr_import__';
  });
  return found;
}

/**
 * Whether a node may change what other modules import, whatever these are: it sets a field of an import, or uses
 * `node:process`, `vitest` or a module whose name only a run knows.
 */
export function changesImports(tree: unknown, imports: ReadonlyMap<string, string>): boolean {
  let found = false;
  walk(tree, (node) => {
    const url = imports.get(nameOf(node)) ?? urlOfDynamicImport(node);
    found ||= url !== null && changesAll(url);
    const target = node.type === 'UpdateExpression' ? node['argument'] : node['left'];
    if (/^(?:Assignment|Update)Expression$/.test(node.type))
      found ||= imports.has(nameOf(rootOf(target)));
  });
  return found;
}

/** Whether the module of a URL may change all others; '' is that of any module. */
export function changesAll(url: string): boolean {
  return /^(?:(?:node:)?process|vitest)?$/.test(nameOfPackage(url));
}

/** `a` of `a.b.c` */
function rootOf(value: unknown): unknown {
  const node = within(value);
  return isNode(node, 'MemberExpression') ? rootOf(node['object']) : node;
}

/** A module may have a function or a parameter that is called `process`. */
function namesDeclaredIn(tree: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  walk(tree, (node) => {
    for (const each of [node['id'], ...listIn(node, 'params')])
      if (SHARED.test(nameOf(each))) found.add(nameOf(each));
  });
  return found;
}

/** Whether a module has more than functions and texts: others may change it. */
export const hasState = once((code) => {
  const tree = parse(code);
  return tree === undefined || listIn(tree, 'body').some((each) => !isStateless(each, code));
});

/** Whether a module may do something to others when it is imported, by a statement or the value of a declaration. */
export const hasStatements = once((code) => {
  const imports = readImports(code);
  const reaching = new Set(
    [...imports].flatMap(([name, url]) => (isOwn(nameOfPackage(url)) ? name : [])),
  );
  return listIn(parse(code), 'body').some((each) => {
    if (!isNode(each) || isAddedByVite(code.slice(each.start, each.end))) return false;
    if (!/Declaration$|^Empty/.test(each.type) || reachesOthers(each, reaching)) return true;
    const parts = [each, ...listIn(each, 'declarations').filter((part) => isNode(part))];
    for (const part of parts)
      if (/^Function|^Class/.test(part.type) || mentions(part, reaching))
        walk(part['id'], (id) => reaching.add(nameOf(id)));
    return false;
  });
});

/** Whether a declaration sets a field, or calls or is given something of others, but for what its functions do later. */
function reachesOthers(value: unknown, reaching: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.some((each) => reachesOthers(each, reaching));
  if (!isNode(value) || /Function/.test(value.type)) return false;
  const { type } = value;
  if (type === 'PropertyDefinition' && value['static'] !== true) return false;
  if (/^(?:Assignment|Update)Expression$/.test(type)) return true;
  const isCall = /^(?:Call|New|TaggedTemplate)Expression$/.test(type);
  if (isCall && mentions(value, reaching)) return true;
  return Object.values(value).some((each) => reachesOthers(each, reaching));
}

function mentions(tree: unknown, names: ReadonlySet<string>): boolean {
  let found = false;
  walk(tree, (node) => {
    found ||= node.type === 'Identifier' && names.has(nameOf(node));
  });
  return found;
}

function isStateless(statement: unknown, code: string): boolean {
  if (!isNode(statement)) return true;
  const { type, start, end, kind } = statement;
  if (isAddedByVite(code.slice(start, end)) || type === 'FunctionDeclaration') return true;
  if (type === 'ClassDeclaration') {
    const { body } = statement;
    return listIn(body, 'body').every((each) => isNode(each) && each['static'] !== true);
  }
  return (
    type === 'EmptyStatement' ||
    (kind === 'const' &&
      listIn(statement, 'declarations').every(
        (each) => isNode(each) && isNode(each['init']) && CONSTANT.test(each['init'].type),
      ))
  );
}

/** Imports, `import.meta.env`, and what a module exports. */
export function isAddedByVite(statement: string): boolean {
  return ADDED_BY_VITE.test(statement);
}

const ADDED_BY_VITE =
  /^(?:const __vi\w+__ = await __vite_ssr_|__vite_ssr_(?!import_\d)|Object\.defineProperty\(__vite_ssr_)/;

const CONSTANT = /^(?:Literal|TemplateLiteral|(?:Function|ArrowFunction|Binary|Unary)Expression)$/;

const SHARED = /^(?:globalThis|global|process)$/;

const BUILT_IN =
  /^(?:globalThis|global|process|Math|Date|JSON|Object|Array|String|Promise|console)$/;

const CHANGES = /^(?:stubEnv|stubGlobal|loadEnvFile|chdir)$/;

/** `process.env.A`, `Array.prototype.a` */
function isGlobal(value: unknown): boolean {
  const node = within(value);
  if (!isNode(node, 'MemberExpression')) return false;
  const object = within(node['object']);
  return BUILT_IN.test(nameOf(object)) || isGlobal(object);
}

/** Whether the whole environment or the whole process goes on under another name. */
function isHandedOn(node: Node, parents: readonly Node[]): boolean {
  const at = parents.length - 1;
  const outer = parents[at];
  if (!isNode(outer, 'MemberExpression') || within(outer['object']) !== node)
    return !isNode(outer, 'UnaryExpression') && !isFieldName(node, outer);
  return nameOf(outer) === 'env' && takesWhole(outer, parents.slice(0, at));
}

function isFieldName(node: Node, outer: Node | undefined): boolean {
  const field = outer?.['property'] ?? outer?.['key'];
  return field === node && outer?.['computed'] !== true && outer?.['shorthand'] !== true;
}

function takesWhole(env: Node, parents: readonly Node[]): boolean {
  const outer = parents.findLast(({ type }) => !/^(?:Chain|Parenthesized)Expression$/.test(type));
  if (isNode(outer, 'MemberExpression')) return outer['object'] !== env && !isNode(outer['object']);
  if (isNode(outer, 'VariableDeclarator')) return !isNode(outer['id'], 'ObjectPattern');
  if (isNode(outer, 'CallExpression')) return !READS.test(nameOf(outer['callee']));
  return !isNode(outer, 'SpreadElement') && !isNode(outer, 'BinaryExpression');
}

/** A schema or a list of the environment only reads it. */
const READS = /^(?:(?:safe)?parse(?:Async)?|cleanEnv|createEnv|keys|values|entries)$/;
