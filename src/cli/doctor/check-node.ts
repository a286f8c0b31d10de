import { isNodeWanted, WANTED_NODE } from '../../node-version.ts';
import type { Check } from './finding.ts';

export const node: Check = {
  name: 'Node',
  run: () => [judgeNode(process.versions.node)],
};

/** Judges a version such as "24.21.0". */
export function judgeNode(version: string) {
  if (isNodeWanted(version)) return { status: 'ok', what: `Node ${version}` } as const;
  return {
    status: 'miss',
    what: `Node ${version}, and ${WANTED_NODE} or later is needed`,
    remedy: 'Run "pnpm install", which brings it, and start commands through pnpm.',
  } as const;
}
