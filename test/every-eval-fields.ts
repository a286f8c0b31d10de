import { type Fields, findProblems, type Shape } from './find-problems.ts';

/**
 * Where a value is not a record of every_eval_ever's schema 0.3. The fields are those that
 * evaleval/every_eval_ever declares in schemas/eval.schema.json and eval_types.py; the further rules
 * are those of its validator (check_score_metadata, check_model_deployment, check_path_structure).
 * Its repository names no licence, so its schema is no file of ours. The schema ignores unknown
 * fields of most objects; here they are wrong, since nobody would read them.
 */
export function findEveryEvalProblems(path: string, record: unknown): readonly string[] {
  const isPath = PATH.test(path);
  return [
    ...(isPath ? [] : [`${path} is no path of the datastore`]),
    ...findProblems(RECORD, record, 'record'),
    ...findScores(record),
  ];
}

const PATH =
  /^data(?:\/(?!data\/)[^/<>:"\\|?*]*[^/<>:"\\|?*. ]){3}\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.json$/;

const TEXTS: Fields = { '*': 'string' };
const UNIX = /^\d{9,}(?:\.\d+)?$/;
const WHOLE: Shape = (value) => (Number.isInteger(value) ? 'number' : 'string');

const DETAILS: Fields = {
  ...TEXTS,
  deployment_type: /^(?:self_deployed|externally_managed|unknown)$/,
  model_availability: /^(?:open_weights|closed_weights|unknown)$/,
};
const MODEL: Fields = {
  name: 'string',
  id: /^[^/]+\/[^/]/,
  'developer?': 'string',
  'inference_platform?': 'string',
  additional_details: DETAILS,
};
const JUDGE_MODEL: Fields = { ...MODEL, id: 'string' };

const SOURCE: Shape = (value): Fields => {
  const shared: Fields = { dataset_name: 'string', 'additional_details?': TEXTS };
  const { source_type: type } = value as { source_type?: unknown };
  if (type !== 'hf_dataset') return { ...shared, source_type: /^other$/ };
  return { ...shared, source_type: 'string', hf_repo: /^[^/]+\/[^/]+$/, 'samples_number?': WHOLE };
};

const METRIC: Fields = {
  'evaluation_description?': 'string',
  metric_id: 'string',
  'metric_name?': 'string',
  'metric_kind?': 'string',
  'metric_unit?': 'string',
  lower_is_better: 'boolean',
  score_type: /^continuous$/,
  min_score: 'number',
  max_score: 'number',
  'llm_scoring?': {
    judges: [{ model_info: JUDGE_MODEL }],
    input_prompt: 'string',
    'additional_details?': TEXTS,
  },
};

const SCORE: Fields = {
  score: 'number',
  'details?': TEXTS,
  uncertainty: {
    'standard_error?': { value: 'number', 'method?': 'string' },
    confidence_interval: {
      lower: 'number',
      upper: 'number',
      confidence_level: 'number',
      method: 'string',
    },
    num_samples: WHOLE,
  },
};

const GENERATION: Fields = {
  generation_args: {
    'temperature?': 'number',
    'top_p?': 'number',
    'top_k?': 'number',
    'max_tokens?': WHOLE,
    'reasoning?': 'boolean',
    'prompt_template?': 'string',
    'agentic_eval_config?': {
      available_tools: [{ name: 'string', description: 'string', 'parameters?': TEXTS }],
    },
    'eval_limits?': { 'time_limit?': WHOLE },
  },
  additional_details: TEXTS,
};

const RECORD: Fields = {
  schema_version: /^0\.3\.0$/,
  evaluation_id: 'string',
  evaluation_timestamp: UNIX,
  retrieved_timestamp: UNIX,
  source_metadata: {
    'source_name?': 'string',
    source_type: /^evaluation_run$/,
    source_organization_name: /./,
    evaluator_relationship: /^(?:first_party|third_party|collaborative|other)$/,
  },
  eval_library: { name: 'string', version: 'string', 'additional_details?': TEXTS },
  model_info: MODEL,
  evaluation_results: [
    {
      'evaluation_result_id?': 'string',
      evaluation_name: 'string',
      source_data: SOURCE,
      'evaluation_timestamp?': UNIX,
      metric_config: METRIC,
      score_details: SCORE,
      generation_config: GENERATION,
    },
  ],
};

type Result = Readonly<{
  metric_config: Readonly<{ min_score: number; max_score: number }>;
  score_details: Readonly<{ score: number }>;
}>;

/** A score lies within its bounds. */
function findScores(record: unknown): readonly string[] {
  const { evaluation_results: results } = record as { evaluation_results: readonly Result[] };
  return results.flatMap(({ metric_config: { min_score, max_score }, score_details: { score } }) =>
    score >= min_score && score <= max_score ? [] : [`${score} is out of bounds`],
  );
}
