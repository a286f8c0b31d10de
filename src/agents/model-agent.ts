import { maskKeys } from '../text/secrets.ts';
import { onOff, serverUrl, type ValueParser, wholeNumber } from '../text/setting-values.ts';
import { escapeLine, quote } from '../text/show.ts';
import type { ToolSetting } from '../tools/index.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import { type Agent, AgentError, type AnswerContext, type Progress, type Question } from '../types.ts';
import type { AgentSpec } from './agent-spec.ts';
import { describeUse, gatherTools, TOOL_PARAMETERS, type ToolValues } from './agent-tools.ts';
import { guardFetch, patientFetch, type Received, type ReplyLimits, WatchedFetch } from './fetch.ts';
import type { HostedName, HostedTool } from './hosted-tools.ts';

import { createTranscriber, transcriptionModel } from './openai-client.ts';
import { defined } from './outside-value.ts';
import { loadPricing, type PriceTable } from './price.ts';
import { type ApiMedia, chooseMedia, MEDIA_PARAMETERS, Transcript } from './transcript.ts';

/** What surrounds the agents of a run. Keys and addresses are the SDKs' business: they read them themselves. */
export type ModelSetting = {
  readonly prices?: PriceTable;
  /** Called for every 429, 503 and 529, those that an SDK retries included. */
  readonly onRateLimit?: () => void;
  readonly fetch?: typeof globalThis.fetch;
  /** Changes to what one reply may take. */
  readonly replyLimits?: Partial<ReplyLimits>;
  readonly tools?: ToolSetting;
  /** The providers' own tools that an agent has unless its spec says otherwise. */
  readonly hosted?: readonly HostedName[];
};

/** Parameters that every model agent takes. */
export const COMMON_PARAMETERS = {
  base_url: serverUrl(),
  max_steps: wholeNumber(1, 10_000),
  stream: onOff(),
  ...TOOL_PARAMETERS,
  ...MEDIA_PARAMETERS,
  transcribe: transcriptionModel(),
} as const satisfies Record<string, ValueParser<unknown>>;

type CommonValues = ToolValues & {
  readonly base_url?: string;
  readonly max_steps?: number;
  readonly stream?: boolean;
  readonly images?: boolean;
  readonly pdfs?: boolean;
  readonly audio?: boolean;
  readonly transcribe?: string;
};

/** One question on its way through one conversation. */
export type Talk = {
  readonly model: string;
  readonly prompt: string;
  readonly tools: readonly Tool[];
  readonly context: ToolContext;
  readonly maxSteps: number;
  readonly stream: boolean;
  /** The host that is asked, with its port, for messages. */
  readonly server: string;
  /** What the SDK's client is made with. */
  readonly client: ClientOptions;
  readonly transcript: Transcript;
  /** What the server answered to the last request; null while there is nothing. */
  received(): Received | null;
  /** To be called when a reply is in the transcript, and again when the results of its calls are. */
  onStep(): void;
};

/** What every client of an SDK is made with. */
export type ClientOptions = {
  readonly baseURL?: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeout: number;
  readonly maxRetries: number;
  readonly logLevel: 'off';
};

const MAX_STEPS = 30;

/** The sample's deadline ends a request, and no clock of the SDK before it; the longest time that a timer can hold. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
const MAX_RETRIES = 4;

/** One kind of model API. */
export type ModelApi = {
  /** Whose list prices hold, and on which host alone; null when only the user's table can say. */
  readonly listed: { readonly provider: string; readonly host: string } | null;
  readonly media: ApiMedia;
  /** Whether its server may transcribe recordings too; else OpenAI's, or that of OPENAI_BASE_URL, is asked. */
  readonly transcribes: boolean;
  /** What the provider runs itself for this agent. */
  readonly hosted?: readonly HostedTool[];
  /** The address that a client with these options talks to. */
  findServer(options: ClientOptions): Promise<string>;
  /** Makes the SDK's client; rejects where there is no key for it. */
  createClient(options: ClientOptions): Promise<unknown>;
  /** Holds the conversation and leaves what was said in the transcript. */
  hold(talk: Talk): Promise<void>;
};

