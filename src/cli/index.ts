#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';
import { disableDefaultColors } from 'tinyrainbow';
import { findUnsupported } from '../plugin/versions.ts';

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // A reader such as "head" may close the pipe early.
  if (code === 'EPIPE') process.exit();
  process.stderr.write(`The output cannot be written (${message}).\n`);
  process.exit(1);
});

const unsupported = findUnsupported(process.versions.node);
if (unsupported !== null) process.stderr.write(`${unsupported}\n`);
process.exitCode = unsupported === null ? await main() : 1;

/** Loads the commands here, because an older Node lacks names that they import. */
async function main(): Promise<number> {
  module.enableCompileCache();
  const [{ runCommand }, { COMMANDS }] = await Promise.all([
    import('./command.ts'),
    import('./commands.ts'),
  ]);
  // What is piped is read by programs.
  if (!process.stdout.isTTY && process.env['FORCE_COLOR'] === undefined) disableDefaultColors();
  // The environment overrides .env, as in evals. No other file of the command line reads .env.
  if (existsSync('.env')) process.loadEnvFile('.env');
  return runCommand(COMMANDS, process.argv.slice(2), {
    env: process.env,
    isTerminal: process.stdout.isTTY,
    print: (line) => process.stdout.write(`${line}\n`),
    write: (text) => process.stdout.write(text),
    warn: (line) => process.stderr.write(`${line}\n`),
  });
}
