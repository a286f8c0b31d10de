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

/** Visits a node and all nodes in it. */
export function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) walk(each, visit);
  else if (isNode(value)) {
    visit(value);
    for (const field of Object.values(value))
      if (typeof field === 'object' && field !== null) walk(field, visit);
  }
}
