import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { listMembers } from '../src/tools/readers/zip.ts';
import { type Fields, findProblems, type Shape } from './find-problems.ts';

export type InspectLog = ReturnType<typeof readInspectLog>;

/** Reads an Inspect log from its archive, whose sizes and checksums are checked. */
export function readInspectLog(file: string) {
  const members = listMembers(readFileSync(file)).map(({ name, read }) => {
    return { name, text: Buffer.from(read(1e9)).toString('utf8') };
  });
  const parsed = members.map(({ name, text }) => ({ name, value: JSON.parse(text) }));
  const ofSamples = parsed.filter(({ name }) => name.startsWith('samples/'));
  const readMember = (wanted: string) => parsed.find(({ name }) => name === wanted)?.value;
  return {
    names: members.map(({ name }) => name),
    /** All members, one after the other. */
    text: members.map(({ text }) => text).join('\n'),
    header: readMember('header.json'),
    samples: ofSamples.map(({ value }) => value),
    summaries: readMember('summaries.json'),
    problems: [
      ...parsed.flatMap(({ name, value }) => findProblems(shapeOf(name), value, name)),
      ...ofSamples
        .filter(
          ({ name, value: { id, epoch } }) => !name.endsWith(`${basename(id)}_epoch_${epoch}.json`),
        )
        .map(({ name }) => `${name} is named wrongly`),
    ],
  };
}

/**
 * The fields of a member of an Inspect log of version 2, as
 * UKGovernmentBEIS/inspect_ai declares them in log/_recorders/eval.py (LogStart and the names of the
 * members), log/_log.py (EvalLog, EvalSpec, EvalSample, EvalSampleSummary ...), event/_model.py,
 * _tool.py, _score.py, _error.py and _base.py, event/_pool.py,
 * model/_chat_message.py, model/_model_output.py (ModelUsage, StopReason), scorer/_metric.py (Score)
 * and tool/_tool_call.py. Pydantic refuses a wrong type there and ignores unknown fields; here an
 * unknown field is wrong too, since the viewer would not show it.
 */
function shapeOf(name: string): Shape {
  if (name === 'header.json') return HEADER;
  if (name === '_journal/start.json') return START;
  return name.startsWith('samples/') ? SAMPLE : [SUMMARY];
}

const ANY: Fields = { '*': 'any' };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const USAGE: Fields = {
  input_tokens: 'number',
  output_tokens: 'number',
  total_tokens: 'number',
  'input_tokens_cache_read?': 'number',
  'reasoning_tokens?': 'number',
};

const CONTENT: Shape = (value) => (Array.isArray(value) ? [PART] : 'string');
const PART: Shape = (value): Fields =>
  (value as { type?: unknown } | null)?.type === 'text'
    ? { type: 'string', text: 'string' }
    : { type: /^reasoning$/, reasoning: 'string' };

const CALL: Fields = { id: 'string', function: 'string', type: /^function$/, arguments: ANY };
const TOOL_ERROR: Fields = { type: /^unknown$/, message: 'string' };

const SAID: Fields = { 'id?': 'string', content: CONTENT, 'source?': /^(input|generate)$/ };
const ASSISTANT: Fields = {
  ...SAID,
  role: /^assistant$/,
  'model?': 'string',
  'tool_calls?': [CALL],
};
const MESSAGE: Shape = (value) => {
  const role = (value as { role?: unknown } | null)?.role;
  if (role === 'assistant') return ASSISTANT;
  if (role !== 'tool') return { ...SAID, role: /^(system|user)$/ };
  const own: Fields = { role: 'string', tool_call_id: 'string', function: 'string' };
  return { ...SAID, ...own, 'error?': TOOL_ERROR };
};

const OUTPUT: Shape = {
  model: 'string',
  completion: 'string',
  usage: (value) => (value === null ? null : USAGE),
  choices: [
    {
      message: ASSISTANT,
      stop_reason: /^(stop|max_tokens|model_length|tool_calls|content_filter)$/,
    },
  ],
};

