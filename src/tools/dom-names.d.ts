/*
 * Names of the DOM's types, which this project leaves out, that the declarations of @modelcontextprotocol/sdk and
 * node-html-markdown mention.
 */
type HeadersInit = NonNullable<RequestInit['headers']>;
interface Node {
  readonly nodeType: number;
  readonly textContent: string | null;
}
interface HTMLElement extends Node {
  readonly tagName: string;
  getAttribute(name: string): string | null;
}
