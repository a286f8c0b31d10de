// The part of unpdf that is used; tsconfig.json points here, because the package's own declarations name types of the
// DOM and of a drawing library that is not installed.

/** A piece of text on a page; lengths in points, from the lower left corner. */
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

/** Takes the bytes' buffer for itself. Rejects with a PasswordException, an InvalidPDFException and the like. */
export function getDocumentProxy(bytes: Uint8Array, options: { readonly verbosity: 0 }): Promise<Document>;

export function extractTextItems(
  document: Document,
): Promise<{ readonly totalPages: number; readonly items: readonly (readonly StructuredTextItem[])[] }>;
