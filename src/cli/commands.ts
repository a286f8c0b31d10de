import { check } from './check.ts';
import { clean } from './clean.ts';
import type { Command } from './command.ts';
import { comment } from './comment.ts';
import { compare } from './compare.ts';
import { doctor } from './doctor.ts';
import { exportRun } from './export.ts';
import { init } from './init.ts';
import { judge } from './judge.ts';
import { label } from './label.ts';
import { prompts } from './prompts.ts';
import { report } from './report.ts';
import { runs } from './runs.ts';
import { verify } from './verify.ts';

/** All commands, in the order of the list. To add one, add its file and an entry here. */
export const COMMANDS: readonly Command[] = [
  init,
  doctor,
  check,
  compare,
  label,
  judge,
  runs,
  prompts,
  report,
  comment,
  exportRun,
  verify,
  clean,
];
