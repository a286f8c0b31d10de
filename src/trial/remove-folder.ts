import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Removes a work folder with all that an agent left there, also folders that it locked. What cannot be removed all the
 * same stays, without an error: that is no failure of its sample.
 */
export function removeFolder(folder: string): void {
  if (tryTo(() => rmSync(folder, { recursive: true, force: true }))) return;
  unlock(folder);
  tryTo(() => rmSync(folder, { recursive: true, force: true }));
}

/** Links are no folders here: what they lead to is not this agent's. */
function unlock(folder: string): void {
  tryTo(() => {
    chmodSync(folder, 0o700);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) unlock(join(folder, entry.name));
    }
  });
}

function tryTo(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
