type Importer = (url: string) => Promise<unknown>;

let importer: Importer = (url) => import(url);

/** Has the user's modules imported in another way: in a worker Vite compiles them, and knows the files they import. */
export function importModulesBy(other: Importer): void {
  importer = other;
}

/** Imports a module of the user's by its URL. */
export function importModule(url: string): Promise<unknown> {
  return importer(url);
}
