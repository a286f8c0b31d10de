import { createRequire } from 'node:module';
import { isFields } from '../words/fields.ts';
import { tryOrUndefined } from '../words/show.ts';

/** Vite is a package of Vitest, not of viva. From version 8 on it has a printer of code. */
const vite = tryOrUndefined((): unknown =>
  createRequire(import.meta.resolve('vitest/node'))('vite'),
);
const print: unknown = isFields(vite) ? vite['minifySync'] : undefined;

const AS_WRITTEN = { compress: false, mangle: false, codegen: { removeWhitespace: false } };

/**
 * The code without comments and in one layout, so that an edit of these makes no other code; null below
 * Vite 8, and for code that has errors.
 */
export function toPlainCode(code: string): string | null {
  if (typeof print !== 'function') return null;
  const printed: unknown = tryOrUndefined(() => print('module.js', code, AS_WRITTEN));
  const { code: plain, errors } = isFields(printed) ? printed : {};
  const isWhole = Array.isArray(errors) && errors.length === 0;
  return isWhole && typeof plain === 'string' ? plain : null;
}
