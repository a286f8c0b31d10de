// It imports nothing: Vitest's and viva's own files need the versions that are checked here.

/** The lowest version of Node that has all functions that viva calls. */
const WANTED_NODE = '22.12';

/** A new major may have anything changed of what viva uses. */
const WANTED_VITEST = { from: '4.1', below: '6.0' };

/**
 * What is wrong and what to do if Node is too old, or Vitest too old or too new; else null. Without
 * it the failure would not say why. `toInstall` makes the command that installs a package.
 */
export function findUnsupported(
  node: string,
  vitest = WANTED_VITEST.from,
  toInstall = (name: string): string => name,
): string | null {
  if (!isAtLeast(node, WANTED_NODE))
    return `viva needs Node ${WANTED_NODE} or later, but this is Node ${node}. Install it; in a clone of viva, "pnpm vitest" brings it.`;
  const { from, below } = WANTED_VITEST;
  if (isAtLeast(vitest, from) && !isAtLeast(vitest, below)) return null;
  const [nearest, range] = isAtLeast(vitest, from) ? ['5', '5'] : [`${from} or later`, `^${from}`];
  return (
    `viva needs Vitest ${from} to 5, but this is Vitest ${vitest}. ` +
    `Install Vitest ${nearest}, and your packages @vitest/... in the same version: ${toInstall(`vitest@${range}`)}`
  );
}

function isAtLeast(version: string, wanted: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [least = 0, leastMinor = 0] = wanted.split('.').map(Number);
  return major > least || (major === least && minor >= leastMinor);
}
