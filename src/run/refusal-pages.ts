import { DOCS } from '../package.ts';

/** One kind of refusal: the class of its error, words of its message, or both; and the page that tells more. */
type Kind = Readonly<{ of?: string; says?: RegExp; page: string | null }>;

/** The first entry that fits counts. Null is for the user's own code and for a page that is named already. */
const KINDS: readonly Kind[] = [
  { says: new RegExp(`${DOCS}/`), page: null },
  { says: /Correct (?:the function|it)\.$/, page: null },
  { says: /^EVAL_\w+ (?:must be |\(.*\) is not a setting)/m, page: `${DOCS}/settings.md` },
  { of: 'HubError', page: `${DOCS}/datasets.md#the-hugging-face-hub` },
  {
    of: 'RecordError',
    says: /:\d+(?::| \(id)|, record \d+|EVAL_SKIP_BAD/,
    page: `${DOCS}/datasets.md#bad-records`,
  },
  { of: 'RecordError', page: `${DOCS}/datasets.md` },
  { says: /no record has an expected answer/i, page: `${DOCS}/datasets.md#short-answers` },
  { says: /No API key for/, page: `${DOCS}/settings.md#keys-and-servers` },
  {
    says: /needs (?:the package|\S+ [\d.]+ or later)/,
    page: `${DOCS}/package.md#what-else-to-install`,
  },
  {
    says: /is not a parameter of|: parameter \w+ /,
    page: `${DOCS}/agents.md#parameters-of-models`,
  },
  { says: /^EVAL_JUDGE=/, page: `${DOCS}/judging.md` },
  { says: /^EVAL_USER=/, page: `${DOCS}/conversations.md#with-a-simulated-user` },
  {
    says: /^EVAL_AGENT=|^EVAL_AGENT names|, agent(?: "[^"]*")?(?::|=| must)/,
    page: `${DOCS}/agents.md`,
  },
  { says: /cannot be compared with it/, page: `${DOCS}/comparing.md#what-viva-does-not-compare` },
  { says: /EVAL_PROMPT/, page: `${DOCS}/tuning.md#prompts-side-by-side` },
  { says: /EVAL_IDS|EVAL_LEVEL|level filter/, page: `${DOCS}/datasets.md#choose-questions` },
  { says: /EVAL_MCP|mcpServers/, page: `${DOCS}/tools.md#add-mcp-servers` },
  { says: /without gates|the "gates" of viva/, page: `${DOCS}/ci.md#fields-of-a-gate` },
  {
    says: /\.eval\.[cm]?[jt]s\b|viva plugin did not run/,
    page: `${DOCS}/package.md#write-a-suite`,
  },
  { says: /\bEVAL_[A-Z]|"defaults"/, page: `${DOCS}/settings.md` },
];

/** The message of a refusal with the page that tells more of its kind; as it is if none does. */
export function withPage(message: string, name = 'Error'): string {
  const kind = KINDS.find(
    ({ of = name, says }) => of === name && (says === undefined || says.test(message)),
  );
  const page = kind?.page ?? null;
  if (page === null) return message;
  return `${message}${message.includes('\n') ? '\n' : ' '}See ${page}.`;
}
