import { type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { TestContext } from 'vitest';
import { toVisible } from '../text/visible-text.ts';

/** Vitest copies what is attached; larger files stay where they are. */
const MAX_BYTES = 20_000_000;

/** What the Vitest UI is to show of a failed case beside its error, as files that can be opened. */
export async function attachFiles(
  { annotate }: Pick<TestContext, 'annotate'>,
  trace: string | null,
  attachments: readonly { readonly name: string; readonly path: string }[],
): Promise<void> {
  if (trace !== null) await attach(annotate, basename(trace), 'trace', trace);
  for (const { name, path } of attachments) await attach(annotate, name, 'attachment', path);
}

async function attach(annotate: TestContext['annotate'], message: string, type: string, path: string): Promise<void> {
  const text = toVisible(message);
  try {
    const reason = findReason(statSync(path));
    await (reason === null ? annotate(text, type, { path }) : annotate(`${text} (${reason})`, type));
  } catch {
    // A file that is gone, or a full disk, must not stand in for the case's own failure.
  }
}

/** Why something is not attached, or null. Vitest opens what it is given, and a pipe would keep it waiting for ever. */
function findReason(stats: Stats): string | null {
  if (!stats.isFile()) return 'no longer a file, not attached';
  return stats.size > MAX_BYTES ? 'too large to attach' : null;
}
