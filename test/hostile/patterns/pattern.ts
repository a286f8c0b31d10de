/** A regular expression and where it was found. */
export type Pattern = { readonly source: string; readonly flags: string; readonly where: string };
