import { field, textField } from './outside-value.ts';

/** The one field of a tool's input that stands for arguments that were no JSON object. */
const MALFORMED = 'malformed_arguments';

/** A tool's input as the model wrote it. */
export function toArguments(input: unknown): string {
  return textField(input, MALFORMED) ?? JSON.stringify(input ?? {});
}

/**
 * A fetch whose streamed replies hold well-formed arguments of tools: the SDK ends a conversation at a model's slip in
 * its JSON. What is none is put into an object, so that the tool can refuse it and the model can try again.
 */
export function mendToolInput(send: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const { body, status, headers } = response;
    const isStream = headers.get('content-type')?.includes('text/event-stream') === true;
    if (!isStream || !response.ok || body === null) return response;
    return new Response(
      body.pipeThrough(new TextDecoderStream()).pipeThrough(mendEvents()).pipeThrough(new TextEncoderStream()),
      { status, headers },
    );
  };
}

/** Holds the pieces of each block's arguments back until the block ends. */
function mendEvents(): TransformStream<string, string> {
  const pieces = new Map<unknown, string>();
  let rest: string[] = [];
  return new TransformStream({
    transform(chunk, controller) {
      const before = rest.at(-1)?.slice(-2) ?? '';
      rest.push(chunk);
      // A long event comes in many chunks: to join them all at each would take the square of its length.
      if (!/\n\r?\n/.test(before + chunk)) return;
      const events = rest.join('').split(/(?<=\n\r?\n)/);
      rest = [events.pop() ?? ''];
      for (const event of events) controller.enqueue(mendEvent(event, pieces));
    },
    flush(controller) {
      controller.enqueue(mendEvent(rest.join(''), pieces));
    },
  });
}

function mendEvent(event: string, pieces: Map<unknown, string>): string {
  if (!/input_json_delta|content_block_stop/.test(event)) return event;
  const data = parse(/^data: ?(.*)$/m.exec(event)?.[1] ?? '');
  const index = field(data, 'index');
  const delta = field(data, 'delta');
  if (field(delta, 'type') === 'input_json_delta') {
    pieces.set(index, (pieces.get(index) ?? '') + (textField(delta, 'partial_json') ?? ''));
    return '';
  }
  const written = pieces.get(index);
  if (field(data, 'type') !== 'content_block_stop' || written === undefined) return event;
  pieces.delete(index);
  const whole = { type: 'input_json_delta', partial_json: mend(written) };
  const before = JSON.stringify({ type: 'content_block_delta', index, delta: whole });
  return `event: content_block_delta\ndata: ${before}\n\n${event}`;
}

/** Nothing at all is how a tool without arguments is called. */
function mend(written: string): string {
  const value = parse(written);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return written.trim() === '' || isObject ? written : JSON.stringify({ [MALFORMED]: written });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
