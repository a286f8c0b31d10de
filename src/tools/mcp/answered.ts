/** The answer of a server over HTTP that is no reply of the protocol: a status, or a redirect. It has not ended. */
export class Answered extends Error {
  override readonly name = 'Answered';
  readonly status: number;

  constructor(status: number, said: string) {
    super(`it answered ${status}${said === '' ? '' : `: ${said}`}`);
    this.status = status;
  }
}

/**
 * Throws Answered for a refusal of what was sent. Other methods are the library's own: that a server takes no GET, and
 * offers no stream of events by it, is as the protocol says.
 */
export async function refuseAnswered(response: Response, method: string | undefined): Promise<void> {
  if (response.ok || method !== 'POST') return;
  const said = await response.text().catch(() => '');
  throw new Answered(response.status, said.trim());
}

/** What of an error is Answered, itself or its cause. */
export function findAnswered(error: unknown): Answered | null {
  if (error instanceof Answered) return error;
  return error instanceof Error ? findAnswered(error.cause) : null;
}

/** A refusal in a sentence, with what to do; `what` may end in a full stop of the server's own. */
export function describeRefusal(what: string, status: number): string {
  return `${what.replace(/\.$/, '')}. ${remedyOf(status)}`;
}

function remedyOf(status: number): string {
  if (status === 401 || status === 403) return 'Correct its key in the settings of MCP servers and run again.';
  return status === 429 || status >= 500 ? 'Run it again later.' : 'Mend it and run again.';
}
