import { spawnSync } from 'node:child_process';
import { toVisible } from '../../text/visible-text.ts';
import type { AgentSpec } from '../agent-spec.ts';

/** The code by which a shell says that there is no such command. */
export const NOT_FOUND = 127;

/** Why a `command:` agent cannot start, known before it is asked: its first word is no command. Null where it may start. */
export function describeMissingCommand({ kind, target, text }: AgentSpec, root: string): string | null {
  // Behind quotes, variables and assignments only a call shows it.
  const [, word] = /^\s*([\w./+-]+)(?=\s|$)/.exec(target) ?? [];
  if (kind !== 'command' || word === undefined || isFound(word, root)) return null;
  return `EVAL_AGENT=${toVisible(text)}: command not found: ${word}. Correct the command, or install it, and run again.`;
}

function isFound(word: string, root: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'command -v -- "$1"', 'sh', word], { cwd: root, stdio: 'ignore' }).status === 0;
}
