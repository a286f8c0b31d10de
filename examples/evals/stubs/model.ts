type Message = { readonly role: string; readonly content: unknown };

/** A text, or the tool that is to be called. */
type Reply = string | { readonly name: string; readonly arguments: object };

/**
 * Plays a model behind OpenAI's chat API, so that nothing here needs a key: a `fetch` that answers by a
 * rule. Leave it out where a client is made, and the real model answers.
 */
export function stubModel(rule: (messages: readonly Message[]) => Reply): typeof fetch {
  return async (_url, init) => {
    const { model, messages, stream } = JSON.parse(String(init?.body));
    const reply = rule(messages);
    const head = { id: 'stub', created: 0, model };
    const usage = { prompt_tokens: 90, completion_tokens: 9, total_tokens: 99 };
    if (stream) return new Response(toEvents(String(reply), head, usage), EVENTS);
    const [message, finish_reason] = toMessage(reply);
    return Response.json({ ...head, choices: [{ index: 0, message, finish_reason }], usage });
  };
}

/** The text of the last message of a role, or '' without one. */
export function lastOf(messages: readonly Message[], role: string): string {
  const content = messages.findLast((message) => message.role === role)?.content ?? '';
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function toMessage(reply: Reply) {
  if (typeof reply === 'string') return [{ role: 'assistant', content: reply }, 'stop'];
  const call = { name: reply.name, arguments: JSON.stringify(reply.arguments) };
  const tool_calls = [{ id: 'call_1', type: 'function', function: call }];
  return [{ role: 'assistant', content: null, tool_calls }, 'tool_calls'];
}

const EVENTS = { headers: { 'content-type': 'text/event-stream' } };

function toEvents(text: string, head: object, usage: object): string {
  const words = text.split(/(?<= )/).map((content) => ({ delta: { content } }));
  const chunks = [...words, { delta: {}, finish_reason: 'stop' }].map((choice) => ({
    ...head,
    choices: [{ index: 0, ...choice }],
  }));
  const lines = [...chunks, { ...head, choices: [], usage }].map((chunk) => JSON.stringify(chunk));
  return [...lines, '[DONE]'].map((line) => `data: ${line}\n\n`).join('');
}
