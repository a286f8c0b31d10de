import type { Commands } from './command.ts';

/** All commands, in the order of the list. To add one, add its file and an entry here. */
export const COMMANDS: Commands = {
  init: async () => (await import('./init.ts')).init,
  doctor: async () => (await import('./doctor.ts')).doctor,
  check: async () => (await import('./check.ts')).check,
  show: async () => (await import('./show.ts')).show,
  view: async () => (await import('./view.ts')).view,
  compare: async () => (await import('./compare.ts')).compare,
  label: async () => (await import('./label.ts')).label,
  judge: async () => (await import('./judge.ts')).judge,
  merge: async () => (await import('./merge.ts')).merge,
  runs: async () => (await import('./runs.ts')).runs,
  prompts: async () => (await import('./prompts.ts')).prompts,
  report: async () => (await import('./report.ts')).report,
  comment: async () => (await import('./comment.ts')).comment,
  export: async () => (await import('./export.ts')).exportRun,
  verify: async () => (await import('./verify.ts')).verify,
  clean: async () => (await import('./clean.ts')).clean,
};
