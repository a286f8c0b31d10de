import { introduceFiles, type MediaPart } from '../tools/media.ts';
import type { Agent, AgentError } from '../words/answer.ts';
import { isFields, nonEmpty, omitNullish, pick } from '../words/fields.ts';
import { type ValueParser, wholeNumber } from '../words/setting-values.ts';
import { tryOrUndefined } from '../words/show.ts';
import { type AiModel, type AiTarget, COMPATIBLE, createAiClient } from './ai-package.ts';
import {
  type AiCall,
  type AiMessage,
  type AiResult,
  collectAiStream,
  toAiError,
  toAiReply,
  toReplayed,
} from './ai-reply.ts';
import { beginHistory, type CallResult, type Conversation, type Exchange } from './converse.ts';
import { CallReader } from './history.ts';
import { CHAT_PARAMETERS, createModelAgent, type ModelSetting } from './model-agent.ts';
import { createModelError } from './model-error.ts';
import { type AgentSpec, type ParameterValues, readParameters, refuseSpec } from './spec.ts';

/** Settings of the provider's package, by its name there. */
const PROVIDER_OPTIONS: ValueParser<NonNullable<AiCall['providerOptions']>> = {
  allowed: 'a JSON object with an object for the provider, as in {"google":{"serviceTier":"flex"}}',
  parse: (text) => {
    const value: AiCall['providerOptions'] = tryOrUndefined(() => JSON.parse(text));
    return isFields(value) && Object.values(value).every(isFields) ? value : undefined;
  },
};

const PARAMETERS = {
  ...CHAT_PARAMETERS,
  top_k: wholeNumber(1),
  provider_options: PROVIDER_OPTIONS,
} as const;

type Parameters = ParameterValues<typeof PARAMETERS>;

/** `ai:PROVIDER/MODEL`: a model of any package of the AI SDK. */
export function createAi(spec: AgentSpec, setting: ModelSetting): Promise<Agent> {
  const parameters = readParameters(spec, PARAMETERS);
  const target = parseAiTarget(spec);
  if (target.provider === COMPATIBLE && parameters.base_url === undefined) {
    const problem = 'this provider is any server. Name it: ?base_url=http://127.0.0.1:8000/v1';
    throw new Error(refuseSpec(spec, problem));
  }
  const ignored = new IgnoredParameters(parameters);
  return createModelAgent(spec, parameters, setting, {
    model: target.model,
    priceListing: 'by host',
    // What the narrowest of the providers takes.
    media: { image: 3_700_000, pdf: 10_000_000, audio: 20_000_000 },
    showsPdfs: TAKES_FILES.has(target.provider) || target.provider === 'mistral',
    transcribes: false,
    createClient: (options) => createAiClient(target, options),
    start: (model, exchange) => {
      const takesFiles = TAKES_FILES.has(target.provider);
      return startConversation(model, exchange, parameters, { ignored, takesFiles });
    },
  });
}

/** The providers whose packages put files into the results of tools; others make text of them. */
const TAKES_FILES: ReadonlySet<string> = new Set([
  'amazon-bedrock',
  'anthropic',
  'azure',
  'google',
  'google-vertex',
  'openai',
]);

function startConversation(
  model: AiModel,
  exchange: Exchange,
  parameters: Parameters,
  { ignored, takesFiles }: { ignored: IgnoredParameters; takesFiles: boolean },
): Conversation {
  const { format, stream, onToken } = exchange;
  const prompt: AiMessage[] = beginHistory(exchange, toFilePart).map(({ role, content }) => ({
    role,
    content: typeof content === 'string' ? [toTextPart(content)] : content,
  }));
  if (format) prompt.unshift({ role: 'system', content: format.system });
  const call = toCallOptions(exchange, parameters);
  const reader = new CallReader(exchange.tools, /^[\w-]{1,64}$/);
  const complete = async () => {
    const request = { ...call, prompt: [...prompt] };
    if (!stream) return model.doGenerate(request);
    const streamed = await model.doStream({ ...request, includeRawChunks: true });
    return collectAiStream(streamed, onToken);
  };
  return {
    ask: async () => {
      ignored.check();
      try {
        const result = await complete();
        ignored.note(result);
        const reply = toAiReply(result, reader);
        prompt.push({ role: 'assistant', content: [...toReplayed(result, reply)] });
        return reply;
      } catch (error) {
        throw toAiError(error, exchange.received());
      }
    },
    addResults: (results) => prompt.push(...toResultMessages(results, takesFiles)),
  };
}

