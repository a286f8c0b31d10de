/** What a reader finds in a file. */
export type Reading = {
  readonly text: string;
  /** Of a PDF. */
  readonly pages?: number;
};

type Reader = (bytes: Uint8Array, name: string) => Reading | Promise<Reading>;

/** Readers by kind of file. Each is loaded on first use, with its library. To add one: its file and a line here. */
export const READERS = {
  pdf: async () => (await import('./pdf.ts')).readPdf,
  docx: async () => (await import('./docx.ts')).readDocx,
  xlsx: async () => (await import('./xlsx.ts')).readXlsx,
  pptx: async () => (await import('./pptx.ts')).readPptx,
} as const satisfies Readonly<Record<string, () => Promise<Reader>>>;

/** The kinds of files that have a reader. */
export type DocumentKind = keyof typeof READERS;

/** Why a file cannot be read, for a model. The sentence continues the file's name: "is encrypted ...". */
export class ReadError extends Error {
  override readonly name = 'ReadError';
}
