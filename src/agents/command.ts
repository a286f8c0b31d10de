import type { Agent } from '../types.ts';
import type { AgentSpec } from './agent-spec.ts';
import { unsetVitestNames } from './command/environment.ts';
import { anchorNamedFiles, findNamedFiles } from './command/named-files.ts';
import { toQuestionJson } from './command/question-json.ts';
import { readAnswer } from './command/read-answer.ts';
import { runShell } from './command/run-shell.ts';
import { fingerprintFiles } from './fingerprint.ts';
import { UnknownFields } from './unknown-fields.ts';

/** Taken early: a module beside it that puts another clock in place changes no limit. */
const readClock = performance.now.bind(performance);

/**
 * The agent of `command:CMDLINE`. For each question `/bin/sh -c CMDLINE` runs in the call's work folder with the whole
 * environment, reads the question as one line of JSON on stdin and writes its answer to stdout. Relative paths of
 * existing files on the command line start at the project's root, which is also `$OLDPWD`.
 */
export function createCommandAgents({ text, target }: AgentSpec): readonly Agent[] {
  if (target === '') {
    throw new Error(
      `EVAL_AGENT=${text}: no command is named. Write it behind the colon, as in command:python3 agent.py.`,
    );
  }
  const root = process.cwd();
  const script = `${unsetVitestNames()}${anchorNamedFiles(target, root)}`;
  const unknown = new UnknownFields();
  const agent: Agent = {
    name: text,
    fingerprint: `command:${target}:${fingerprintFiles(findNamedFiles(target, root), root)}`,
    remarks: () => unknown.describe(),
    answer: async (question, context) => {
      const { workdir, signal } = context;
      const input = toQuestionJson(question, context);
      const start = readClock();
      const finished = await runShell(script, { input, workdir, root, signal });
      return readAnswer(finished, unknown, readClock() - start);
    },
  };
  return [agent];
}
