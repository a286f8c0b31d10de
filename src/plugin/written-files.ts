import { parseAst } from 'vitest/node';
import { isKnown, ProjectFiles } from '../agents/project-files.ts';
import { tryOrUndefined } from '../words/show.ts';
import { ModuleScope, type Place } from './module-scope.ts';
import { isInAny, isNode, isUse, listIn, type Node, nameOf, walk, within } from './syntax-tree.ts';

/** A function or a class at the top of a module that writes to the path which is its argument `index`, and may read it. */
export type Writer = Readonly<{ name: string; index: number; isReader: boolean }>;

/** Files that code writes, and those of them that it names in other places too. */
export type WrittenFiles = Readonly<{ files: readonly string[]; again: readonly string[] }>;

export const NOTHING_WRITTEN: WrittenFiles = { files: [], again: [] };

/** Who has the path of a write as a parameter: a function, or a class that keeps it in a field. */
export function findWriter(path: unknown, parents: readonly Node[]): Writer | null {
  const node = within(path);
  const isField = isNode(node, 'MemberExpression') && isNode(node['object'], 'ThisExpression');
  const at = parents.findLastIndex((each) =>
    isField ? each.type.startsWith('Class') && isNode(each['body']) : indexIn(each, node) >= 0,
  );
  const [owner, outer] = [parents[at], parents[at - 1]];
  const name = nameOf(owner?.['id'] ?? (isNode(outer, 'VariableDeclarator') ? outer['id'] : null));
  const index = isField ? indexOfField(owner, node) : indexIn(owner, node);
  // Imports see what is at the top alone.
  const isOnTop = parents
    .slice(0, at)
    .every(({ type }) => /^Program$|^Variable|^Export/.test(type));
  if (!isOnTop || name === '' || index < 0) return null;
  return { name, index, isReader: isReadIn(owner, node) };
}

/** Whether a function or a class uses a path, a parameter or a field, otherwise than to write to it. */
function isReadIn(owner: unknown, path: unknown): boolean {
  const name = isNode(path, 'MemberExpression') ? path['property'] : path;
  let found = false;
  walk(owner, (node, parents) => {
    const outer = parents.at(-1);
    const isField = isNode(outer, 'MemberExpression') && isNode(outer['object'], 'ThisExpression');
    const isSame = isNode(name) && node.type === name.type && node['name'] === name['name'];
    if (!isSame || !(isNode(path, 'MemberExpression') ? isField : isUse(node, outer))) return;
    const isTold = parents.some(
      (each) => each.type === 'CallExpression' && NO_READING.test(nameOf(each['callee'])),
    );
    const isKept = isField && isNode(parents.at(-2), 'AssignmentExpression');
    const isParameter =
      listIn(outer, 'params').includes(node) || outer?.type === 'AssignmentPattern';
    found ||= !(isTold || isKept || isParameter);
  });
  return found;
}

const NO_READING =
  /^(?:write|append|output|rm|unlink|rename|truncate|createWriteStream|mkdir|dirname|console)/;

/** The index of a parameter, also with a default. */
function indexIn(owner: unknown, name: unknown): number {
  if (!isNode(name, 'Identifier')) return -1;
  return listIn(owner, 'params').findIndex(
    (each) => nameOf(isNode(each, 'AssignmentPattern') ? each['left'] : each) === name['name'],
  );
}

/** The index of the parameter of a constructor that a class keeps in a field. */
function indexOfField(owner: unknown, { property }: Node): number {
  const members = listIn(isNode(owner) ? owner['body'] : null, 'body');
  const made = members.find((each) => isNode(each) && each['kind'] === 'constructor');
  const value = isNode(made) ? made['value'] : null;
  let index = -1;
  walk(value, ({ type, left, right }) => {
    const isKept =
      type === 'AssignmentExpression' &&
      isNode(left, 'MemberExpression') &&
      isNode(left['object'], 'ThisExpression') &&
      isNode(left['property']) &&
      isNode(property) &&
      left['property']['name'] === property['name'];
    if (isKept) index = indexIn(value, within(right));
  });
  return index;
}

/**
 * The files whose paths some code gives to functions and classes that write them. `writersOf` has those of a
 * module by its URL, and of the code itself by ''.
 */
export function findGiven(
  code: string,
  writersOf: (url: string) => readonly Writer[],
  place: Place,
): WrittenFiles {
  const tree: unknown = tryOrUndefined(() => parseAst(code));
  const scope = new ModuleScope(code, tree, place);
  const files = new ProjectFiles(place.root, place.file, place.folders);
  const found: string[] = [];
  const read: string[] = [];
  const places: Node[] = [];
  walk(tree, (node) => {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return;
    const callee = within(node['callee']);
    const object = isNode(callee, 'MemberExpression') ? callee['object'] : null;
    const url = object === null ? '' : scope.importOf(object);
    if (url === null || (url === '' && scope.isAmbiguous(nameOf(callee)))) return;
    for (const { name, index, isReader } of writersOf(url)) {
      const path = nameOf(callee) === name ? listIn(node, 'arguments')[index] : null;
      const text = scope.evaluate(path);
      if (!isNode(path) || !isKnown(text)) continue;
      places.push(path);
      const paths = files.resolveFromRoot(text.join(''));
      found.push(...paths);
      if (isReader) read.push(...paths);
    }
  });
  const again = listNamedAgain(tree, scope, files, { files: found, places });
  return { files: found, again: [...read, ...again] };
}

/** The written files that code names in other places than those where it writes them. */
export function listNamedAgain(
  tree: unknown,
  scope: ModuleScope,
  files: ProjectFiles,
  written: { readonly files: readonly string[]; readonly places: readonly Node[] },
): readonly string[] {
  if (written.files.length === 0) return [];
  const passed = [...written.places];
  walk(tree, (node) => {
    if (node.type === 'CallExpression' && NAMES_ONLY.test(nameOf(node['callee'])))
      passed.push(node);
    // A constant is named where it is used.
    const { type, init } = node;
    if (type === 'VariableDeclarator' && isNode(init) && isKnown(scope.evaluate(init)))
      passed.push(init);
  });
  const found = new Set<string>();
  walk(tree, (node, parents) => {
    if (!IS_TEXT.test(node.type) || isInAny(node, passed)) return;
    if (node.type === 'Identifier' && !isUse(node, parents.at(-1))) return;
    const text = scope.evaluate(node);
    if (isKnown(text)) for (const path of files.resolve(text.join(''))) found.add(path);
  });
  return written.files.filter((path) => found.has(path));
}

const IS_TEXT = /^(?:Literal|TemplateLiteral|Identifier|(?:Member|Call|New|Binary)Expression)$/;

/** Calls that neither read nor write a file whose path they get. */
const NAMES_ONLY = /^(?:mkdir(?:Sync)?|dirname|__vite_ssr_exportName__|defineProperty)$/;
