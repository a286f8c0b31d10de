import { escapeControls, quote } from '../../records/show-value.ts';
import { type HubSource, showHubSource } from './hub-source.ts';

export type HubErrorKind =
  | 'no_token'
  | 'bad_token'
  | 'not_granted'
  | 'no_dataset'
  | 'no_revision'
  | 'no_file'
  | 'rate_limit'
  | 'server'
  | 'network'
  | 'storage'
  | 'bad_response'
  | 'damaged'
  | 'disk_full'
  | 'not_writable'
  | 'not_cached';

/** Why a dataset could not be had from the Hub: the source, what happened, what was received, what to do. */
export class HubError extends Error {
  override readonly name = 'HubError';
  readonly kind: HubErrorKind;

  constructor(
    source: HubSource,
    fault: { readonly kind: HubErrorKind; readonly detail: string; readonly cause?: unknown },
  ) {
    const [problem, remedy] = describe(source, fault.kind);
    const options = fault.cause === undefined ? undefined : { cause: fault.cause };
    super(`${showHubSource(source)}: ${problem} (${escapeControls(fault.detail)}). ${remedy}`, options);
    this.kind = fault.kind;
  }
}

function describe({ name, revision }: HubSource, kind: HubErrorKind): readonly [problem: string, remedy: string] {
  const page = `https://huggingface.co/datasets/${name}`;
  const tokens = 'https://huggingface.co/settings/tokens';
  const descriptions: Readonly<Record<HubErrorKind, readonly [string, string]>> = {
    no_token: [
      'the dataset is gated, private or not there, and no token was given',
      `Ask for access on ${page}, then set HF_TOKEN to a token with read permission (${tokens}).`,
    ],
    bad_token: [
      'the Hub does not take the token in HF_TOKEN',
      `Make a new one with read permission on ${tokens} and set HF_TOKEN to it.`,
    ],
    not_granted: [
      'the account of HF_TOKEN has no access to the dataset yet',
      `Open ${page}, accept the terms and wait until access is granted; a fine-grained token must also be allowed ` +
        'to read public gated repositories.',
    ],
    no_dataset: ['there is no such dataset', 'Check owner and name, or set HF_TOKEN if the dataset is private.'],
    no_revision: [
      `the dataset has no revision ${quote(revision)}`,
      `Choose a branch, tag or whole commit of ${page}/commits/main, or leave "@${revision}" out.`,
    ],
    no_file: ['a file is not in the dataset', 'Check the revision, or name another one.'],
    rate_limit: ['the Hub asks for a pause', 'Wait some minutes and run again: what has arrived is kept.'],
    server: ['the Hub is failing', 'Run again later: what has arrived is kept.'],
    network: ['the Hub cannot be reached', 'Check the connection and run again: what has arrived is kept.'],
    storage: [
      'the storage that the Hub leads to refuses a file, which the Hub itself grants',
      'Run again: its addresses expire, and what has arrived is kept. If it stays so, a proxy or firewall may refuse it.',
    ],
    bad_response: ['the Hub answers with something unexpected', 'Check HF_ENDPOINT, or run again later.'],
    damaged: [
      'a file did not arrive as the Hub describes it, and was thrown away',
      'Run again; if it stays so, a proxy may be changing files.',
    ],
    disk_full: ['the disk is full', 'Free some space or set HF_HOME to a folder on another disk, then run again.'],
    not_writable: ['the cache cannot be written', 'Make it writable, or set HF_HOME to another folder.'],
    not_cached: [
      'the cache does not hold what is needed',
      'Run once with the Hub in reach (HF_HUB_OFFLINE unset), or name another revision.',
    ],
  };
  return descriptions[kind];
}

/** The error for a failed write into the cache. */
export function toDiskError(source: HubSource, folder: string, cause: unknown): HubError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  const kind = code === 'ENOSPC' || code === 'EDQUOT' ? 'disk_full' : 'not_writable';
  return new HubError(source, { kind, detail: `${code}, ${folder}`, cause });
}
