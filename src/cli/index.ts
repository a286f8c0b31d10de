#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { isNodeWanted, WANTED_NODE } from '../plugin/plugin.ts';

// A reader such as "head" may have enough before everything is written.
process.stdout.on('error', () => process.exit());

if (isNodeWanted(process.versions.node)) {
  process.exitCode = await main();
} else {
  process.stderr.write(`viva needs Node ${WANTED_NODE} or later, and this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
}

/** An older Node lacks names that the commands import: they are loaded here. */
async function main(): Promise<number> {
  const [{ runCommand }, { COMMANDS }] = await Promise.all([import('./command.ts'), import('./commands.ts')]);
  // As in vitest.config.ts: what the environment sets wins over .env. No other file of the command line reads it.
  if (existsSync('.env')) process.loadEnvFile('.env');
  return runCommand(COMMANDS, process.argv.slice(2), {
    env: process.env,
    print: (line) => process.stdout.write(`${line}\n`),
  });
}
