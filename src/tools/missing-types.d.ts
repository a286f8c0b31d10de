/* Types of the DOM, which this project leaves out, that the MCP SDK, playwright-core and quickjs-emscripten name. */
type HeadersInit = NonNullable<RequestInit['headers']>;
type Node = object;
type HTMLElement = { getAttribute(name: string): string | null };
type SVGElement = HTMLElement;
type HTMLElementTagNameMap = { readonly a: HTMLElement };
/** Node has it, but its types come with the DOM's. */
declare namespace WebAssembly {
  class Memory {
    constructor(limits: { readonly initial: number; readonly maximum: number });
    readonly buffer: ArrayBuffer;
  }
  class Module {}
  class Instance {}
  type Imports = Record<string, Record<string, unknown>>;
  type Exports = Record<string, unknown>;
}
