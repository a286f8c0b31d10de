// The part of unpdf that is used. tsconfig.json points here, because the package's own declarations name types of the DOM
// and of a drawing library that is not installed.

/** A piece of text on a page. Lengths are in points, from the lower left corner. */
export type StructuredTextItem = {
  readonly str: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly fontSize: number;
  /** True when a line ends with it. */
  readonly hasEOL: boolean;
};

type Document = { readonly numPages: number };
type Pages = { readonly totalPages: number; readonly items: readonly (readonly StructuredTextItem[])[] };

/** Keeps the bytes' buffer. Rejects with a PasswordException, an InvalidPDFException and the like. */
export function getDocumentProxy(bytes: Uint8Array, options: { readonly verbosity: 0 }): Promise<Document>;
export function extractTextItems(document: Document): Promise<Pages>;
