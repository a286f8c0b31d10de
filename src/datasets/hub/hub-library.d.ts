// The part of @huggingface/hub that is used; tsconfig.json points here, because the package's own declarations do not
// pass `skipLibCheck: false` (they override properties of Blob by accessors).

type Access = {
  readonly hubUrl: string;
  readonly fetch: typeof fetch;
  /** Must begin with "hf_". */
  readonly accessToken?: string;
};

/** Rejects with what `fetch` rejects with. */
export function datasetInfo(
  params: Access & { readonly name: string; readonly revision: string; readonly additionalFields: readonly 'sha'[] },
): Promise<{ readonly sha?: unknown }>;

/** Follows the pages of the list. Entries are not checked. */
export function listFiles(
  params: Access & {
    readonly repo: { readonly type: 'dataset'; readonly name: string };
    readonly revision: string;
    readonly recursive: boolean;
  },
): AsyncGenerator<unknown>;
