import { isOfPackage, isOfSystem, isOwn, type Meaning } from './module-scope.ts';
import { isNode, listIn, type Node, nameOf } from './syntax-tree.ts';

/** What a function does with a file or a process; 'move' changes what relative paths mean. */
export type Use = 'read' | 'list' | 'glob' | 'write' | 'copy' | 'open' | 'start' | 'move';

/** What functions do, by their names; `sync` and `Sync` behind them say nothing. */
const USES: readonly (readonly [names: RegExp, use: Use])[] = [
  [
    /^(?:readFile|read(?:JSON|Json|Text|TextFile)|createReadStream|openAsBlob|loadEnvFile)$/,
    'read',
  ],
  [/^(?:readdir|opendir)$/, 'list'],
  [/^glob$/, 'glob'],
  [/^Database(?:Sync)?$/, 'open'],
  [/^chdir$/, 'move'],
  [/^(?:spawn|execFile|fork|execa|execaCommand|execaNode|Worker|\$)$/, 'start'],
];

/** These names mean it only of Node's, Bun's and Deno's own modules. */
const USES_OF_SYSTEM: readonly (readonly [names: RegExp, use: Use])[] = [
  [/^(?:open|file|exists|access|l?stat|realpath|ReadStream)$/, 'read'],
  [/^(?:(?:write|append)File|(?:createW|W)riteStream|rename|rm|unlink|outputFile)$/, 'write'],
  [/^(?:write(?:JSON|Json)?|truncate)$/, 'write'],
  [/^(?:cp|copyFile)$/, 'copy'],
  [/^exec$/, 'start'],
];

/** As packages name functions that take the path of a file. */
const OF_PACKAGE = /^(?:(?:read|load|from|import)\w*File|(?:read|load)(?:Json|JSON|Yaml|Toml))$/;

export function useOf(meaning: Meaning | null): Use | null {
  if (meaning?.is !== 'function' || isOwn(meaning.from)) return null;
  const name = meaning.name.replace(/Sync$/, '');
  const table = isOfSystem(meaning.from) ? [...USES, ...USES_OF_SYSTEM] : USES;
  // `DatabaseSync` is a name of its own.
  const found = table.find(([names]) => names.test(name) || names.test(meaning.name));
  if (found !== undefined) return found[1];
  return isOfPackage(meaning.from) && OF_PACKAGE.test(name) ? 'read' : null;
}

/** Whether somebody who has this value may read files, start processes or read the environment. */
export function isOfInterest(meaning: Meaning): boolean {
  if (meaning.is === 'module') return isOfSystem(meaning.from);
  if (meaning.is !== 'function') return meaning.is === 'environment';
  const use = isOfSystem(meaning.from) ? useOf(meaning) : null;
  return use !== null && use !== 'write';
}

/** Whether a value leaves what is followed: calls of it, its fields, and constants that are it. */
export function goesOn(node: Node, parents: readonly Node[]): boolean {
  const at = parents.findLastIndex(({ type }) => !HANDS_ON.test(type));
  const outer = parents[at];
  if (outer === undefined || FOLLOWED.test(outer.type)) return false;
  const child = parents[at + 1] ?? node;
  if (isExportedAsEnv(parents)) return false;
  switch (outer.type) {
    case 'MemberExpression':
      if (outer['object'] === child) return CALLS_LATER.test(nameOf(outer));
      return outer['computed'] === true;
    case 'Property':
      return outer['value'] === child && parents[at - 1]?.type !== 'ObjectPattern';
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return outer['value'] === child;
    case 'AssignmentExpression':
      return outer['right'] === child;
    case 'SpreadElement':
      return parents[at - 1]?.type !== 'ObjectExpression';
    case 'CallExpression':
    case 'NewExpression':
      return outer['callee'] !== child && !isTakenOver(outer, child);
    default:
      return true;
  }
}

/** `readFileSync.bind(null)` */
const CALLS_LATER = /^(?:bind|call|apply)$/;

/** `promisify(f)`, `Object.assign(process.env, { ... })` */
function isTakenOver(call: Node, child: Node): boolean {
  const name = nameOf(call['callee']);
  return name === 'promisify' || (name === 'assign' && listIn(call, 'arguments')[0] === child);
}

/** What takes no value, or whose names `ModuleScope` knows. */
const FOLLOWED =
  /^(?:VariableDeclarator|AssignmentPattern|TaggedTemplateExpression|UnaryExpression|BinaryExpression|ExpressionStatement|IfStatement|ClassDeclaration|Function\w+|RestElement|ObjectPattern)$/;

/** Whoever imports a name "env" is taken to read the environment. */
function isExportedAsEnv(parents: readonly Node[]): boolean {
  return parents.some(
    (each) =>
      isNode(each, 'CallExpression') &&
      /^__vite_ssr_exportName__$|^defineProperty$/.test(nameOf(each['callee'])) &&
      listIn(each, 'arguments').some(
        (given) => isNode(given, 'Literal') && given['value'] === 'env',
      ),
  );
}

/** Nodes that only hand a value on. */
const HANDS_ON =
  /^(?:SequenceExpression|ChainExpression|ParenthesizedExpression|AwaitExpression|LogicalExpression|ConditionalExpression)$/;