/** An agent that asks a model. */
export async function createModelAgent(
  spec: AgentSpec,
  common: CommonValues,
  setting: ModelSetting,
  api: ModelApi,
): Promise<Agent> {
  const { target: model, text: name, kind, params = [] } = spec;
  const send = guardFetch(setting.fetch ?? patientFetch, setting.replyLimits);
  const provider = await api.findServer(toClientOptions(common.base_url, send));
  checkServer(provider, name);
  const server = URL.parse(provider)?.host ?? provider;
  const unready = await findProblem(() => api.createClient(toClientOptions(common.base_url, send)));
  const pricing = await loadPricing(model, setting.prices ?? {}, findProvider(api, provider));
  const media = chooseMedia(api.media, common);
  const tools = await gatherTools(common, setting.tools ?? {}, api.hosted ?? []);
  const toToolContext = ({ attachments }: Question, signal: AbortSignal): ToolContext => {
    const address = api.transcribes ? common.base_url : undefined;
    const transcribe = createTranscriber(common.transcribe, toClientOptions(address, send), signal);
    return { signal, attachments, media, ...(transcribe === undefined ? {} : { transcribe }) };
  };
  const answer = async (question: Question, context: AnswerContext) => {
    const { maxSteps, onProgress } = context;
    const given = new AbortController();
    const signal = AbortSignal.any([context.signal, given.signal]);
    const transcript = new Transcript(model, pricing?.costOf ?? null);
    const watched = new WatchedFetch(send, (isRefusal) => {
      if (isRefusal) setting.onRateLimit?.();
      onStep();
    });
    let toolPutOff: Progress['backOff'];
    const toProgress = (): Progress => {
      const putOff = watched.putOff === null ? toolPutOff : { ...watched.putOff, server };
      return { ...transcript.toProgress(watched.waitedMs), ...(putOff === undefined ? {} : { backOff: putOff }) };
    };
    const onStep = () => onProgress?.(toProgress());
    const onPutOff: ToolContext['onPutOff'] = (why) => {
      toolPutOff = why;
      onStep();
    };
    try {
      await api.hold({
        model,
        prompt: tools.promptFor(question, context),
        tools: tools.toolsFor(question),
        context: { ...toToolContext(question, signal), giveUp: (error) => given.abort(error), onPutOff },
        maxSteps: common.max_steps ?? maxSteps ?? MAX_STEPS,
        stream: common.stream === true,
        server,
        client: toClientOptions(common.base_url, watched.fetch),
        transcript,
        received: () => watched.received,
        onStep,
      });
      return transcript.toAnswer(watched.waitedMs);
    } catch (error) {
      throw withProgress(error, toProgress());
    }
  };
  const fingerprint = JSON.stringify([kind, model, params, provider, tools.fingerprint]);
  const priced = pricing === null ? { priced: false } : { priced: true, price: pricing.price };
  const used = describeUse(tools.use);
  const notes = [`${name}: ${used}`];
  return { name, fingerprint, ...priced, ...defined({ unready }), provider, tools: tools.use, notes, answer };
}

async function findProblem(create: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await create();
    return undefined;
  } catch (error) {
    if (error instanceof AgentError) return error.message;
    throw error;
  }
}

/** An address with credentials would be refused by fetch, one request after another. */
function checkServer(server: string, name: string): void {
  const url = URL.parse(server);
  const problem = url === null ? 'is no URL' : url.username + url.password === '' ? null : 'holds a user or password';
  if (problem === null) return;
  const remedy =
    'Give the address alone in OPENAI_BASE_URL, ANTHROPIC_BASE_URL or base_url; keys have variables of their own';
  throw new Error(
    `EVAL_AGENT=${escapeLine(name, 1_000)}: the base URL ${quote(maskKeys(server))} ${problem}. ${remedy}.`,
  );
}

/** A model of the same name on some other server costs something else, or nothing. */
function findProvider({ listed }: ModelApi, server: string): string | null {
  const host = URL.parse(server)?.hostname ?? '';
  return listed !== null && `.${host}`.endsWith(`.${listed.host}`) ? listed.provider : null;
}

function toClientOptions(baseURL: string | undefined, fetch: typeof globalThis.fetch): ClientOptions {
  const address = baseURL === undefined ? {} : { baseURL };
  // The SDKs log what servers send; nothing of it may reach a terminal.
  return { ...address, fetch, timeout: NO_TIMEOUT_MS, maxRetries: MAX_RETRIES, logLevel: 'off' };
}

/** A failure keeps what was used up before it. */
function withProgress(error: unknown, progress: Progress): unknown {
  if (!(error instanceof AgentError)) return error;
  const { kind, message, status, requestId } = error;
  return new AgentError(kind, message, { status, requestId, progress });
}
