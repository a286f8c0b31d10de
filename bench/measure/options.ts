import { parseArgs } from 'node:util';

/** The options of a bench, with defaults; prints its usage instead, and ends, with --help. */
export function readOptions<Name extends string>(
  usage: string,
  defaults: Readonly<Record<Name, string>>,
): Readonly<Record<Name, string>> {
  const names = Object.keys(defaults).map((name) => [name, { type: 'string' }] as const);
  const options = { ...Object.fromEntries(names), help: { type: 'boolean' } } as const;
  const { help, ...given } = parseArgs({ options }).values;
  if (help !== true) return { ...defaults, ...given };
  console.log(usage);
  process.exit();
}
