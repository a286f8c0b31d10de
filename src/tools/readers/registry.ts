import type { FileKind } from './file-kind.ts';

/** What a reader finds in a file. */
export type Reading = {
  readonly text: string;
  /** Of a PDF. */
  readonly pages?: number;
};

type Reader = (bytes: Uint8Array, name: string) => Reading | Promise<Reading>;

/** The readers that need a library, by kind; each is loaded on first use. To add one: its file, and a line here. */
export const READERS: Readonly<Partial<Record<FileKind, () => Promise<Reader>>>> = {
  pdf: async () => (await import('./pdf.ts')).readPdf,
  docx: async () => (await import('./docx.ts')).readDocx,
  xlsx: async () => (await import('./xlsx/workbook.ts')).readXlsx,
  pptx: async () => (await import('./pptx.ts')).readPptx,
};
