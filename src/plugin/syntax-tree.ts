import { isFields } from '../words/fields.ts';

/** A node of a syntax tree, as Vite's `parseAst` makes it. */
export type Node = Readonly<Record<string, unknown>> & {
  readonly type: string;
  readonly start: number;
  readonly end: number;
};

export function isNode(value: unknown, type?: string): value is Node {
  if (!isFields(value) || typeof value['type'] !== 'string' || typeof value['start'] !== 'number')
    return false;
  return type === undefined || value['type'] === type;
}

/** The list in a field of a node, such as the arguments of a call; empty without one. */
export function listIn(node: unknown, field: string): readonly unknown[] {
  const list = isNode(node) ? node[field] : null;
  return Array.isArray(list) ? list : [];
}

/** Visits a node and all nodes in it, each with the nodes that it is in, the nearest last. */
export function walk(
  value: unknown,
  visit: (node: Node, parents: readonly Node[]) => void,
  parents: Node[] = [],
): void {
  if (Array.isArray(value)) for (const each of value) walk(each, visit, parents);
  else if (isNode(value)) {
    visit(value, parents);
    parents.push(value);
    for (const field of Object.values(value))
      if (typeof field === 'object' && field !== null) walk(field, visit, parents);
    parents.pop();
  }
}

/** The expression in `(0, f)`, `a?.b` and `await x`, whose value it is. */
export function within(node: unknown): unknown {
  if (!isNode(node)) return node;
  if (node.type === 'SequenceExpression') return within(listIn(node, 'expressions').at(-1));
  if (node.type === 'ChainExpression' || node.type === 'ParenthesizedExpression')
    return within(node['expression']);
  return node.type === 'AwaitExpression' ? within(node['argument']) : node;
}

/** `readFile` of `readFile`, `fs.promises.readFile` and `(0, module.readFile)`; '' for no name. */
export function nameOf(value: unknown): string {
  const node = within(value);
  if (isNode(node, 'MemberExpression'))
    return node['computed'] !== true || isNode(node['property'], 'Literal')
      ? nameOf(node['property'])
      : '';
  if (isNode(node, 'Literal')) return String(node['value']);
  return isNode(node, 'Identifier') ? String(node['name']) : '';
}

/** Whether a node is in one of some others. */
export function isInAny({ start, end }: Node, nodes: readonly Node[]): boolean {
  return nodes.some((node) => node.start <= start && end <= node.end);
}

/** Whether a node is a name in use: neither its declaration nor the name of a field. */
export function isUse(node: Node, parent: Node | undefined): boolean {
  if (node.type !== 'Identifier' || parent === undefined) return false;
  if (parent.type === 'MemberExpression')
    return parent['object'] === node || parent['computed'] === true;
  if (parent.type === 'Property')
    return parent['value'] === node || parent['computed'] === true || parent['shorthand'] === true;
  return parent['id'] !== node;
}
