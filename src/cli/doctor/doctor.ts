import { parseArgs } from 'node:util';
import { toVisible } from '../../visible-text.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { node } from './check-node.ts';
import type { Check, Finding } from './finding.ts';

/** In the order in which one depends on the other. To add a check: its file, and a line here. */
const CHECKS: readonly Check[] = [node];

/** `pnpm viva doctor`: whether everything that the set run needs is there, and what to do where it is not. */
export const doctor: Command = {
  name: 'doctor',
  summary: 'checks Node, packages, settings, keys, datasets, agents and the disk before a run (--yes: ask nothing)',
  run: (context) => examine(CHECKS, context),
};

/** Runs the checks in turn and prints what they find; resolves to 1 when anything is missing. */
export async function examine(checks: readonly Check[], context: CommandContext): Promise<number> {
  assertOptions(context.args);
  let misses = 0;
  for (const check of checks) {
    for (const finding of await runCheck(check, context)) {
      if (finding.status === 'miss') misses++;
      show(check.name, finding, context);
    }
  }
  context.print('');
  context.print(misses === 0 ? 'Everything that was checked is there.' : `${misses} missing: see "->" above.`);
  return misses === 0 ? 0 : 1;
}

/** Whether the user agreed beforehand to a call that may cost money. */
export function isAgreed(args: readonly string[]): boolean {
  return parseOptions(args).yes === true;
}

async function runCheck(check: Check, context: CommandContext): Promise<readonly Finding[]> {
  try {
    return await check.run(context);
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return [{ status: 'miss', what, remedy: 'Follow the message, then run "pnpm viva doctor" again.' }];
  }
}

const MARKS = { ok: 'ok  ', skipped: '-   ', miss: 'MISS' } as const;

function show(name: string, finding: Finding, { print }: CommandContext): void {
  for (const line of finding.what.split('\n')) print(`${MARKS[finding.status]}  ${name}: ${toVisible(line, 1000)}`);
  if (finding.status === 'miss') print(`      -> ${toVisible(finding.remedy, 1000)}`);
}

function assertOptions(args: readonly string[]): void {
  try {
    parseOptions(args);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`${message}. Use "pnpm viva doctor" or "pnpm viva doctor --yes".`, { cause });
  }
}

function parseOptions(args: readonly string[]) {
  return parseArgs({ args: [...args], options: { yes: { type: 'boolean', short: 'y' } } }).values;
}
