import { parseAst } from 'vitest/node';
import { tryOrUndefined } from '../words/show.ts';
import { changesGlobals, changesImports } from './global-changes.ts';
import { readImports, urlOfDynamicImport } from './module-scope.ts';
import { isInAny, isNode, isUse, listIn, type Node, nameOf, walk, within } from './syntax-tree.ts';

/** The fields of a definition whose records and texts are in the hash of each question. */
const IN_QUESTION = /^(?:data|prompt|predictions)$/;

/** The fields of a definition that matter only once an agent has answered. */
export const JUDGES = /^(?:score|scores|pass|extract|matcher)$/;

/** Code without what makes questions, and the URLs of the modules that this uses. */
type WithoutQuestions = Readonly<{ code: string; used: readonly string[] }>;

/**
 * The code that Vite makes of an eval file, with blanks in place of what makes its questions: `data`, `prompt`
 * and `predictions` of its definitions, and the declarations that these alone use. What they share with
 * an agent or do to something global may change its answers, and stays; what they may do to a module that
 * they use, the code alone does not say.
 */
export function withoutQuestions(code: string): WithoutQuestions {
  return withoutFields(code, IN_QUESTION);
}

/** The code without what looks at answers, which comes too late to change them. */
export function withoutJudges(code: string): string {
  return withoutFields(code, JUDGES).code;
}

function withoutFields(code: string, fields: RegExp): WithoutQuestions {
  const tree: unknown = tryOrUndefined(() => parseAst(code));
  const names = new Names(tree);
  const all = findParts(tree, names, fields);
  const imports = readImports(code);
  const own = names.listOwn(all);
  const parts = all.filter((part) => {
    const used = names.listUsed([part]);
    const isSafe = used.every((name) => own.has(name) || names.isUnchangeable(name));
    const nodes = [part, ...names.nodesOf(used)];
    return isSafe && !nodes.some((node) => changesGlobals(node) || changesImports(node, imports));
  });
  const blanks = [...parts, ...names.nodesOf(names.listOwn(parts))];
  const used = new Set<string>();
  walk([...blanks, ...names.nodesOf(names.listUsed(parts))], (node) => {
    const url = imports.get(nameOf(node)) ?? urlOfDynamicImport(node);
    if (url !== null) used.add(url);
  });
  return { code: blanks.reduce(blank, code), used: [...used] };
}

function blank(code: string, { start, end, type }: Node): string {
  // A name alone reads nothing, and may stand for a field as in `{ data }`.
  if (type === 'Identifier' || type === 'VariableDeclarator') return code;
  const filler = (type.endsWith('Declaration') ? '' : '0').padEnd(end - start);
  return code.slice(0, start) + filler + code.slice(end);
}

/** The names that the top of a module declares, and where they are used. */
class Names {
  /** What a name stands for: the value of a variable, or a function. */
  readonly #declared = new Map<string, Node>();
  readonly #variable = new Set<string>();
  readonly #uses: (readonly [name: string, use: Node])[] = [];

  constructor(tree: unknown) {
    for (const each of listIn(tree, 'body')) this.#declare(each);
    walk(tree, (node, parents) => {
      if (this.#declared.has(nameOf(node)) && isUse(node, parents.at(-1)))
        this.#uses.push([nameOf(node), node]);
    });
  }

  #declare(statement: unknown): void {
    if (!isNode(statement)) return;
    if (isNode(statement['id'])) this.#declared.set(nameOf(statement['id']), statement);
    for (const each of listIn(statement, 'declarations')) {
      if (!isNode(each) || IMPORTED.test(nameOf(each['id']))) continue;
      const { id, init } = each;
      walk(id, (node) => {
        if (!isNode(node, 'Identifier')) return;
        this.#declared.set(nameOf(node), isNode(id, 'Identifier') && isNode(init) ? init : each);
        if (statement['kind'] !== 'const' || !isNode(id, 'Identifier'))
          this.#variable.add(nameOf(node));
      });
    }
  }

  /** The value of a name that is used once; null for others. */
  onlyUseOf(name: string): unknown {
    const uses = this.#uses.filter(([each]) => each === name);
    return uses.length === 1 ? within(this.#declared.get(name)) : null;
  }

  nodesOf(names: Iterable<string>): readonly Node[] {
    return [...names].flatMap((name) => this.#declared.get(name) ?? []);
  }

  /** The names that nodes use, also by way of other names. */
  listUsed(nodes: readonly Node[]): readonly string[] {
    const found = new Set<string>();
    const add = (inside: readonly Node[]): void => {
      for (const [name, use] of this.#uses) {
        if (found.has(name) || !isInAny(use, inside)) continue;
        found.add(name);
        add(this.nodesOf([name]));
      }
    };
    add(nodes);
    return [...found];
  }

  /** The names that nodes use, and nothing else does. */
  listOwn(nodes: readonly Node[]): ReadonlySet<string> {
    const own = new Set(this.listUsed(nodes).filter((name) => !this.#isOfPattern(name)));
    for (let size = -1; size !== own.size; ) {
      size = own.size;
      const inside = [...nodes, ...this.nodesOf(own)];
      for (const [name, use] of this.#uses) if (!isInAny(use, inside)) own.delete(name);
    }
    return own;
  }

  #isOfPattern(name: string): boolean {
    const node = this.#declared.get(name);
    return isNode(node, 'VariableDeclarator') && !isNode(node['id'], 'Identifier');
  }

  /** A text or a function, which nobody changes. */
  isUnchangeable(name: string): boolean {
    const value = within(this.#declared.get(name));
    if (!isNode(value) || this.#variable.has(name)) return false;
    const of = value.type === 'MemberExpression' ? value : value['callee'];
    return (
      /^(?:Literal|TemplateLiteral|\w*Function\w*)$/.test(value.type) || OF_PATH.test(nameOf(of))
    );
  }
}

/** Imports have names that Vite gives them. */
const IMPORTED = /^__vi/;

const OF_PATH = /^(?:join|resolve|URL|fileURLToPath|dirname|filename|url)$/;

/** The values of some fields in all definitions. */
function findParts(tree: unknown, names: Names, fields: RegExp): readonly Node[] {
  const found: Node[] = [];
  walk(tree, (node) => {
    if (node.type !== 'CallExpression' || nameOf(node['callee']) !== 'defineEval') return;
    const given = within(listIn(node, 'arguments')[1]);
    const named = isNode(given, 'Identifier') ? names.onlyUseOf(nameOf(given)) : given;
    for (const each of listIn(named, 'properties')) {
      if (!isNode(each, 'Property') || each['computed'] === true) continue;
      const { key, value } = each;
      if (fields.test(nameOf(key)) && isNode(value)) found.push(value);
    }
  });
  return found;
}
