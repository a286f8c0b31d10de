#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { check } from './check.ts';
import { clean } from './clean.ts';
import { type Command, runCommand } from './command.ts';
import { compare } from './compare.ts';
import { doctor } from './doctor.ts';
import { init } from './init.ts';

// As in vitest.config.ts: what the environment sets wins over .env. No other file of the command line reads it.
if (existsSync('.env')) process.loadEnvFile('.env');

// A reader such as "head" may have enough before everything is written.
process.stdout.on('error', () => process.exit());

/** Every command, in the order in which they are listed. To add one: its file, and a line here. */
export const COMMANDS: readonly Command[] = [init, doctor, check, compare, clean];

process.exitCode = await runCommand(COMMANDS, process.argv.slice(2), {
  env: process.env,
  print: (line) => process.stdout.write(`${line}\n`),
});
