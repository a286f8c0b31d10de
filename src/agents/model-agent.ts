import { countReply } from '../processes/own-delay.ts';
import {
  describeUse,
  type HostedTool,
  openToolbox,
  type Toolbox,
  type ToolSetting,
  toToolUse,
} from '../tools/index.ts';
import type { MediaLimits, MediaPart } from '../tools/media.ts';
import { readAttachment } from '../tools/read-attachment.ts';
import type { ToolContext } from '../tools/tool.ts';
import { type Agent, AgentError, type Answer, type AnswerContext } from '../words/answer.ts';
import { omitNullish } from '../words/fields.ts';
import type { Json, Question } from '../words/sample.ts';
import { maskKeys } from '../words/secrets.ts';
import {
  numberFrom,
  onOff,
  SEED,
  serverUrl,
  type ValueParser,
  wholeNumber,
} from '../words/setting-values.ts';
import { quote } from '../words/show.ts';
import {
  type Conversation,
  type CostOf,
  converse,
  type Exchange,
  type ReplyFormat,
  sumCosts,
  Transcript,
} from './converse.ts';
import { type FetchSetting, ModelFetch } from './fetch.ts';
import { type ClientOptions, type ModelClient, toClientOptions } from './model-client.ts';
import { createTranscriber } from './openai-client.ts';
import { findListedProvider, loadPricing, type PriceTable } from './price.ts';
import { toSent } from './returned-answer.ts';
import { type AgentSpec, type ParameterValues, REASONING_EFFORT, refuseSpec } from './spec.ts';

/** The settings of a run for its model agents. The SDKs read keys and addresses themselves. */
export type ModelSetting = FetchSetting &
  Readonly<{
    /** Called at each rate-limit error of the provider, even if it is then asked again. */
    onRateLimit?(): void;
    /** The user's price table. */
    prices?: PriceTable;
    tools?: ToolSetting;
    /** The form of every reply. The agent then has no tools of viva. */
    format?: ReplyFormat;
  }>;

/**
 * Parameters of every model agent. With `images=off` or `pdfs=off` the model gets the text of such
 * files, if they have any.
 */
export const COMMON_PARAMETERS = {
  base_url: serverUrl(),
  max_steps: wholeNumber(1, 10_000),
  stream: onOff(),
  /** Switches for all tools, for fetch_page, and for the tools of MCP servers. */
  tools: onOff(),
  fetch_page: onOff(),
  mcp: onOff(),
  images: onOff(),
  pdfs: onOff(),
  transcribe: {
    allowed: 'the name of a transcription model, or off',
    parse: (text) => text || undefined,
  },
} as const satisfies Record<string, ValueParser<unknown>>;

/** Parameters of models of many providers. */
export const CHAT_PARAMETERS = {
  ...COMMON_PARAMETERS,
  audio: onOff(),
  temperature: numberFrom(0, 2),
  top_p: numberFrom(0, 1),
  seed: SEED,
  max_tokens: wholeNumber(1),
  reasoning_effort: REASONING_EFFORT,
} as const;

/** `audio` is off by default: only some models of the chat API accept it. */
type CommonValues = ParameterValues<typeof COMMON_PARAMETERS> & { readonly audio?: boolean };

type ModelApi<Client> = Readonly<{
  /** The model's name for prices and messages, if the spec's target says more. */
  model?: string;
  /**
   * The provider with list prices, on its own server alone; null if only the user's table can have a
   * price; "by host" if the host tells the provider.
   */
  priceListing: string | null;
  media: MediaLimits;
  showsPdfs: boolean;
  /**
   * Whether the agent's own server transcribes. Otherwise OpenAI's or that of OPENAI_BASE_URL does.
   */
  transcribes: boolean;
  hosted?: readonly HostedTool[];
  createClient(options: ClientOptions): Promise<ModelClient<Client>>;
  start(client: Client, exchange: Exchange): Conversation;
}>;

