import { isAbsolute, relative, resolve, sep } from 'node:path';
import { escapeControls } from './show-value.ts';

/** A path as messages show it: relative to the working folder when inside it, else as given. */
export function showPath(path: string): string {
  const inside = relative(process.cwd(), resolve(path));
  const leaves = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return escapeControls(leaves ? path : inside || '.');
}
