import { requireChosenPackage } from '../package.ts';
import { toInstall } from '../package-manager.ts';
import { AgentError } from '../words/answer.ts';
import { omitNullish } from '../words/fields.ts';
import { maskKeys } from '../words/secrets.ts';
import { messageOf } from '../words/thrown.ts';
import type { ClientOptions, ModelClient } from './model-client.ts';

/** What viva uses of a model of the AI SDK, version v4. Its replies are read field by field. */
export type AiModel = {
  doGenerate(call: object): PromiseLike<unknown>;
  doStream(call: object): PromiseLike<unknown>;
};

/** The package, the provider and the model of `ai:PROVIDER/MODEL` or `ai:@SCOPE/PACKAGE/MODEL`. */
export type AiTarget = Readonly<{
  packageName: string;
  provider: string;
  model: string;
}>;

/** A model and its server. Without its key the model cannot be asked, and another one finds the address. */
export async function createAiClient(
  target: AiTarget,
  options: ClientOptions,
): Promise<ModelClient<AiModel>> {
  const keyless = { ...options, apiKey: 'none' };
  try {
    const baseURL = await findAddress(target, options);
    return { client: await createAiModel(target, options), baseURL, problem: null };
  } catch (error) {
    if (!(error instanceof AgentError) || error.kind !== 'auth') throw error;
    const baseURL = await findAddress(target, keyless);
    return { client: await createAiModel(target, keyless), baseURL, problem: error.message };
  }
}

/** Makes the model by the package's own factory, which reads keys and addresses itself. */
async function createAiModel(
  { packageName, provider, model: id }: AiTarget,
  { baseURL, apiKey, fetch }: ClientOptions,
): Promise<AiModel> {
  const exported: unknown = await import(
    /* @vite-ignore */ requireChosenPackage(packageName, `ai:${provider}`)
  );
  const settings = {
    fetch,
    // An absent key: a package may spread its settings over defaults.
    ...omitNullish({ baseURL, apiKey }),
    ...(provider === COMPATIBLE ? COMPATIBLE_SETTINGS : {}),
  };
  const model = findProvider(exported, settings)?.languageModel(id);
  if (isModel(model)) return model;
  const version = read(model, 'specificationVersion');
  const problem =
    version === undefined
      ? 'makes no language models'
      : `makes models of version ${String(version)} of the AI SDK's interface, but viva asks those of v4`;
  const remedy = `Install another version: ${toInstall(`${packageName}@latest`)}`;
  throw new AgentError('machine', `The package ${packageName} ${problem}. ${remedy}`);
}

/**
 * The address that the model's requests go to, without the last part of its path. It is found by a
 * request that is not sent. Throws an AgentError if a key or setting is missing.
 */
async function findAddress(target: AiTarget, options: ClientOptions): Promise<string> {
  let address: string | null = null;
  const fetch: typeof globalThis.fetch = async (input) => {
    address = input instanceof Request ? input.url : String(input);
    throw new Error('This request is not sent.');
  };
  const model = await createAiModel(target, { ...options, fetch });
  const error: unknown = await Promise.resolve(
    model.doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: '?' }] }] }),
  ).catch((thrown: unknown) => thrown);
  if (address !== null) return new URL('.', address).href;
  throw new AgentError('auth', describeMissing(target, error));
}

export const COMPATIBLE = 'openai-compatible';

/** The settings that this package requires, or leaves off for servers that know less. */
const COMPATIBLE_SETTINGS = {
  name: 'openaiCompatible',
  includeUsage: true,
  supportsStructuredOutputs: true,
};

type AiProvider = { languageModel(id: string): unknown };

/** The first export `create...` that makes a provider of language models. */
function findProvider(exported: unknown, settings: object): AiProvider | undefined {
  if (typeof exported !== 'object' || exported === null) return undefined;
  return Object.entries(exported)
    .filter(([name]) => name.startsWith('create'))
    .map(([, create]): unknown => (typeof create === 'function' ? create(settings) : null))
    .find(isProvider);
}

function isProvider(value: unknown): value is AiProvider {
  return typeof read(value, 'languageModel') === 'function';
}

function isModel(value: unknown): value is AiModel {
  return (
    read(value, 'specificationVersion') === 'v4' && typeof read(value, 'doStream') === 'function'
  );
}

/** A property of an object or function. Methods of classes are not its own. */
function read(value: unknown, name: string): unknown {
  const isHolder = typeof value === 'function' || (typeof value === 'object' && value !== null);
  return isHolder ? Reflect.get(value, name) : undefined;
}

/** The packages name the variable that they have looked for. */
function describeMissing({ provider }: AiTarget, error: unknown): string {
  const problem = maskKeys(messageOf(error));
  const [, missing, variable] =
    /^(.*?) is missing\..* the (\w+) environment variable/.exec(problem) ?? [];
  return variable === undefined
    ? `ai:${provider} cannot start: ${problem}`
    : `ai:${provider}: no ${missing} was found. Set ${variable}.`;
}
