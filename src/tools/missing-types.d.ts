/* Types of the DOM, which this project leaves out, that the MCP SDK, playwright-core and quickjs-emscripten-core name. */
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

/**
 * The part of unpdf that viva uses. tsconfig.json points here, because unpdf's own types name a
 * library that is not installed.
 */
declare module 'unpdf' {
  /**
   * A piece of text on a page. Lengths are in points, from the lower left corner; `hasEOL` ends a
   * line.
   */
  export type StructuredTextItem = {
    readonly str: string;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly fontSize: number;
    readonly hasEOL: boolean;
  };
  type Document = { readonly numPages: number };
  type Pages = {
    readonly totalPages: number;
    readonly items: readonly (readonly StructuredTextItem[])[];
  };
  /**
   * Takes over the buffer of the bytes. Rejects with a PasswordException, an InvalidPDFException
   * and the like.
   */
  export function getDocumentProxy(
    bytes: Uint8Array,
    options: { readonly verbosity: 0 },
  ): Promise<Document>;
  export function extractTextItems(document: Document): Promise<Pages>;
}

/** Its own types take it for CommonJS, where its default export is another. */
declare module '@jitl/quickjs-wasmfile-release-sync' {
  const variant: import('quickjs-emscripten-core').QuickJSSyncVariant;

  export { variant as default };
}

/** The part of domino that viva uses. Its own types name another module. */
declare module '@mixmark-io/domino' {
  /** An element or a text. Texts have no attributes. */
  export type DomNode = {
    readonly nodeType: number;
    /** In upper case, but in a formula as it is written. */
    readonly nodeName: string;
    textContent: string;
    /** The text of a text or a comment. */
    readonly data?: string;
    readonly childNodes: ArrayLike<DomNode>;
    readonly parentNode: DomNode | null;
    readonly lastChild: DomNode | null;
    readonly previousSibling: DomNode | null;
    readonly nextSibling: DomNode | null;
    getAttribute(name: string): string | null;
    querySelector(selector: string): DomNode | undefined;
    querySelectorAll(selector: string): ArrayLike<DomNode>;
    appendChild(node: DomNode): void;
    /** Without its children. */
    cloneNode(): DomNode;
  };
  export type Document = {
    readonly title: string;
    readonly documentElement: DomNode;
    createElement(name: string): DomNode;
    createTextNode(text: string): DomNode;
  };
  /** With `force`, an empty text is a page too. */
  export function createDocument(html: string, force: boolean): Document;
}

/** The part of turndown that viva uses. It has no types of its own. */
declare module 'turndown' {
  import type { DomNode } from '@mixmark-io/domino';

  export type Rule = Readonly<{
    filter: string | readonly string[];
    /** The Markdown of an element, whose content is Markdown already. */
    replacement(content: string, node: DomNode): string;
  }>;
  export default class Turndown {
    constructor(options: Readonly<Record<string, string>>);
    escape(text: string): string;
    addRule(name: string, rule: Rule): this;
    turndown(page: DomNode): string;
  }
}
