/*
 * A command has the environment of the user's shell. Vitest's worker has more: names that Vitest sets for the code under
 * test and that mean something else to a program of its own (BASE_URL is "/" there, NODE_ENV is "test").
 */
const SET_BY_VITEST: readonly (readonly [name: string, value: string])[] = [
  ['NODE_ENV', 'test'],
  ['MODE', 'test'],
  ['DEV', '1'],
  ['PROD', ''],
  ['SSR', '1'],
  ['BASE_URL', '/'],
  ['TEST', 'true'],
];

/** Shell commands that take out what Vitest has put into the environment; another value is the user's, and stays. */
export function unsetVitestNames(): string {
  const unset = SET_BY_VITEST.map(([name, value]) => `[ "\${${name}-}" != '${value}' ] || unset ${name}; `);
  return `${unset.join('')}unset VITEST VITEST_MODE VITEST_POOL_ID VITEST_WORKER_ID; `;
}
