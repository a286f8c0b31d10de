import type { Commands } from './command.ts';

/** All commands, in the order of the list. To add one, add its file and an entry here. */
export const COMMANDS: Commands = {
  init: {
    summary: 'adds a first eval to a repository of your own',
    load: async () => (await import('./init.ts')).init,
  },
  doctor: {
    summary: 'checks what a run needs: versions, settings, disk, keys, MCP servers and agents',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  check: {
    summary: 'checks a dataset: layout, counts, answers, oddities',
    load: async () => (await import('./check.ts')).check,
  },
  show: {
    summary: 'prints cases of a run: question, expected answer, output, reason, scores, tools',
    load: async () => (await import('./show.ts')).show,
  },
  view: {
    summary: 'shows all runs in the browser, live while one goes on, and compares and labels them',
    load: async () => (await import('./view.ts')).view,
  },
  compare: {
    summary: 'shows what changed between two runs or agents, and whether it is more than noise',
    load: async () => (await import('./compare.ts')).compare,
  },
  label: {
    summary: 'writes a table of answers to label by hand, or compares the labels of two people',
    load: async () => (await import('./label.ts')).label,
  },
  judge: {
    summary: 'measures a judge against the labels of people',
    load: async () => (await import('./judge.ts')).judge,
  },
  merge: {
    summary: 'makes one run of shards, prints its tables and judges its gates',
    load: async () => (await import('./merge.ts')).merge,
  },
  runs: {
    summary: 'lists earlier runs with accuracy, cost and latency, the newest first',
    load: async () => (await import('./runs.ts')).runs,
  },
  prompts: {
    summary: 'lists the prompts of earlier runs, the best first',
    load: async () => (await import('./prompts.ts')).prompts,
  },
  report: {
    summary: 'writes the report of a run again',
    load: async () => (await import('./report.ts')).report,
  },
  comment: {
    summary: 'prints a run as Markdown for a comment on its pull request',
    load: async () => (await import('./comment.ts')).comment,
  },
  export: {
    summary: "writes a run for Inspect, OpenTelemetry, every_eval_ever or the Hub's leaderboards",
    load: async () => (await import('./export.ts')).exportRun,
  },
  verify: {
    summary: 'grades a run again, checks its figures, and says what may be quoted',
    load: async () => (await import('./verify.ts')).verify,
  },
  clean: {
    summary: 'removes old runs and cached answers',
    load: async () => (await import('./clean.ts')).clean,
  },
};
