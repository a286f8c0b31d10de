import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/**
 * Options of Node's permission model that let a child process read the installed packages: by the folder's name here
 * and, where that is a link, by the folder behind it, since Node looks at both.
 */
export function packagesAccess(): readonly string[] {
  const folders = existsSync(PACKAGES) ? [PACKAGES, realpathSync(PACKAGES)] : [];
  return [...new Set(folders)].map((folder) => `--allow-fs-read=${folder}`);
}
