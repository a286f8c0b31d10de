import { parseJsonl } from '../records/jsonl.ts';
import { readText } from '../records/read-text.ts';
import { RecordError } from '../records/record-error.ts';
import type { Answer, Usage } from '../types.ts';
import { type RecordedTrial, type Recording, toRecording } from './recording.ts';

/**
 * Reads a predictions file, one JSON object a line: `task_id` or `id`, and `output` (the whole text, from which the
 * answer is extracted) or `model_answer` (the leaderboard's form, scored as it is); optionally `latency_ms`, `usage`,
 * `cost_usd`, `steps`, `model` and `trial`. Throws a RecordError on a broken line, a mistyped field or a repeated id.
 */
export function readPredictions(file: string): Recording {
  const lineOf = new Map<string, number>();
  const trials = parseJsonl(file, readText(file)).map(({ line, value }) => {
    const prediction = parsePrediction(new Fields(file, line, value));
    const { id, trial } = prediction;
    const key = JSON.stringify([id, trial]);
    const earlier = lineOf.get(key);
    if (earlier !== undefined) {
      const problem = `the sample already has a prediction on line ${earlier}`;
      throw new RecordError({ file, line, id, problem, value: id, remedy: 'Keep one of the two lines.' });
    }
    lineOf.set(key, line);
    return prediction;
  });
  return toRecording(trials);
}

function parsePrediction(fields: Fields): RecordedTrial {
  const id = fields.text('task_id') ?? fields.text('id');
  if (id === null) throw fields.fault('task_id', 'is missing', 'Give each prediction the id of its sample.');
  const [output, given] = [fields.text('output'), fields.text('model_answer')];
  if (output !== null && given !== null) {
    throw fields.fault('model_answer', 'stands beside "output"', 'Keep the one that is to be scored.', given);
  }
  const text = output ?? given;
  if (text === null) {
    throw fields.fault(
      'output',
      'is missing, and so is "model_answer"',
      'Give the agent\'s text; "" if it said nothing.',
    );
  }
  return { id, trial: fields.position('trial') ?? 1, said: toAnswer(fields, text, output === null) };
}

function toAnswer(fields: Fields, text: string, verbatim: boolean): Answer {
  const [model, cost, steps, usage] = [
    fields.text('model'),
    fields.count('cost_usd'),
    fields.count('steps'),
    toUsage(fields),
  ];
  return {
    text,
    verbatim,
    latencyMs: fields.count('latency_ms'),
    ...(model === null ? {} : { model }),
    ...(cost === null ? {} : { cost }),
    ...(steps === null ? {} : { steps }),
    ...(usage === null ? {} : { usage }),
  };
}

function toUsage(fields: Fields): Usage | null {
  const usage = fields.object('usage');
  if (usage === null) return null;
  return {
    input_tokens: usage.count('input_tokens') ?? 0,
    output_tokens: usage.count('output_tokens') ?? 0,
    cached_tokens: usage.count('cached_tokens') ?? 0,
    reasoning_tokens: usage.count('reasoning_tokens') ?? 0,
  };
}

/** Typed access to the fields of one line; an absent or null field is null. */
class Fields {
  readonly #file: string;
  readonly #line: number;
  readonly #values: ReadonlyMap<string, unknown>;

  constructor(file: string, line: number, value: unknown) {
    this.#file = file;
    this.#line = line;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.fault(undefined, 'the line must be a JSON object', 'Write {"task_id": ..., "output": ...}.', value);
    }
    this.#values = new Map(Object.entries(value));
  }

  text(field: string): string | null {
    const value = this.#values.get(field) ?? null;
    if (value === null || typeof value === 'string') return value;
    throw this.fault(field, 'must be text', 'Write it in quotes.', value);
  }

  count(field: string): number | null {
    const value = this.#values.get(field) ?? null;
    if (value === null || (typeof value === 'number' && Number.isFinite(value) && value >= 0)) return value;
    throw this.fault(field, 'must be a number from 0 up', 'Correct it or leave the field out.', value);
  }

  position(field: string): number | null {
    const value = this.count(field);
    if (value === null || (Number.isSafeInteger(value) && value > 0)) return value;
    throw this.fault(field, 'must be a whole number from 1 up', 'Correct it or leave the field out.', value);
  }

  object(field: string): Fields | null {
    const value = this.#values.get(field) ?? null;
    return value === null ? null : new Fields(this.#file, this.#line, value);
  }

  fault(field: string | undefined, problem: string, remedy: string, ...received: [value?: unknown]): RecordError {
    const value = received.length === 0 ? {} : { value: received[0] };
    return new RecordError({ file: this.#file, line: this.#line, field, problem, remedy, ...value });
  }
}
