import type { LanguageModel } from 'ai';
import { requireChosenPackage } from '../package.ts';
import { toInstall } from '../package-manager.ts';
import { AgentError } from '../words/answer.ts';
import { omitNullish } from '../words/fields.ts';
import { maskKeys } from '../words/secrets.ts';
import { messageOf } from '../words/thrown.ts';
import type { ClientOptions, ModelClient } from './model-client.ts';

/**
 * A model of the AI SDK, which is asked directly. `streamText` of ai 7.0.173 takes four times the
 * CPU for a stream, and leaves errors, ids and the history to viva as well.
 */
export type AiModel = Extract<LanguageModel, { specificationVersion: 'v4' }>;

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
  const connect = async (given: ClientOptions) => ({
    baseURL: await findAddress(target, given),
    client: await createAiModel(target, given),
  });
  try {
    return { ...(await connect(options)), problem: null };
  } catch (error) {
    if (!(error instanceof AgentError) || error.kind !== 'auth') throw error;
    return { ...(await connect({ ...options, apiKey: 'none' })), problem: error.message };
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
  const model = await adapt(findProvider(exported, settings)?.languageModel(id), packageName);
  if (isModel(model)) return model;
  const version = read(model, 'specificationVersion');
  const problem =
    version === undefined
      ? 'makes no language models'
      : `makes models of version ${String(version)} of the AI SDK's interface, but viva asks those of v4, and of v3 through ai@7`;
  const wanted = toInstall(version === 'v3' ? 'ai@7' : `${packageName}@latest`);
  throw new AgentError('machine', `The package ${packageName} ${problem}. Install it: ${wanted}`);
}

/** A model of AI SDK 6 (v3), made one of AI SDK 7 by the package `ai`. */
async function adapt(model: unknown, packageName: string): Promise<unknown> {
  if (read(model, 'specificationVersion') !== 'v3') return model;
  const user = `${packageName}, which makes models of AI SDK 6,`;
  const { wrapLanguageModel }: { wrapLanguageModel(given: object): unknown } = await import(
    /* @vite-ignore */ requireChosenPackage('ai', user)
  );
  return wrapLanguageModel({ model, middleware: [] });
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
