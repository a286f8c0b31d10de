import { readClock } from '../own-clock.ts';
import { quote } from '../records/show-value.ts';
import { toVisible } from '../text/visible-text.ts';
import type { Agent } from '../types.ts';
import type { AgentSpec } from './agent-spec.ts';
import { CLEAN_ENVIRONMENT } from './command/environment.ts';
import { MachineLoad } from './command/machine-load.ts';
import { anchorNamedFiles } from './command/named-files.ts';
import { toQuestionJson } from './command/question-json.ts';
import { readAnswer } from './command/read-answer.ts';
import { runShell } from './command/run-shell.ts';
import { findSourceFiles, type Sources } from './command/source-files.ts';
import { fingerprintFiles } from './fingerprint.ts';
import { UnknownFields } from './unknown-fields.ts';

/**
 * The agent of `command:CMDLINE`. For each question `/bin/sh -c CMDLINE` runs in the call's work folder with the user's
 * environment less EVAL_*, reads the question as one line of JSON on stdin and writes its answer to stdout. Relative paths of
 * existing files on the command line start at the project's root, which is also `$OLDPWD`.
 */
export function createCommandAgents({ text, target }: AgentSpec): readonly Agent[] {
  if (target === '') {
    throw new Error(
      `EVAL_AGENT=${toVisible(text)}: no command is named. Write it behind the colon, as in command:python3 agent.py.`,
    );
  }
  const root = process.cwd();
  const script = `${CLEAN_ENVIRONMENT}${anchorNamedFiles(target, root)}`;
  const sources = findSourceFiles(target, root);
  const unknown = new UnknownFields();
  const load = new MachineLoad();
  const agent: Agent = {
    name: text,
    fingerprint: `command:${target}:${fingerprintFiles(sources.files, root)}`,
    remarks: (gated) => [...describeUnseen(sources), ...load.describe(), ...unknown.describe(gated)],
    answer: async (question, context) => {
      const { workdir, signal } = context;
      const input = toQuestionJson(question, context);
      const start = readClock();
      const finished = await load.watch(() => runShell(script, { input, workdir, root, signal }));
      return readAnswer(finished, unknown, readClock() - start);
    },
  };
  return [agent];
}

/** Words beyond these help nobody. */
const SHOWN_WORDS = 3;

/** An edited agent must not be answered for from the cache without a word. */
function describeUnseen({ files, unread }: Sources): readonly string[] {
  const words = unread.slice(0, SHOWN_WORDS).map((word) => quote(word));
  if (words.length === 0 && files.length > 0) return [];
  const why = words.length > 0 ? `only the shell knows what ${words.join(', ')} is` : 'it names no file';
  return [`an edit of what the command runs may not be seen: ${why}. After an edit, set EVAL_CACHE_KEY to a new text.`];
}
