import type { Check } from './finding.ts';

const WANTED = 24;

/** Types are stripped by Node itself, and the suite is tested on one major alone. */
export const node: Check = {
  name: 'Node',
  run: () => [judgeNode(process.versions.node)],
};

/** Judges a version such as "24.21.0". */
export function judgeNode(version: string) {
  const major = Number.parseInt(version, 10);
  if (major >= WANTED) return { status: 'ok', what: `Node ${version}` } as const;
  return {
    status: 'miss',
    what: `Node ${version}, and ${WANTED} or later is needed`,
    remedy: 'Run "pnpm install", which brings it, and start commands through pnpm.',
  } as const;
}
