import { check } from './check.ts';
import { clean } from './clean.ts';
import type { Command } from './command.ts';
import { compare } from './compare.ts';
import { doctor } from './doctor.ts';
import { init } from './init.ts';
import { report } from './report.ts';

/** Every command, in the order in which they are listed. To add one: its file, and a line here. */
export const COMMANDS: readonly Command[] = [init, doctor, check, compare, report, clean];
