/** What names of keys and passwords say, long enough to be found in the middle of a name as well. */
const WORDS = 'key|token|secret|password|passwd|passphrase|credential|auth|signature|bearer';

/** Too short for that: "pat" stands in PATH, "pass" in PASSENGER. */
const SHORT_WORDS = '(?<!ask)pass|(?<![a-z])(?:pat|jwt|creds?|cookie)|(?<=[_.-])pwd';

const ENDS_A_WORD = new RegExp(`(?:${WORDS}|${SHORT_WORDS})s?(?![a-z])`, 'i');
const ANYWHERE = new RegExp(WORDS, 'i');

/** Last words that make a name one of something beside a key: KEY_FILE, TOKEN_URL, SSH_AUTH_SOCK. */
const BESIDE_A_KEY =
  /[_.-](?:file|path|dir|folder|sock|socket|url|uri|host|port|name|user|username|email|type|method|mode)$/i;

/** Whether a variable of the whole environment is named as a key: AWS_ACCESS_KEY_ID and DB_PASS are, KEYBOARD is not. */
export function isSecretName(name: string): boolean {
  return ENDS_A_WORD.test(name) && !BESIDE_A_KEY.test(name);
}

/** The same for what is given to one server, where a value too many costs little: `accessKeyId` is one as well. */
export function mayBeSecretName(name: string): boolean {
  return ANYWHERE.test(name) || ENDS_A_WORD.test(name);
}
