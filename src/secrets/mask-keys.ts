/** Replaces what is an API key or a credential by its form, in any text: nothing that merely stands beside the word. */
export function maskKeyForms(text: string): string {
  return text
    .replace(KEY_SHAPED, '[key]')
    .replace(BEARER, '$1[key]')
    .replace(USER_INFO, '[key]@')
    .replace(QUERY_KEY, '$1[key]');
}

/** The same, and what a text names as a key or password: for a program's messages, for settings and command lines. */
export function maskKeys(text: string): string {
  return maskKeyForms(text).replace(NAMED_SECRET, '$1[key]');
}

/** The prefixes that providers give their keys; OpenAI repeats a wrong one with asterisks in it. */
const KEY_SHAPED = /\b(?:sk-|pk-|hf_|gh[pousr]_|xox[abprs]-|AKIA|AIza|gsk_)[\w*-]{6,}/g;

const BEARER = /\b((?:bearer|basic)\s{1,4})[\w.~+/=-]{8,}/gi;

/** `user:password@` of a URL. */
const USER_INFO = /(?<=:\/\/)[^\s/?#"'<>]{1,300}@/g;

/** `?api-key=...` of a URL. */
const QUERY_KEY = /([?&][\w.-]{0,40}(?:key|token|secret|password|signature|sig)=)[^\s&#"'<>]{1,2000}/gi;

/** `SOME_API_KEY=...`, `"password": "..."`, `Authorization: ...` */
const NAMED_SECRET =
  /((?:key|token|secret|password|authorization)["']?\s{0,4}[:=]\s{0,4}["']?(?:(?:bearer|basic)\s{1,4})?)[^\s"',;&[]{8,}/gi;
