/** Replaces what looks like an API key or password in a program's messages, which end up in reports. */
export function maskKeys(text: string): string {
  return text.replace(KEY_SHAPED, '[key]').replace(NAMED_SECRET, '$1[key]');
}

/** The prefixes that providers give their keys. */
const KEY_SHAPED = /\b(?:sk-|pk-|hf_|gh[pousr]_|xox[abprs]-|AKIA|AIza|gsk_)[\w-]{8,}/g;

/** `SOME_API_KEY=...`, `"password": "..."`, `Authorization: Bearer ...` */
const NAMED_SECRET =
  /((?:key|token|secret|password|authorization)["']?\s{0,4}[:=]\s{0,4}["']?(?:(?:bearer|basic)\s{1,4})?)[^\s"',;]{8,}/gi;
