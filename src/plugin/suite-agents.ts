import { parseAst } from 'vitest/node';
import { changesAll, changesGlobals, isAddedByVite } from './global-changes.ts';
import { readImports, urlOfDynamicImport } from './module-scope.ts';
import { JUDGES } from './question-parts.ts';
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
  /** The URLs of the modules of its agents, and of those that functions in `agents` use. */
  readonly ofAgents: ReadonlySet<string>;
  /** The URLs of what else it imports for more than to judge answers. */
  readonly others: ReadonlySet<string>;
  /** Those of them that it calls, gives a name or changes: `data` may configure an agent. */
  readonly changed: ReadonlySet<string>;
  /**
   * Whether it may change any agent: it changes a field of an import or something global, has other statements
   * than imports, declarations and `await defineEval`, or imports a module for its effects, or uses
   * `node:process`, `vitest` or any module.
   */
  readonly isChanging: boolean;
};

/** Finds the agents in the code that Vite makes of an eval file for Node, and what may change them. */
export function findSuiteAgents(code: string): FoundAgents {
  const tree = parseAst(code);
  const { body }: { readonly body: readonly unknown[] } = tree;
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
  const uses = findUses(statements, modules);
  const imported = agents.flatMap(({ place, value }): [string, ImportedAgent][] => {
    const written = textOf(value).replace(/^\(?0,\s*(.*?)\)?$/, '$1');
    const [, module = '', name = ''] = /^(__vi\w+__)\.([\w$.]+)$/.exec(written) ?? [];
    const url = modules.get(module);
    return url === undefined ? [] : [[place, { url, name }]];
  });
  return {
    imported: new Map(imported),
    named,
    ...uses,
    isChanging:
      ASSIGNED.test(code) ||
      calls.includes(null) ||
      [...modules.keys()].some(isForEffects) ||
      [...uses.others].some(changesAll) ||
      changesGlobals(statements),
  };
}

/** What the imports of an eval file are used for. */
function findUses(
  statements: readonly Node[],
  modules: ReadonlyMap<string, string>,
): Pick<FoundAgents, 'ofAgents' | 'others' | 'changed'> {
  const ofAgents = new Set<string>();
  const others = new Set<string>();
  const changed = new Set<string>();
  walk(statements, (node, parents) => {
    const url = node.type === 'Identifier' ? modules.get(nameOf(node)) : urlOfDynamicImport(node);
    if (url === undefined || url === null || nameOf(parents.at(-1)) === 'defineEval') return;
    const at = parents.findIndex((each, index) => index <= 4 && each.type === 'Property');
    // The statement, its `await`, the call, the definition, and the field.
    const field = parents[0]?.type === 'ExpressionStatement' ? nameOf(parents[at]?.['key']) : '';
    if (OF_AGENTS.test(field)) ofAgents.add(url);
    else if (!JUDGES.test(field)) {
      others.add(url);
      const isValue = field !== '' && parents.slice(at).every(({ type }) => IS_VALUE.test(type));
      if (!isValue) changed.add(url);
    }
  });
  return { ofAgents, others, changed };
}

const OF_AGENTS = /^agents?$/;

/** A value that stands in a definition changes nothing. */
const IS_VALUE =
  /^(?:Property|(?:Object|Array|Member|Sequence|Conditional)Expression|SpreadElement)$/;

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
