import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { COMMANDS } from './commands.ts';
import { runCommand } from './run-command.ts';

// As in vitest.config.ts: what the environment sets wins over .env. No other file of the command line reads it.
if (existsSync('.env')) process.loadEnvFile('.env');

// A reader such as "head" may have enough before everything is written.
process.stdout.on('error', () => process.exit());

process.exitCode = await runCommand(COMMANDS, process.argv.slice(2), {
  env: process.env,
  print: (line) => process.stdout.write(`${line}\n`),
  confirm,
});

async function confirm(question: string): Promise<boolean | null> {
  if (!process.stdin.isTTY) return null;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