function toCallOptions(
  { tools, format, context }: Exchange,
  parameters: Parameters,
): Omit<AiCall, 'prompt'> {
  const { temperature, top_p, top_k, seed, max_tokens, reasoning_effort } = parameters;
  return {
    abortSignal: context.signal,
    ...omitNullish({
      tools: nonEmpty(
        tools.map(({ name, description, schema }) => ({
          type: 'function' as const,
          name,
          description,
          inputSchema: { ...schema, required: [...(schema.required ?? [])] },
        })),
      ),
      temperature,
      topP: top_p,
      topK: top_k,
      seed,
      maxOutputTokens: max_tokens,
      reasoning: reasoning_effort,
      providerOptions: parameters.provider_options,
      responseFormat: format && { type: 'json' as const, ...pick(format, 'name', 'schema') },
    }),
  };
}

/** Parameters that a package knows by another name. */
const FEATURES: Readonly<Record<string, string>> = {
  topP: 'top_p',
  topK: 'top_k',
  maxOutputTokens: 'max_tokens',
  reasoning: 'reasoning_effort',
};

/**
 * The parameters of a spec that the provider's package leaves out with a warning. The answers would
 * be published as given with them, so the first warning ends all questions.
 */
class IgnoredParameters {
  readonly #given: ReadonlySet<string>;
  #error: AgentError | null = null;

  constructor(parameters: object) {
    this.#given = new Set(Object.keys(parameters));
  }

  check(): void {
    if (this.#error !== null) throw this.#error;
  }

  note({ warnings = [] }: Pick<AiResult, 'warnings'>): void {
    for (const warning of warnings) {
      if (warning.type !== 'unsupported') continue;
      const { feature, details } = warning;
      const name = FEATURES[feature] ?? feature;
      if (!this.#given.has(name)) continue;
      const problem = `The provider's package leaves out the parameter ${name}`;
      this.#error = createModelError('bad_request', details ? `${problem}: ${details}` : problem);
    }
    this.check();
  }
}

/** The results, with the files in them or, if the package cannot put them there, after them. */
function toResultMessages(
  results: readonly CallResult[],
  takesFiles: boolean,
): readonly AiMessage[] {
  const content = results.map(({ call, result: { output, media, failed } }) => ({
    type: 'tool-result' as const,
    toolCallId: call.id,
    toolName: call.name,
    output:
      takesFiles && media.length > 0
        ? { type: 'content' as const, value: [toTextPart(output), ...media.map(toFilePart)] }
        : { type: failed ? ('error-text' as const) : ('text' as const), value: output },
  }));
  const media = results.flatMap(({ result }) => result.media);
  const shown = [toTextPart(introduceFiles(media)), ...media.map(toFilePart)];
  return [
    { role: 'tool', content },
    ...(takesFiles || media.length === 0 ? [] : [{ role: 'user' as const, content: shown }]),
  ];
}

function toTextPart(text: string) {
  return { type: 'text' as const, text };
}

function toFilePart({ base64, mediaType, name }: MediaPart) {
  const data = { type: 'data' as const, data: base64 };
  return { type: 'file' as const, data, mediaType, filename: name };
}

/** Throws an Error for a spec that names no model. */
function parseAiTarget(spec: AgentSpec): AiTarget {
  const [, scoped, provider, model] =
    /^(?:(@[\w.-]+\/[\w.-]+)|([a-z\d][\w.-]*))\/(.+)$/.exec(spec.target) ?? [];
  if (model === undefined)
    throw new Error(
      refuseSpec(
        spec,
        'name a provider and its model, as in ai:google/MODEL or ai:@scope/package/MODEL.',
      ),
    );
  const packageName = scoped ?? `@ai-sdk/${provider}`;
  return { packageName, provider: packageName.replace(/^@ai-sdk\//, ''), model };
}