export async function createModelAgent<Client>(
  spec: AgentSpec,
  common: CommonValues,
  setting: ModelSetting,
  api: ModelApi<Client>,
): Promise<Agent> {
  const { target, text: name, kind, params = [] } = spec;
  const { model = target } = api;
  const options = toClientOptions(common.base_url, ModelFetch.ofConversation);
  const { client, baseURL: provider, problem } = await api.createClient(options);
  checkServer(spec, provider);
  const lister = await findLister(api, provider);
  const pricing = await loadPricing(model, setting.prices ?? {}, lister);
  const { tools = true, fetch_page = true, mcp = true } = common;
  const choice = { tools: tools && setting.format === undefined, fetch_page, mcp };
  const toolbox = await openToolbox(setting.tools ?? {}, choice);
  const { hosted = [] } = api;
  const use = toToolUse(toolbox, hosted);
  const asked: Asked<Client> = {
    client,
    problem,
    format: setting.format,
    model,
    provider,
    common,
    setting,
    api,
    toolbox,
    costOf: pricing?.costOf ?? null,
  };
  return {
    name,
    fingerprint: JSON.stringify([kind, target, params, provider, [toolbox.described, hosted]]),
    priced: pricing !== null,
    estimate: (requests) => pricing && sumCosts(requests, pricing.costOf),
    ...omitNullish({
      price: pricing?.price,
      notReadyReason: problem,
      server: lister === null && isUsersServer(provider) ? maskKeys(provider) : null,
    }),
    media: toMediaLimits(api, common),
    provider,
    tools: use,
    notes: [{ kind: 'tools', text: describeUse(use) }],
    answer: (question, context) => askInForm(asked, question, context),
  };
}

/** The values that all questions to one model share. */
type Asked<Client> = {
  readonly client: Client;
  readonly problem: string | null;
  readonly model: string;
  readonly provider: string;
  readonly common: CommonValues;
  readonly setting: ModelSetting;
  readonly api: ModelApi<Client>;
  readonly toolbox: Toolbox;
  readonly costOf: CostOf | null;
  /** Undefined after the server refused it. */
  format: ReplyFormat | undefined;
};

/**
 * A server that refuses the form of replies is asked without it from then on: the prompt describes
 * it too.
 */
async function askInForm<Client>(
  asked: Asked<Client>,
  question: Question<Json>,
  context: AnswerContext,
): Promise<Answer> {
  const { format } = asked;
  try {
    return await ask(asked, question, context);
  } catch (error) {
    const isRefused =
      error instanceof AgentError && error.kind === 'bad_request' && error.status !== 404;
    if (format === undefined || !isRefused) throw error;
    const answer = await ask({ ...asked, format: undefined }, question, context);
    asked.format = undefined;
    return answer;
  }
}

async function ask<Client>(
  asked: Asked<Client>,
  question: Question<Json>,
  context: AnswerContext,
): Promise<Answer> {
  const { client, problem, model, provider, common, setting, api, toolbox, costOf, format } = asked;
  if (problem !== null) throw new AgentError('auth', problem);
  const server = URL.parse(provider)?.host ?? provider;
  const prompt = toPrompt(toolbox, question, context);
  const tools = toolbox.toolsFor(question);
  const names = [...tools.map(({ name }) => name), ...(api.hosted ?? []).map(({ type }) => type)];
  const sent = toSent(prompt, names);
  const transcript = new Transcript(model, costOf, sent);
  const watched = new ModelFetch(setting, (isBusy) => {
    if (isBusy) setting.onRateLimit?.();
    onStep();
  });
  const toProgress = () => ({
    ...transcript.toProgress(watched.waitedMs),
    // A tool's back-off names its own server.
    ...(watched.backOff === null ? {} : { backOff: { server, ...watched.backOff } }),
  });
  const onStep = () => context.onProgress?.(toProgress());
  const toolContext = toToolContext(asked, question, context.signal, watched);
  const exchange: Exchange = {
    model,
    messages: [...question.messages.slice(0, -1), { role: 'user', content: prompt }],
    // A judge has no tools to read them with.
    shown: setting.format === undefined ? [] : await showFiles(toolContext),
    tools,
    context: toolContext,
    maxSteps: common.max_steps ?? context.maxSteps ?? MAX_STEPS,
    stream: common.stream === true,
    format,
    server,
    transcript,
    received: () => watched.received,
    repeat: (send) =>
      watched.repeat(send, server, toolContext.signal).finally(() => countReply(context.signal)),
    onToken: () => transcript.addToken(watched.waitedMs),
    onStep,
  };
  context.onProgress?.({ sent, trace: [] });
  try {
    await watched.run(() => converse(api.start(client, exchange), exchange));
    return transcript.toAnswer(watched.waitedMs);
  } catch (error) {
    // A failed call costs money too.
    throw error instanceof AgentError ? error.with({ progress: toProgress() }) : error;
  }
}

