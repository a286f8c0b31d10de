import { parseAst } from 'vitest/node';
import { readImports } from './module-scope.ts';
import { isNode, listIn, type Node, nameOf, walk } from './syntax-tree.ts';

/**
 * An agent that an eval file imports: the URL of its module in Vite, and what it is there, such as
 * "default".
 */
type ImportedAgent = { readonly url: string; readonly name: string };

/** What the code of an eval file says of its agents. */
export type FoundAgents = {
  /**
   * The imported agents by the name of their suite, as in `defineEval('sums', { agent })`, or by
   * "sums#small" for `agents: { small }`. Such an agent does not depend on the eval file.
   */
  readonly imported: ReadonlyMap<string, ImportedAgent>;
  /** The paths and specs in `agents`. */
  readonly named: readonly string[];
  /**
   * The URLs of the modules that the file calls, gives to a call or changes, other than to judge answers: a
   * function such as `data` may configure an agent.
   */
  readonly called: ReadonlySet<string>;
};

/**
 * Finds the agents in the code that Vite makes of an eval file for Node. None counts as imported if
 * the file may change what it imports: if it has other statements than imports, declarations and
 * `await defineEval`, or imports a module for its effects.
 */
export function findSuiteAgents(code: string): FoundAgents {
  const { body }: { readonly body: readonly unknown[] } = parseAst(code);
  const modules = readImports(code);
  const textOf = ({ start, end }: Node) => code.slice(start, end);
  const statements = body.filter(
    (each): each is Node => isNode(each) && !isAddedByVite(textOf(each)),
  );
  const isDeclaration = ({ type }: Node) => /Declaration$|^Empty/.test(type);
  const others = statements.filter((each) => !isDeclaration(each));
  const calls = others.map((statement) => readCall(statement, textOf));
  const agents = calls.flatMap((call) => call ?? []);
  const named = agents.flatMap(({ value }) =>
    isNode(value, 'Literal') && typeof value['value'] === 'string' ? value['value'] : [],
  );
  const isForEffects = (name: string) => code.split(name).length === 2;
  if (ASSIGNED.test(code) || calls.includes(null) || [...modules.keys()].some(isForEffects))
    return { imported: new Map(), named, called: new Set() };
  const imported = agents.flatMap(({ place, value }): [string, ImportedAgent][] => {
    const written = textOf(value).replace(/^\(?0,\s*(.*?)\)?$/, '$1');
    const [, module = '', name = ''] = /^(__vi\w+__)\.([\w$.]+)$/.exec(written) ?? [];
    const url = modules.get(module);
    return url === undefined ? [] : [[place, { url, name }]];
  });
  const called = findCalled(statements, textOf).flatMap((name) => modules.get(name) ?? []);
  return { imported: new Map(imported), named, called: new Set(called) };
}

/** The imported modules in calls, `new`, tags and assignments. */
function findCalled(statements: readonly Node[], textOf: (node: Node) => string) {
  const found = new Set<string>();
  walk(statements, (node, parents) => {
    const isChange = /^(?:Call|New|TaggedTemplate|Assignment|Update)Expression$/.test(node.type);
    if (!isChange || isDefinition(node, textOf) || parents.some((each) => isJudging(each, parents)))
      return;
    for (const [name] of textOf(node).matchAll(/__vi\w+_import_\d+__/g)) found.add(name);
  });
  return [...found];
}

function isDefinition(node: Node, textOf: (node: Node) => string): boolean {
  const { callee } = node;
  return isNode(callee) && /\bdefineEval\)?$/.test(textOf(callee));
}

/** A field of a definition that is no part of what happens before an agent answers. */
function isJudging(node: Node, parents: readonly Node[]): boolean {
  // The statement, its `await`, the call, the definition, and the field.
  const isOfDefinition = parents.indexOf(node) <= 4 && parents[0]?.type === 'ExpressionStatement';
  return (
    isOfDefinition &&
    isNode(node, 'Property') &&
    /^(?:agents?|score|scores|pass|extract|matcher|schema|map|group|cluster)$/.test(
      nameOf(node['key']),
    )
  );
}

/** Where a configuration file imports the factory of a kind from; null if it writes or makes it. */
export function findFactoryImport(code: string, kind: string): ImportedAgent | null {
  const named = new RegExp(
    `(?<=[{,\\s'"])${kind}['"]?: (?:\\(0, ?)?(__vi\\w+__)\\.([\\w$]+)\\)?(?=\\s*[,}])`,
    'g',
  );
  const [found, ...others] = code.matchAll(named);
  const [, module = '', name = ''] = found ?? [];
  const url = others.length > 0 || ASSIGNED.test(code) ? undefined : readImports(code).get(module);
  return url === undefined ? null : { url, name };
}

/** A field of an import gets a value, also inside a function. */
const ASSIGNED = /__vi\w+_import_\d+__\.[\w.$]+\s*[-+*/|&?]*=(?![=>])/;

/** Imports, `import.meta.env`, and what the module exports. */
function isAddedByVite(statement: string): boolean {
  return /^(?:const __vi\w+__ = await __vite_ssr_|__vite_ssr_|Object\.defineProperty\(__vite_ssr_)/.test(
    statement,
  );
}

/** The agents of `await defineEval('name', { agents })` as written; null for other statements. */
function readCall({ expression }: Node, textOf: (node: Node) => string) {
  const call = isNode(expression, 'AwaitExpression') ? expression['argument'] : null;
  if (!isNode(call, 'CallExpression') || !isNode(call['callee'])) return null;
  if (!/\bdefineEval\)?$/.test(textOf(call['callee']))) return null;
  const [name, definition] = listIn(call, 'arguments');
  const suite = isNode(name, 'Literal') ? String(name['value']) : '';
  return listProperties(definition).flatMap(({ key, value }) => {
    if (key === 'agent') return [{ place: suite, value }];
    return key === 'agents'
      ? listProperties(value).map((agent) => ({
          place: `${suite}#${agent.key}`,
          value: agent.value,
        }))
      : [];
  });
}

/** The properties of an object that are not replaced: what is spread after them may do so. */
function listProperties(
  object: unknown,
): readonly { readonly key: string; readonly value: Node }[] {
  const properties = listIn(object, 'properties');
  const spread = properties.findLastIndex((each) => isNode(each, 'SpreadElement'));
  return properties.slice(spread + 1).flatMap((each) => {
    if (!isNode(each, 'Property') || each['computed'] === true) return [];
    const { key, value } = each;
    if (!isNode(key) || !isNode(value)) return [];
    return [{ key: String(key['name'] ?? key['value']), value }];
  });
}
