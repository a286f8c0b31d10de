import { maskKeyForms } from '../words/secrets.ts';
import { didYouMean } from '../words/similar-names.ts';
import { kindsByName } from './register-kinds.ts';

/**
 * What to write in place of a text that names no agent, for the end of a message: " Write
 * openai:gpt-5." for the bare name of a model, " Did you mean openai?" for a misspelt kind, or "".
 */
export function suggestSpec(text: string): string {
  const specs = text.split(',').map((spec) => spec.trim());
  const wrong = specs.find((spec) => !isKnown(spec));
  if (wrong === undefined) return '';
  const meant = specs.map((spec) => (isKnown(spec) ? spec : findMeant(spec)));
  const typo = didYouMean(wrong.replace(/:.*$/s, ''), [...kindsByName.keys()]);
  if (typo !== '' || meant.includes(null)) return typo;
  const server = meant.some((spec) => spec?.startsWith('openai-chat:'))
    ? ', and set OPENAI_BASE_URL to the server that has it'
    : '';
  return ` Write ${meant.join(',')}${server}.`;
}

function isKnown(spec: string): boolean {
  return kindsByName.has(spec.replace(/:.*$/s, ''));
}

/** A name of a model, of a file, or of both with a provider before. A key is not repeated. */
const NAME = /^[\w@./][\w@./:?=&+-]{1,100}$/;

/** The spec that a text was meant to be; null if that cannot be told. */
function findMeant(text: string): string | null {
  if (!NAME.test(text) || maskKeyForms(text) !== text) return null;
  if (/\.[cm]?[jt]s$/.test(text)) return `module:${text}`;
  if (/\.py$/.test(text)) return `command:python ${text}`;
  const [, provider = '', model = ''] = /^([a-z-]+)[:/](.+)$/i.exec(text) ?? [];
  const prefix = PROVIDERS[provider.toLowerCase()];
  if (prefix !== undefined && !OPEN.test(model)) return `${prefix}${model}`;
  const [kind] = FAMILIES.find(([, names]) => names.test(text)) ?? [];
  return kind === undefined ? null : `${kind}${text}`;
}

/** What others write before a model, with ":" or "/". A server of one's own has no other name. */
const PROVIDERS: Readonly<Record<string, string>> = {
  openai: 'openai:',
  anthropic: 'anthropic:',
  claude: 'anthropic:',
  google: 'ai:google/',
  gemini: 'ai:google/',
  xai: 'ai:xai/',
  'x-ai': 'ai:xai/',
  mistral: 'ai:mistral/',
  mistralai: 'ai:mistral/',
  deepseek: 'ai:deepseek/',
  cohere: 'ai:cohere/',
  groq: 'ai:groq/',
  azure: 'ai:azure/',
  bedrock: 'ai:amazon-bedrock/',
  ollama: 'openai-chat:',
  vllm: 'openai-chat:',
  openrouter: 'openai-chat:',
};

/** Models that everybody may serve, and the tags of Ollama: "gpt-oss-120b", "7b", "latest". */
const OPEN = /^(?:gpt-oss|latest$|\d+(?:\.\d+)?[bm](?![a-z]))/i;

/** The kind of each family, the first that fits: any server may have the models of the last. */
const FAMILIES: readonly (readonly [prefix: string, names: RegExp])[] = [
  ['openai:', /^(?:(?:ft:)?gpt-?\d|chatgpt-|codex-|o\d(?:$|-))/i],
  ['anthropic:', /^claude-/i],
  ['ai:google/', /^gemini-/i],
  ['ai:xai/', /^grok-/i],
  ['ai:deepseek/', /^deepseek-(?:chat|reasoner)$/i],
  ['ai:mistral/', /^(?:mi[sx]|code|mini|magi|pix|dev|vox)s?tral-[\w.-]*latest$/i],
  ['ai:cohere/', /^command-[ar]/i],
  [
    'openai-chat:',
    /^(?:llama|qwen|qwq|mi[sx]tral|phi|gemma|deepseek|gpt-oss|kimi|glm|olmo|granite|nemotron)(?![a-z])/i,
  ],
  ['openai-chat:', /^[\w@.-]+\/[\w./:-]+$/],
  ['openai-chat:', /^[a-z][a-z0-9]*[-.][\w.-]*\d[\w.-]*(?::[\w.-]+)?$/i],
];
