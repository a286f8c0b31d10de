import { statSync } from 'node:fs';
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
    const fits = statSync(path).size <= MAX_BYTES;
    await (fits ? annotate(text, type, { path }) : annotate(`${text} (too large to attach)`, type));
  } catch {
    // A file that is gone, or a full disk, must not stand in for the case's own failure.
  }
}
