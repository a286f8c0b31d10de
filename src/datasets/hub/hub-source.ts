/** A dataset on the Hugging Face Hub at a branch, tag or commit. */
export type HubSource = {
  /** "owner/name". */
  readonly name: string;
  readonly revision: string;
};

const PREFIX = 'hf:';
const DEFAULT_REVISION = 'main';

/** What `parseHubSource` accepts, for messages. */
export const HUB_SOURCE_FORM = 'hf:owner/name or hf:owner/name@revision';

/** Whether a setting means a dataset on the Hub and not a path. */
export function isHubSource(text: string): boolean {
  return text.startsWith(PREFIX);
}

/**
 * Parses `hf:owner/name[@revision]`; null when the text is not of that form. Every part becomes a folder of the
 * cache, so that "..", empty parts and anything but letters, digits, "-", "_" and "." are not of the form.
 */
export function parseHubSource(text: string): HubSource | null {
  if (!isHubSource(text)) return null;
  const [name = '', revision = DEFAULT_REVISION, ...rest] = text.slice(PREFIX.length).split('@');
  const isName = name.split('/').length === 2 && name.split('/').every(isPart) && !name.includes('--');
  return rest.length === 0 && isName && revision.split('/').every(isPart) ? { name, revision } : null;
}

/** The source as it is written in EVAL_GAIA. */
export function showHubSource({ name, revision }: HubSource): string {
  return revision === DEFAULT_REVISION ? `${PREFIX}${name}` : `${PREFIX}${name}@${revision}`;
}

function isPart(part: string): boolean {
  return /^[\w.-]{1,100}$/.test(part) && !/^\.+$/.test(part);
}