/** A tool that gives up the sample aborts the signal of all other tools. */
function toToolContext(
  { api, common, setting }: Asked<unknown>,
  { attachments }: Question<Json>,
  whole: AbortSignal,
  watched: ModelFetch,
): ToolContext {
  const gaveUp = new AbortController();
  const signal = AbortSignal.any([whole, gaveUp.signal]);
  const server = api.transcribes ? common.base_url : undefined;
  return {
    signal,
    attachments,
    media: toMediaLimits(api, common),
    ...omitNullish({ transcribe: createTranscriber(common.transcribe, server, setting, signal) }),
    giveUp: (error) => gaveUp.abort(error),
    onBackOff: (why, until) => watched.waitForTool(why, until),
  };
}

function toMediaLimits(
  { media, showsPdfs }: Pick<ModelApi<unknown>, 'media' | 'showsPdfs'>,
  { images = true, pdfs = showsPdfs, audio = false }: CommonValues,
): MediaLimits {
  return {
    image: images ? media.image : 0,
    pdf: pdfs ? media.pdf : 0,
    audio: audio ? media.audio : 0,
  };
}

async function showFiles(context: ToolContext): Promise<readonly MediaPart[]> {
  const read = context.attachments.map(({ name }) =>
    readAttachment.run(new Map([['name', name]]), context),
  );
  const results = await Promise.all(read);
  return results.flatMap((result) => (typeof result === 'string' ? [] : result.media));
}

const MAX_STEPS = 30;

/** Refuses a base URL with credentials now, since `fetch` would refuse it at each request. */
function checkServer(spec: AgentSpec, server: string): void {
  const { allowed, parse } = COMMON_PARAMETERS.base_url;
  if (parse(server) !== undefined) return;
  const problem = `the base URL must be ${allowed}, got ${quote(maskKeys(server))}.`;
  throw new Error(refuseSpec(spec, `${problem} Keys have their own variables.`));
}

/**
 * The provider for list prices; null on another server, where a model of the same name has another
 * price or none.
 */
async function findLister(
  { priceListing }: Pick<ModelApi<unknown>, 'priceListing'>,
  server: string,
): Promise<string | null> {
  if (priceListing === 'by host') return findListedProvider(server);
  const host = URL.parse(server)?.hostname ?? '';
  return `.${host}`.endsWith(`.${priceListing}.com`) ? priceListing : null;
}

function isUsersServer(server: string): boolean {
  return !/(?:^|\.)(?:openai|anthropic)\.com$/.test(URL.parse(server)?.hostname ?? '');
}

/** Tools of MCP servers take paths, so they need to know the folder of the attachments. */
function toPrompt(
  { servers }: Toolbox,
  { prompt, attachments }: Question<Json>,
  context: AnswerContext,
): string {
  if (servers.length === 0 || attachments.length === 0) return prompt;
  return `${prompt}\n\nThe attached files are in the folder ${context.workdir}, for tools that take a path.`;
}
