import { type LoggedQuestion, readQuestions } from '../runs/question-log.ts';
import { parseOptIn } from '../scoring/gaia/rules/opt-in.ts';
import type { AskedVerdicts } from './ask-servers.ts';
import type { AuditOptions } from './judge-case.ts';

/** What the audit of a run applies beside the usual rules: what EVAL_AUDIT names, and what was asked of a server. */
export function toAuditOptions(
  names: readonly string[],
  folder: string,
  { known, problems }: AskedVerdicts,
): AuditOptions {
  const logs = new Map<string, ReadonlyMap<string, LoggedQuestion>>();
  const optIns = names.map(parseOptIn).filter((rule) => rule !== null);
  return {
    optIns,
    accepted({ suite, id }) {
      const log = logs.get(suite) ?? readQuestions(folder, suite);
      logs.set(suite, log);
      return log.get(id)?.accepted ?? [];
    },
    known,
    problems,
  };
}
