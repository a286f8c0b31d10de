import { ANSWER, expectedOf, FAULTS, type Fault, MAX_STEPS, type Outcome } from '../../test/faults/api/faults.ts';
import type { ApiExchange } from './api-server.ts';

/** What the server does with a question, and how often in a thousand. */
export type ApiKind = {
  readonly name: string;
  readonly share: number;
  reply(exchange: ApiExchange): void;
  expected(api: string, streamed: boolean): Outcome;
};

/** From the fault matrix, with shares: what passes, what does not, and what is told to the model. */
const SHARES: Readonly<Record<string, number>> = {
  '429-seconds': 4,
  '429-without': 4,
  '500-once': 30,
  '500-always': 5,
  'reset-once': 20,
  'reset-always': 4,
  'reset-body': 10,
  'slow-head': 1,
  'stalled-body': 1,
  truncated: 20,
  'cut-stream': 10,
  html: 10,
  nothing: 5,
  'empty-list': 10,
  'empty-text': 20,
  'invalid-utf8': 10,
  deep: 2,
  '307': 5,
  'bad-arguments': 15,
  'unknown-tool': 15,
  'unknown-always': 5,
  'tool-loop': 1,
  'usage-huge': 10,
};

const right = (calls: number): Outcome => ({ state: 'correct', reason: null, calls, again: false });

const answer = ({ send, encode }: ApiExchange) => send(encode({ text: ANSWER }));
const own = (name: string, share: number, calls: number, reply: ApiKind['reply']): ApiKind => ({
  name,
  share,
  reply,
  expected: () => right(calls),
});

/** Calls a tool until the last request, which must hold what the tool has to say of each. */
const callTool =
  (calls: readonly { readonly name: string; readonly args: object; readonly result: string }[]) =>
  (exchange: ApiExchange) => {
    const { attempt, body, send, encode } = exchange;
    const call = calls[attempt - 1];
    if (call !== undefined) return send(encode({ call: { name: call.name, args: JSON.stringify(call.args) } }));
    const missing = calls.filter(({ result }) => !body.includes(result));
    if (missing.length === 0) return answer(exchange);
    send(encode({ text: `FINAL ANSWER: the result of ${missing[0]?.name} did not come` }));
  };

const OWN: readonly ApiKind[] = [
  own('large', 10, 1, ({ send, encode }) =>
    send(encode({ text: `${'I turn to the next page and read it from the top. '.repeat(4000)}\n${ANSWER}` })),
  ),
  own('calculates', 8, MAX_STEPS, (exchange) => {
    const sum = (plus: number) => ({
      name: 'calculate',
      args: { code: `${exchange.index} * 1000 + ${plus}` },
      result: String(exchange.index * 1000 + plus),
    });
    callTool([sum(17), sum(42)])(exchange);
  }),
  own('reads', 40, 2, (exchange) =>
    callTool([{ name: 'read_attachment', args: { name: 'attachment.txt' }, result: toNote(exchange.index) }])(exchange),
  ),
  own('asks MCP', 40, 2, (exchange) => {
    const text = `shelf ${exchange.index}`;
    callTool([{ name: 'odd__echo', args: { text }, result: `you said ${text}` }])(exchange);
  }),
  own('ends MCP', 1, 2, callTool([{ name: 'odd__leave', args: {}, result: 'goodbye' }])),
  {
    name: 'wrong',
    share: 130,
    reply: ({ send, encode }) => send(encode({ text: 'FINAL ANSWER: another shelf' })),
    expected: () => ({ ...right(1), state: 'incorrect' as Outcome['state'] }),
  },
];

const OF_THE_MATRIX: readonly ApiKind[] = Object.entries(SHARES).map(([id, share]) => {
  const fault = findFault(id);
  return { name: id, share, reply: fault.reply, expected: (api, streamed) => expectedOf(fault, api, streamed) };
});

const PLAIN = own('right', 1000 - sum([...OWN, ...OF_THE_MATRIX]), 1, answer);

export const API_KINDS: readonly ApiKind[] = [PLAIN, ...OWN, ...OF_THE_MATRIX];

/** What the attachment of a question says, for those that read one. */
export function toNote(index: number): string {
  return `The note on shelf ${index} is grey.`;
}

function findFault(wanted: string): Fault {
  const fault = FAULTS.find(({ id }) => id === wanted);
  if (fault === undefined) throw new Error(`The fault matrix has no "${wanted}". Take it out of the shares.`);
  return fault;
}

function sum(kinds: readonly ApiKind[]): number {
  return kinds.reduce((total, { share }) => total + share, 0);
}
