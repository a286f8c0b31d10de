import { chat, messages, responses } from './replies.ts';
import type { Reply } from './scripted-server.ts';

/** The API of a kind in the table. */
export function apiOf(kind: string): (typeof APIS)[number] {
  const api = APIS.find((each) => each.kind === kind);
  if (api === undefined) throw new Error(`No API has the kind ${kind}.`);
  return api;
}

/** The spec of a model by an API of the table. */
export function specOf(kind: string, model = 'm'): string {
  return kind.includes(':') ? `${kind}/${model}` : `${kind}:${model}`;
}

const RESPONSES = {
  base: (url: string) => `${url}/v1`,
  text: responses.text,
  call: (name: string, args: object) => responses.calls([{ name, args: JSON.stringify(args) }]),
};

/**
 * The kinds of model agents, for rules that hold for all of them. What is tested for the kinds on
 * SDKs of their own, but not for `ai:openai`, with the reason:
 * - `openai-responses.test.ts`, its first part: what viva itself writes into a request and reads of
 *   a reply. The package writes and reads for `ai:`; it does not tell a text that ended for no
 *   stated reason from a whole one. `ai.test.ts` has its requests, tools, files and signatures.
 * - `openai-chat.test.ts`: replies that are not quite of the API. The packages refuse some of them.
 * - `anthropic.test.ts`: its API alone has pauses, containers, a login and limits of replies.
 * - `openai-client.test.ts`, a key that is missing: each package has its own, in `ai.test.ts`.
 * - `kinds.test.ts`, parameters: those of `ai:` are others, in `ai.test.ts`.
 * - `model-agent.test.ts`, a provider's own tools, and `transcribe` in `attachments.test.ts`: `ai:`
 *   has no tools of providers, and has recordings transcribed as `anthropic:` does.
 * - `attachments.test.ts`, where pictures and PDF files go: by package, in `ai.test.ts`.
 * - `first-token.test.ts`: which events are tokens is the package's to tell; in `ai.test.ts`.
 * - `loading.test.ts`: `ai:` loads no SDK, and its package by the name in the spec.
 * - `faults/api`: runs for `ai:openai` too; `but` in `faults.ts` has what comes otherwise.
 * - Tests of one kind alone (`kill`, `mcp`, `jury`) are about viva, not about an API.
 */
export const APIS: readonly {
  readonly kind: string;
  /** The base URL of a server, in the form that this API's SDK wants. */
  base(url: string): string;
  text(text: string): Reply;
  /** A reply that asks for a call of a tool. */
  call(name: string, args: object): Reply;
}[] = [
  { kind: 'openai', ...RESPONSES },
  { kind: 'ai:openai', ...RESPONSES },
  {
    kind: 'openai-chat',
    base: (url) => `${url}/v1`,
    text: chat.text,
    call: (name, args) => chat.calls([{ name, args: JSON.stringify(args) }]),
  },
  {
    kind: 'anthropic',
    base: (url) => url,
    text: messages.text,
    call: (name, args) => messages.calls([{ name, args }]),
  },
];
