import { check } from './check/check.ts';
import { clean } from './clean/clean.ts';
import type { Command } from './command.ts';
import { compare } from './compare/compare.ts';
import { doctor } from './doctor/doctor.ts';

/** Every command, in the order in which they are listed. To add one: its file, and a line here. */
export const COMMANDS: readonly Command[] = [doctor, check, compare, clean];
