import { parseAst } from 'vitest/node';
import { isNode, listIn, type Node } from './syntax-tree.ts';

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
    return { imported: new Map(), named };
  /** Declarations that call something, such as `configure` of the agent's module. */
  const called = statements.filter(callsAtOnce).map(textOf).join('');
  const imported = agents.flatMap(({ place, value }): [string, ImportedAgent][] => {
    const written = textOf(value).replace(/^\(?0,\s*(.*?)\)?$/, '$1');
    const [, module = '', name = ''] = /^(__vi\w+__)\.([\w$.]+)$/.exec(written) ?? [];
    const url = modules.get(module);
    return url === undefined || called.includes(module) ? [] : [[place, { url, name }]];
  });
  return { imported: new Map(imported), named };
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

/** The modules that the code of Vite imports, by the names that Vite gives them. */
function readImports(code: string): ReadonlyMap<string, string> {
  const imports = code.matchAll(/const (__vi\w+__) = await __vite_ssr_import__\("([^"]*)"/g);
  return new Map([...imports].map(([, name = '', url = '']) => [name, url]));
}

/** Imports, `import.meta.env`, and what the module exports. */
function isAddedByVite(statement: string): boolean {
  return /^(?:const __vi\w+__ = await __vite_ssr_|__vite_ssr_|Object\.defineProperty\(__vite_ssr_)/.test(
    statement,
  );
}

/** `const used = configure('fast')` */
function callsAtOnce(declaration: Node): boolean {
  return listIn(declaration, 'declarations').some((each) => {
    const init = isNode(each) ? each['init'] : null;
    return isNode(init) && /^(?:Call|New|Await|TaggedTemplate)Expression$/.test(init.type);
  });
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
