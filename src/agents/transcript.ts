import { onOff } from '../text/setting-values.ts';
import type { MediaLimits } from '../tools/media.ts';
import { cutMiddle, type ToolResult } from '../tools/tool.ts';
import type { Answer, Progress, TraceStep, Usage } from '../types.ts';
import type { TokenCounts, ToolCall, Turn } from './converse.ts';

/** USD of one request, or null when it cannot be known. */
export type Pricing = (counts: TokenCounts) => number | null;

const MAX_TEXT = 20_000;
const MAX_CALL = 8_000;

/** What was said in one conversation with a model: the answer, the trace and the sums over all requests. */
export class Transcript {
  readonly #price: Pricing | null;
  readonly #model: string;
  readonly #turns: Turn[] = [];
  readonly #results = new Map<ToolCall, ToolResult>();

  constructor(model: string, price: Pricing | null) {
    this.#model = model;
    this.#price = price;
  }

  get steps(): number {
    return this.#turns.length;
  }

  add(turn: Turn): void {
    this.#turns.push(turn);
  }

  addResult(call: ToolCall, result: ToolResult): void {
    this.#results.set(call, result);
  }

  /** The last reply as the answer. */
  toAnswer(waitedMs: number): Answer {
    return { ...toOutput(this.#turns.at(-1)), ...this.toProgress(waitedMs) };
  }

  toProgress(waitedMs: number): Progress {
    const counted = this.#turns.flatMap(({ usage }) => (usage === null ? [] : [usage]));
    const cost = this.#cost();
    return {
      model: this.#turns.findLast(({ model }) => model !== null)?.model ?? this.#model,
      steps: this.#turns.length,
      waitedMs,
      trace: this.#turns.map((turn) => this.#toStep(turn)),
      ...(counted.length === 0 ? {} : { usage: sum(counted) }),
      ...(cost === null ? {} : { cost, costEstimated: true as const }),
    };
  }

  /** Request by request: prices may rise with the length of one. Unknown as soon as one of them is. */
  #cost(): number | null {
    let total = 0;
    for (const turn of this.#turns) {
      const cost = turn.usage === null || isUncounted(turn, turn.usage) ? null : (this.#price?.(turn.usage) ?? null);
      if (cost === null) return null;
      total += cost;
    }
    return this.#turns.length === 0 ? null : total;
  }

  #toCall(call: ToolCall): TraceStep['tool_calls'][number] {
    const result = this.#results.get(call);
    return { ...call, result: result?.output ?? null, failed: result?.failed ?? false };
  }

  #toStep({ text, reasoning, calls, served = [], stop, usage }: Turn): TraceStep {
    return {
      text: text === null ? null : cutMiddle(text, MAX_TEXT),
      reasoning: reasoning === null ? null : cutMiddle(reasoning, MAX_TEXT),
      tool_calls: [...served, ...calls.map((call) => this.#toCall(call))].map(cutCall),
      stop,
      usage: usage === null ? null : toUsage(usage),
    };
  }
}

/** A reply that says something takes tokens in and out: a server that counts none would make every answer free. */
function isUncounted({ text, reasoning, calls }: Turn, { input_tokens, output_tokens }: TokenCounts): boolean {
  const isEmpty = (text ?? '') === '' && (reasoning ?? '') === '' && calls.length === 0;
  return !isEmpty && (input_tokens === 0 || output_tokens === 0);
}

function cutCall({ name, arguments: args, result, failed }: TraceStep['tool_calls'][number]) {
  return {
    name: cutMiddle(name, 200),
    arguments: cutMiddle(args, MAX_CALL),
    result: result === null ? null : cutMiddle(result, MAX_CALL),
    failed,
  };
}

function toOutput(last: Turn | undefined): Pick<Answer, 'text' | 'reason' | 'cutShort'> {
  const { text, flaw } = last ?? { text: null, flaw: null };
  if (text === null || flaw === 'refusal') return { text: null, reason: flaw ?? 'empty' };
  return flaw === null ? { text } : { text, cutShort: flaw };
}

function toUsage({ cache_write_tokens: _, ...usage }: TokenCounts): Usage {
  return usage;
}

function sum(counts: readonly TokenCounts[]): Usage {
  const total = (key: keyof Usage) => counts.reduce((so_far, usage) => so_far + usage[key], 0);
  return {
    input_tokens: total('input_tokens'),
    output_tokens: total('output_tokens'),
    cached_tokens: total('cached_tokens'),
    reasoning_tokens: total('reasoning_tokens'),
  };
}

/** Parameters that say what a model is shown as it is; what it is not, it gets as text if there is one. */
export const MEDIA_PARAMETERS = { images: onOff(), pdfs: onOff() } as const;

/** Recordings: only some models of the chat API hear. */
export const AUDIO_PARAMETER = { audio: onOff() } as const;

type MediaValues = { readonly images?: boolean; readonly pdfs?: boolean; readonly audio?: boolean };

/** What an API takes, and what of it a model is shown unless the spec says otherwise. */
export type ApiMedia = {
  /** In bytes before they are written as base64. */
  readonly most: MediaLimits;
  readonly byDefault: { readonly images: boolean; readonly pdfs: boolean };
};

export const OPENAI_MEDIA: ApiMedia = {
  most: { image: 20_000_000, pdf: 20_000_000, audio: 0 },
  byDefault: { images: true, pdfs: true },
};

/** Compatible servers mostly take pictures, and no PDF. */
export const CHAT_MEDIA: ApiMedia = {
  most: { image: 20_000_000, pdf: 20_000_000, audio: 20_000_000 },
  byDefault: { images: true, pdfs: false },
};

/** A picture may have 5 MB as base64, a whole request 32 MB. */
export const ANTHROPIC_MEDIA: ApiMedia = {
  most: { image: 3_700_000, pdf: 10_000_000, audio: 0 },
  byDefault: { images: true, pdfs: true },
};

/** What a model is shown, by its API and the parameters of its spec. */
export function chooseMedia({ most, byDefault }: ApiMedia, values: MediaValues): MediaLimits {
  return {
    image: (values.images ?? byDefault.images) ? most.image : 0,
    pdf: (values.pdfs ?? byDefault.pdfs) ? most.pdf : 0,
    audio: values.audio === true ? most.audio : 0,
  };
}
