import { resolve } from 'node:path';
import type { AgentSpec } from './agent-spec.ts';
import { findSourceFiles } from './command/source-files.ts';
import { withImports } from './fingerprint.ts';

/** The files on disk that an agent's answers come from, as absolute paths: an edit of one makes it another agent. */
export function listAgentFiles({ kind, target }: AgentSpec, root: string): readonly string[] {
  if (target === '') return [];
  if (kind === 'replay') return [resolve(root, target)];
  if (kind === 'module') return withImports([resolve(root, target)]);
  return kind === 'command' ? withImports(findSourceFiles(target, root).files) : [];
}
