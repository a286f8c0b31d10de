import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import type { Check, Finding } from './finding.ts';

/** Vitest's interface works with the very version of Vitest that it was made for. */
export const packages: Check = {
  name: 'Vitest',
  run: () => [judgePair(readVersion('vitest'), readVersion('@vitest/ui'))],
};

/** Judges the versions of vitest and @vitest/ui; null for one that is not installed. */
export function judgePair(vitest: string | null, ui: string | null): Finding {
  if (vitest !== null && vitest === ui) return { status: 'ok', what: `vitest and @vitest/ui ${vitest}` };
  return {
    status: 'miss',
    what: `vitest ${vitest ?? 'is not installed'}, @vitest/ui ${ui ?? 'is not installed'}: they must be one version`,
    remedy: 'Run "pnpm install"; package.json pins both.',
  };
}

function readVersion(name: string): string | null {
  try {
    const file = findPackageJSON(name, import.meta.url);
    const manifest: unknown = file === undefined ? null : JSON.parse(readFileSync(file, 'utf8'));
    const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
    return isManifest ? String(manifest.version) : null;
  } catch {
    return null;
  }
}