const SCORE: Shape = {
  value: /^[CIN]$/,
  'answer?': 'string',
  'explanation?': 'string',
  metadata: ANY,
};
/** A named score; Inspect takes a text, a number or a boolean as value, and metadata may be absent. */
const NAMED: Shape = (value) => {
  const { value: scored } = value as { value?: unknown };
  if (typeof scored === 'string') return SCORE;
  return { value: typeof scored === 'boolean' ? 'boolean' : 'number' };
};
const ERROR: Shape = { message: 'string', traceback: 'string', traceback_ansi: 'string' };

const EVENTS: Readonly<Record<string, Fields>> = {
  model: {
    model: 'string',
    input: [MESSAGE],
    input_refs: [['number']],
    tools: ['any'],
    tool_choice: /^auto$/,
    config: ANY,
    output: OUTPUT,
    completed: TIME,
    working_time: 'number',
  },
  tool: {
    ...CALL,
    result: 'string',
    'error?': TOOL_ERROR,
    failed: 'boolean',
    'message_id?': 'string',
    completed: TIME,
    working_time: 'number',
  },
  score: { score: SCORE, target: 'string' },
  error: { error: ERROR },
};
const EVENT: Shape = (value) => ({
  event: /./,
  uuid: 'string',
  timestamp: TIME,
  working_start: 'number',
  ...EVENTS[String((value as { event?: unknown } | null)?.event)],
});

const LISTED: Fields = {
  id: 'string',
  epoch: 'number',
  uuid: 'string',
  input: 'string',
  'choices?': ['string'],
  target: 'string',
  scores: { '*': NAMED },
  metadata: ANY,
  model_usage: { '*': USAGE },
  started_at: TIME,
  completed_at: TIME,
  total_time: 'number',
  working_time: 'number',
};
const SUMMARY: Shape = {
  ...LISTED,
  'limit?': /^time$/,
  'error?': 'string',
  completed: 'boolean',
  message_count: 'number',
};
const SAMPLE: Shape = {
  ...LISTED,
  messages: [MESSAGE],
  output: OUTPUT,
  store: ANY,
  events: [EVENT],
  events_data: { messages: [MESSAGE], calls: ['any'] },
  attachments: { '*': 'string' },
  'limit?': { type: /^time$/, limit: 'number' },
  'error?': ERROR,
};

/** GenerateConfig of model/_generate_config.py. */
const CONFIG: Fields = {
  'temperature?': 'number',
  'top_p?': 'number',
  'top_k?': 'number',
  'max_tokens?': 'number',
  'seed?': 'number',
  'reasoning_effort?': /^(none|minimal|low|medium|high|xhigh)$/,
};

const START: Fields = {
  version: 'number',
  eval: {
    eval_id: 'string',
    run_id: 'string',
    created: TIME,
    task: 'string',
    task_id: 'string',
    task_version: 'number',
    task_attribs: ANY,
    task_args: { '*': 'string' },
    model: 'string',
    model_args: ANY,
    model_generate_config: CONFIG,
    config: { epochs: 'number', 'time_limit?': 'number' },
    metadata: ANY,
    dataset: {
      name: 'string',
      'location?': 'string',
      samples: 'number',
      sample_ids: ['string'],
      shuffled: 'boolean',
    },
    packages: { '*': 'string' },
    scorers: [{ name: 'string' }],
  },
  plan: { name: 'string', steps: [{ solver: 'string', params: ANY }], config: CONFIG },
};
const METRIC: Fields = { name: 'string', value: 'number', params: ANY };
const HEADER: Shape = {
  ...START,
  status: /^(success|cancelled)$/,
  results: {
    total_samples: 'number',
    completed_samples: 'number',
    scores: [{ name: 'string', scorer: 'string', params: ANY, metrics: { '*': METRIC } }],
  },
  stats: { started_at: TIME, completed_at: TIME, model_usage: { '*': USAGE } },
};
