import { ACCOUNTS } from './cases-accounts.ts';
import { FAILURES } from './cases-failures.ts';
import { FINISHES } from './cases-finish.ts';
import { HISTORY } from './cases-history.ts';
import { READING } from './cases-reading.ts';
import { REFUSALS } from './cases-refused.ts';
import { SIGNED_FIELDS } from './cases-signed.ts';
import { isStreamOnly } from './forms.ts';
import type { Row } from './row.ts';

/** A row in one form of its replies. */
export type WireCase = Row & { readonly streamed: boolean };

/** The cases by kind: what is told of them in docs/reliability.md, and the rows. */
export const KINDS = [
  {
    what: 'texts, calls and counts in other forms than OpenAI has',
    becomes: 'read as what is meant',
    rows: READING,
    // The package reads and writes the forms.
    isByAi: false,
  },
  {
    what: 'calls and texts that the server itself would not take back',
    becomes:
      'made valid before they are sent again; what cannot be read is an error of the tool, and the model may try again',
    rows: HISTORY,
    // The package reads and writes the forms.
    isByAi: false,
  },
  {
    what: 'signed and encrypted thoughts, in each known field',
    becomes: 'sent back as they came; thoughts are in the trace, and never the answer',
    rows: SIGNED_FIELDS,
    // The package reads and writes the forms.
    isByAi: false,
  },
  {
    what: 'a prompt that a server, a filter or a firewall refuses',
    becomes: 'no_answer, refusal; the next question is asked',
    rows: REFUSALS,
    isByAi: true,
  },
  {
    what: 'a key, an account or a balance that is refused',
    becomes: 'errored, auth or quota; the agent stops at once',
    rows: ACCOUNTS,
    isByAi: true,
  },
  {
    what: 'failures that pass, also inside a 200 or a stream, and replies that a gateway broke',
    becomes: 'asked again, up to five times; then errored, and asked again by the next run',
    rows: FAILURES,
    isByAi: true,
  },
  {
    what: 'finish reasons of all servers',
    becomes: 'as they mean it; half a call is never run',
    rows: FINISHES,
    isByAi: true,
  },
] as const;

/** Each row whole and streamed, where both exist. */
export function toCases(rows: readonly Row[]): readonly WireCase[] {
  return rows.flatMap((row) => {
    const forms = row.replies.some(isStreamOnly)
      ? ['streamed']
      : [row.form ?? ['whole', 'streamed']].flat();
    return forms.map((form) => ({
      ...row,
      streamed: form === 'streamed',
      name: form === 'streamed' ? `${row.name}, streamed` : row.name,
    }));
  });
}
