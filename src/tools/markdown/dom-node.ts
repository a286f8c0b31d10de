/** What is read of a parsed HTML node, whichever library parsed it. */
export type DomNode = {
  /** Absent of a text. */
  readonly tagName?: string | null;
  readonly textContent: string | null;
  readonly childNodes: readonly DomNode[];
  getAttribute?(name: string): string | null | undefined;
};

/** In small letters; "" of a text. */
export function nameOf({ tagName }: DomNode): string {
  return (tagName ?? '').toLowerCase();
}

export function elementsOf(node: DomNode): readonly DomNode[] {
  return node.childNodes.filter((child) => nameOf(child) !== '');
}

/** The outermost elements with one of these names, in their order; not looked for inside those of `closed`. */
export function findWithin(
  node: DomNode,
  names: readonly string[],
  closed: readonly string[] = [],
): readonly DomNode[] {
  return elementsOf(node).flatMap((child) => {
    if (names.includes(nameOf(child))) return [child];
    return closed.includes(nameOf(child)) ? [] : findWithin(child, names, closed);
  });
}
