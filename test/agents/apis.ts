import { chat, messages, responses } from './replies.ts';
import type { Reply } from './scripted-server.ts';

/** The spec of a model by an API of the table. */
export function specOf(kind: string, model = 'm'): string {
  return kind.includes(':') ? `${kind}/${model}` : `${kind}:${model}`;
}

const RESPONSES = {
  base: (url: string) => `${url}/v1`,
  text: (text: string) => responses.text(text),
  calculate: (code: string) =>
    responses.calls([{ name: 'calculate', args: JSON.stringify({ code }) }]),
  call: (name: string, args: object) => responses.calls([{ name, args: JSON.stringify(args) }]),
};

/** The kinds of model agents, for rules that hold for all of them. */
export const APIS: readonly {
  readonly kind: string;
  /** The base URL of a server, in the form that this API's SDK wants. */
  base(url: string): string;
  text(text: string): Reply;
  /** A reply that asks for a calculation. */
  calculate(code: string): Reply;
  /** A reply that asks for a call of a tool. */
  call(name: string, args: object): Reply;
}[] = [
  { kind: 'openai', ...RESPONSES },
  { kind: 'ai:openai', ...RESPONSES },
  {
    kind: 'openai-chat',
    base: (url) => `${url}/v1`,
    text: (text) => chat.text(text),
    calculate: (code) => chat.calls([{ name: 'calculate', args: JSON.stringify({ code }) }]),
    call: (name, args) => chat.calls([{ name, args: JSON.stringify(args) }]),
  },
  {
    kind: 'anthropic',
    base: (url) => url,
    text: (text) => messages.text(text),
    calculate: (code) => messages.calls([{ name: 'calculate', args: { code } }]),
    call: (name, args) => messages.calls([{ name, args }]),
  },
];
