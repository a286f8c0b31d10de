/*
 * Names of the DOM's types, which this project leaves out, that the declarations of @modelcontextprotocol/sdk and
 * node-html-markdown mention. Nothing here uses them.
 */
type HeadersInit = NonNullable<RequestInit['headers']>;
interface Node {
  readonly nodeType: number;
}
interface HTMLElement extends Node {
  readonly tagName: string;
}
