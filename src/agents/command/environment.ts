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

/**
 * Shell commands that take out what is not the user's: what Vitest has put into the environment (another value stays),
 * and viva's settings, since EVAL_GAIA and EVAL_DIR lead to the expected answers. The shell's own list of names spares
 * each call a process.
 */
export const CLEAN_ENVIRONMENT = `${SET_BY_VITEST.map(([name, value]) => `[ "\${${name}-}" != '${value}' ] || unset ${name}; `).join('')}
while read -r viva_export viva_name; do
  viva_name=\${viva_name%%=*}
  case $viva_name in
    *[!A-Za-z0-9_]*) ;;
    EVAL_* | VITEST | VITEST_*) unset "$viva_name" ;;
  esac
done <<viva_names
$(export -p)
viva_names
unset viva_export viva_name
`;
