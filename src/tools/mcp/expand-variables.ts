/** Names of variables that a text needs and that have no value. */
export class MissingVariables extends Error {
  override readonly name = 'MissingVariables';
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    super(`no value for ${names.join(', ')}`);
    this.names = names;
  }
}

/**
 * Fills in `${NAME}` and `${NAME:-default}`; an empty variable counts as unset where there is a default, as in a shell.
 * Once only: what a variable holds is not looked through. Throws MissingVariables.
 */
export function expandVariables(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const missing: string[] = [];
  const expanded = text.replace(VARIABLE, (_, name: string, fallback: string | undefined) => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value !== undefined && (value !== '' || fallback === undefined)) return value;
    if (fallback === undefined) missing.push(name);
    return fallback ?? '';
  });
  if (missing.length > 0) throw new MissingVariables(missing);
  return expanded;
}

/** The names of the variables that a text would be filled in from. */
export function listVariables(text: string): readonly string[] {
  return [...text.matchAll(VARIABLE)].flatMap(([, name]) => name ?? []);
}

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;
