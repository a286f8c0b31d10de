/*
 * Names of the DOM's types, which this project leaves out, that the declarations of @modelcontextprotocol/sdk,
 * node-html-markdown and playwright-core mention.
 */
type HeadersInit = NonNullable<RequestInit['headers']>;
interface Node {
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly childNodes: readonly Node[];
}
interface HTMLElement extends Node {
  readonly tagName: string;
  getAttribute(name: string): string | null;
}
interface SVGElement extends Node {
  readonly ownerSVGElement: SVGElement | null;
  getAttribute(name: string): string | null;
}
interface HTMLElementTagNameMap {
  readonly a: HTMLElement;
}
