import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findAsked } from '../../../reporters/quote-run.ts';
import { findEveryEvalProblems } from '../../../test/every-eval-fields.ts';
import { readInspectLog } from '../../../test/inspect-fields.ts';
import { makeFolder } from '../../../test/make-folder.ts';
import { makeOwnRun, OWN_FACTS } from '../../../test/make-own-run.ts';
import { CONDITIONS } from '../../../test/make-run.ts';
import { runViva } from '../../../test/run-viva.ts';
import { assertOneDataset } from '../../cli/export-figures.ts';
import { JUDGE, toJudged, toRun, toTrials } from '../../figures/result.fixture.ts';
import { JUDGE_PROMPT_HASH } from '../../judge/prompt.ts';
import type { SuiteManifest } from '../../store/manifest.ts';
import type { SampleResult } from '../../words/row.ts';
import { toModelId, toModelPath } from './asked-model.ts';

const AGENT = 'openai:gpt-x?temperature=0.2&max_output_tokens=500&seed=7&reasoning_effort=low';
const FACTS = { ...OWN_FACTS, agent: AGENT, model: 'gpt-x-2026-01-01' };
const COMMIT = 'b2f1d3c4e5f60718293a4b5c6d7e8f9012345678';
const HUB = { uri: 'hf:owner/set@main:test', revision: COMMIT, hash: 'x' };
const TOOLS = {
  agent: AGENT,
  own: ['calculate'],
  hosted: ['web_search'],
  mcp: [{ server: 'files', version: '2', tools: ['read'] }],
  leak_guard: 'off',
} as const;

/** A whole dataset of the Hub, answered by a model. */
const WHOLE: Partial<SuiteManifest> = {
  source: HUB,
  group_sizes: [['all', 3]],
  tools: [TOOLS],
  conditions: [
    { ...CONDITIONS, agent: AGENT, deadlines: [['all', 60]], timeout_seconds: 60, max_steps: 9 },
  ],
};
const ROWS = toRun(['++', '+-', '--'], FACTS);

async function exportTo(folder: string, ...words: readonly string[]) {
  const out = makeFolder();
  const { code, output } = await runViva(['export', ...words, '--out', out, folder]);
  const files = globSync('**/*.{json,yaml}', { cwd: out }).map((name) => ({
    name,
    text: readFileSync(join(out, name), 'utf8'),
  }));
  return { code, output, files };
}

const EVERY = ['--every-eval-ever', '--organization', 'Our team'];
const HUB_RESULTS = ['--hf-results', '--task', 'set_main'];

async function exportRecord(folder: string, ...more: readonly string[]) {
  const { code, output, files } = await exportTo(folder, ...EVERY, ...more);
  const [{ name, text } = { name: '', text: 'null' }, ...others] = files;
  expect([code, output, others]).toEqual([0, expect.stringContaining('wrote '), []]);
  const record = JSON.parse(text);
  expect(findEveryEvalProblems(name, record)).toEqual([]);
  return { name, text, record };
}

describe('viva export --every-eval-ever', () => {
  test('writes a record with dataset, model, parameters, figures and limits', async () => {
    const folder = makeOwnRun(ROWS, WHOLE, { seed: 7 });
    const { name, record } = await exportRecord(folder);
    expect(name).toMatch(/^data\/owner-set\/openai\/gpt-x-2026-01-01\/[0-9a-f-]{36}\.json$/);
    expect((await exportRecord(folder)).name).toBe(name);
    expect(record).toMatchObject({
      evaluation_id: expect.stringMatching(/^own\/openai_gpt-x-2026-01-01\/1767225600\/\w{8}$/),
      source_metadata: {
        source_organization_name: 'Our team',
        evaluator_relationship: 'third_party',
      },
      model_info: {
        id: 'openai/gpt-x-2026-01-01',
        inference_platform: 'openai',
        additional_details: { deployment_type: 'externally_managed', agent: AGENT },
      },
    });
    const [{ source_data, metric_config, score_details, generation_config }, ...others] =
      record.evaluation_results;
    expect(others).toEqual([]);
    expect(source_data).toEqual({
      dataset_name: 'owner/set',
      source_type: 'hf_dataset',
      hf_repo: 'owner/set',
      samples_number: 3,
      additional_details: { hash: 'data', revision: COMMIT, files: 'test' },
    });
    expect(metric_config).toMatchObject({ metric_id: 'accuracy', metric_unit: 'proportion' });
    expect(score_details).toMatchObject({
      score: 0.5,
      uncertainty: {
        standard_error: { value: expect.closeTo(Math.sqrt(0.5 / 6), 12), method: 'analytic' },
        confidence_interval: {
          confidence_level: 0.95,
          method: expect.stringContaining('independent results over questions'),
        },
        num_samples: 6,
      },
      details: {
        trials: '2',
        correct: '3',
        missing: JSON.stringify(["a second grading: the suite's own code gave the verdicts"]),
      },
    });
    expect(generation_config).toEqual({
      generation_args: {
        temperature: 0.2,
        max_tokens: 500,
        reasoning: true,
        agentic_eval_config: {
          available_tools: [
            { name: 'calculate', description: "viva's own" },
            { name: 'web_search', description: "the provider's own" },
            { name: 'read', description: 'of the MCP server files 2' },
          ],
        },
        eval_limits: { time_limit: 60 },
      },
      additional_details: {
        prompt: OWN_FACTS.prompt_hash.slice(0, 8),
        answered: '2026-01-01/2026-01-01',
        EVAL_SEED: '7',
        EVAL_TIMEOUT: '60',
        EVAL_MAX_STEPS: '9',
        seed: '7',
        reasoning_effort: 'low',
        leak_guard: 'off',
      },
    });
  });

  test('has named scores, judges with their prompt, and a prompt that all may read', async () => {
    const scores = { polite: true, closeness: 0.5 };
    const judged = toJudged(2, 1, { ...FACTS, dataset: 'owner/set' }).map((row) => ({
      ...row,
      scores,
    }));
    const { record } = await exportRecord(makeOwnRun(judged, { ...WHOLE, public: true }));
    const [whole, polite, closeness] = record.evaluation_results;
    expect(whole.generation_config.generation_args.prompt_template).toBe('Say {{question}}');
    expect(whole.metric_config.llm_scoring.judges[0].model_info.id).toBe('openai:m');
    expect(JSON.parse(whole.score_details.details.missing)).toContain(
      'the errors of its judges, which people have not labelled',
    );
    expect([
      polite.evaluation_name,
      polite.metric_config.metric_id,
      polite.score_details.score,
    ]).toEqual(['own.polite', 'viva.own.polite', 1]);
    expect([closeness.metric_config.metric_kind, closeness.score_details.score]).toEqual([
      'score',
      0.5,
    ]);
  });

  test('says which judges decided, by the prompt of their scale, and which score has no value of all', async () => {
    const judged = toJudged(2, 1, { ...FACTS, dataset: 'owner/set' }).map((row, index) => {
      const judge = {
        ...JUDGE,
        score: 'deep',
        scale: 5,
        verdicts: [index === 0 ? ('error' as const) : 3],
        prompt_hash: JUDGE_PROMPT_HASH,
      };
      return { ...row, scores: { deep: index === 0 ? null : 0.5 }, judge };
    });
    const { record } = await exportRecord(makeOwnRun(judged, { ...WHOLE, public: true }));
    const [{ metric_config, score_details }, ...others] = record.evaluation_results;
    expect(others).toEqual([]);
    expect(metric_config.llm_scoring.input_prompt).toContain('"grade" is a whole number from 1');
    expect(metric_config.llm_scoring.input_prompt).not.toContain('verdict');
    expect(JSON.parse(metric_config.llm_scoring.additional_details.calibrations)).toMatchObject([
      { score: 'deep', scale: 5, judged: 3 },
    ]);
    const gap = 'the score deep: 1 of 3 results has no value (in 0.333 - 0.667)';
    expect(JSON.parse(score_details.details.missing)).toContain(gap);
  });

  test('has no text of a private record, also none that the agent calls its model', async () => {
    const secret = { target: 'SECRET', explanation: 'SECRET' };
    const rows = ROWS.map((row) => ({
      ...row,
      ...secret,
      agent: 'module:a.ts',
      model: 'SECRET text',
    }));
    const conditions = [{ ...CONDITIONS, agent: 'module:a.ts' }];
    const folder = makeOwnRun(rows as SampleResult[], { ...WHOLE, conditions });
    const { text, record } = await exportRecord(folder);
    expect(text).not.toMatch(/SECRET|Say /);
    expect(record.model_info.id).toBe('unknown/module:a.ts');
    const named = rows.map((row) => ({ ...row, model: 'their/model-1' }) as SampleResult);
    const second = await exportRecord(makeOwnRun(named, { ...WHOLE, conditions }));
    expect(second.record.model_info).toMatchObject({ id: 'their/model-1', developer: 'their' });
  });

  test('leaves its folder by no name', async () => {
    const conditions = [{ ...CONDITIONS, agent: 'own' }];
    for (const [dataset, model] of [
      ['data', '../../../x'],
      ['../..', '..'],
      ['CON', 'a/data'],
    ] as const) {
      const rows = ROWS.map((row) => ({ ...row, agent: 'own', dataset, model }) as SampleResult);
      await exportRecord(makeOwnRun(rows, { ...WHOLE, public: true, conditions }));
    }
  });

  test.each([
    ['a local dataset', { source: null }, 'a revision of the dataset'],
    ['a part of a dataset', { group_sizes: [['all', 9]] as const }, '3 of 9 questions were asked'],
    ['bad records', { left_out: ['a:3'] }, '1 bad record, left out'],
  ])('says what is missing: %s', async (_, facts, missing) => {
    const { record } = await exportRecord(makeOwnRun(ROWS, { ...WHOLE, ...facts }));
    const [{ score_details }] = record.evaluation_results;
    expect(score_details.details.missing).toContain(missing);
  });
});

describe('viva export --hf-results', () => {
  test('writes YAML for .eval_results, in percent and with what the value is of', async () => {
    const { code, files } = await exportTo(makeOwnRun(ROWS, WHOLE), ...HUB_RESULTS);
    expect([code, files.length]).toEqual([0, 1]);
    expect(files[0]?.name).toMatch(/^own-openai-gpt-x[\w.-]+-[0-9a-f]{8}\.yaml$/);
    expect(parse(files[0]?.text ?? '')).toEqual([
      {
        dataset: { id: 'owner/set', task_id: 'set_main', revision: COMMIT },
        value: 50,
        date: '2026-01-01',
        notes: expect.stringMatching(
          /^n = 3 questions, 2 trials each; accuracy 50\.0 % .*; agent openai:gpt-x.*; tools: calculate, .*; viva /,
        ),
      },
    ]);
  });

  test('quotes texts so that YAML has no other field of them', async () => {
    const agent = 'openai:x"\n- value: 100 # \u2028\u0085';
    const rows = ROWS.map((row) => ({ ...row, agent }));
    const { files } = await exportTo(makeOwnRun(rows, { ...WHOLE, tools: [] }), ...HUB_RESULTS);
    expect(parse(files[0]?.text ?? '')).toMatchObject([
      { value: 50, notes: expect.stringContaining(agent) },
    ]);
    expect(files[0]?.text.trim().split('\n')).toHaveLength(7);
  });

  test.each([
    ['a local dataset', { source: null }, () => ({}), 'a revision of the dataset'],
    ['a part', { group_sizes: [['all', 9]] as const }, () => ({}), 'the other questions: 3 of 9'],
    ['predictions', {}, () => ({ prompt_hash: '' }), 'the prompt of the predictions'],
    [
      'an agent of code',
      {},
      () => ({ agent: 'module:a.ts', model: null }),
      'the model that module:a.ts asked',
    ],
    ['bad records', { left_out: ['a:3'] }, () => ({}), '1 bad record, left out'],
    [
      'a model that changed',
      {},
      ({ trial }: SampleResult) => ({ model: `gpt-x-${trial}` }),
      'one model: the answers name 2',
    ],
    [
      'a hidden target',
      {},
      ({ id }: SampleResult) => (id === 'q3' ? { target: null, state: 'ungraded' } : {}),
      'the expected answers of 1 question',
    ],
  ])('refuses %s, which a leaderboard would not show', async (_, suite, edit, lacking) => {
    const rows = ROWS.map((row) => ({ ...row, ...edit(row) }) as SampleResult);
    const folder = makeOwnRun(rows, { ...WHOLE, conditions: [], ...suite });
    const { code, output, files } = await exportTo(folder, ...HUB_RESULTS);
    expect([code, files]).toEqual([1, []]);
    expect(output).toContain(`not published, since it lacks ${lacking}`);
    expect(output).toContain('--every-eval-ever writes it, and says what is missing.');
  });
});

describe.each([
  ['--every-eval-ever', EVERY],
  ['--hf-results', HUB_RESULTS],
])('viva export %s', (_, words) => {
  const replayed = { agent: 'replay', model: null, prompt_hash: '' };
  test.each([
    ['a run that was narrowed', { ids: ['q1'] }, {}, {}, 'EVAL_IDS picked its questions by hand'],
    ['the made-up sample', {}, { source: null }, { ...replayed, dataset: 'sample' }, 'made up'],
    ['predictions of an unnamed model', {}, {}, replayed, 'since it lacks the model that answered'],
    ['hidden targets', {}, {}, { target: null, state: 'ungraded' }, 'no expected answer is known'],
  ])('refuses %s', async (_name, config, suite, row, why) => {
    const rows = ROWS.map((one) => ({ ...one, ...row }) as SampleResult);
    const folder = makeOwnRun(rows, { ...WHOLE, conditions: [], ...suite }, config);
    const { code, output, files } = await exportTo(folder, ...words);
    expect([code, files]).toEqual([1, []]);
    expect(output).toContain(why);
    expect(output).not.toContain('--every-eval-ever writes');
  });

  test('refuses a run that does not match its rows, and one that was killed', async () => {
    const folder = makeOwnRun(ROWS, WHOLE);
    const file = join(folder, 'summary.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"accuracy": 0.5', '"accuracy": 0.9'));
    const edited = await exportTo(folder, ...words);
    expect(edited).toMatchObject({ code: 1, files: [] });
    expect(edited.output).toContain('may be published: it does not match its rows.');
    rmSync(join(folder, 'end.json'));
    const killed = await exportTo(folder, ...words);
    expect(killed).toMatchObject({ code: 1, files: [] });
    expect(killed.output).toContain('it did not end');
  });
});

test('writes a file for each suite, agent and prompt, and a task is of one dataset', async () => {
  const other = toTrials('q9', '+', { ...FACTS, suite: 'other' });
  const folder = makeOwnRun([...ROWS, ...other], { ...WHOLE, group_sizes: [] });
  for (const words of [HUB_RESULTS, EVERY])
    expect((await exportTo(folder, ...words)).files).toHaveLength(2);
  const toFigure = (name: string) => ({
    dataset: { name, hash: '', revision: null, hub: null, questions: 1, leftOut: 0 },
  });
  expect(() => assertOneDataset([toFigure('a'), toFigure('b')])).toThrow(
    '--task is of one dataset, and the run has a, b. Export a run of one suite.',
  );
});

/**
 * The fields that every_eval_ever's converter reads of an Inspect log (converters/inspect/adapter.py),
 * read as it reads them.
 */
function readAsConverter({ header, samples }: ReturnType<typeof readInspectLog>) {
  const { dataset, model, model_generate_config: config, config: limits } = header.eval;
  const stepsOf = (name: string) =>
    header.plan.steps.filter(({ solver }: { solver: string }) => solver === name);
  const [prefix, asked] = model.split(/\/(.*)/s);
  return {
    hf_repo: dataset.location,
    dataset_name: dataset.name.split('/').at(-1),
    shuffled: dataset.shuffled,
    model: asked === undefined ? samples[0].output.model : `${prefix}/${samples[0].output.model}`,
    ...config,
    time_limit: limits.time_limit,
    prompt_template: stepsOf('prompt_template')[0]?.params.template,
    tools: stepsOf('use_tools').flatMap(({ params }: { params: { tools: object[][] } }) =>
      params.tools[0]?.map((tool) => Reflect.get(tool, 'name')),
    ),
    judge: header.results.scores[0].params.grader_model?.model,
    judge_prompt: header.results.scores[0].params.grader_template,
  };
}

describe('viva export --inspect', () => {
  const exportLog = async (folder: string) => {
    const out = makeFolder();
    await runViva(['export', '--inspect', '--out', out, folder]);
    const [file = ''] = globSync('*.eval', { cwd: out });
    const log = readInspectLog(join(out, file));
    expect(log.problems).toEqual([]);
    return { log, read: readAsConverter(log) };
  };

  test('names dataset, model, parameters, tools and judge as converters of its logs read them', async () => {
    const judged = toJudged(2, 1, FACTS);
    const config = { seed: 7 };
    const { log, read } = await exportLog(makeOwnRun(judged, { ...WHOLE, public: true }, config));
    expect(read).toEqual({
      hf_repo: 'owner/set',
      dataset_name: 'set',
      shuffled: true,
      model: 'openai/gpt-x-2026-01-01',
      temperature: 0.2,
      max_tokens: 500,
      seed: 7,
      reasoning_effort: 'low',
      time_limit: 60,
      prompt_template: 'Say {{question}}',
      tools: ['calculate', 'web_search', 'read'],
      judge: 'openai:m',
      judge_prompt: expect.stringContaining('judge'),
    });
    expect(log.header.eval.metadata).toMatchObject({
      agent: AGENT,
      dataset_revision: COMMIT,
      settings: { EVAL_MAX_STEPS: '9' },
    });
  });

  test('has no prompt of a private dataset, and no location of a local one', async () => {
    const { log, read } = await exportLog(makeOwnRun(ROWS, { ...WHOLE, source: null }));
    expect([read.prompt_template, read.hf_repo, read.judge]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(log.text).not.toContain('Say ');
  });
});

test.each([
  ['openai:gpt-x', null, 'gpt-x-1', 'openai/gpt-x', 'openai/gpt-x-1'],
  ['openai-chat:gpt-x', null, null, 'openai/gpt-x', 'openai/gpt-x'],
  ['anthropic:claude-x', null, null, 'anthropic/claude-x', 'anthropic/claude-x'],
  ['ai:google/gemini-x', null, 'gemini-x-1', 'google/gemini-x', 'google/gemini-x-1'],
  ['ai:openrouter/meta/llama', null, null, 'openrouter/meta/llama', 'meta/llama'],
  ['openai-chat:meta/llama', 'http://a/v1', null, 'openai-api/meta/llama', 'meta/llama'],
  ['openai-chat:llama', 'http://a/v1', null, 'openai-api/llama', 'unknown/llama'],
  ['ai:openai-compatible/llama', 'http://a/v1', null, 'openai-compatible/llama', 'unknown/llama'],
  ['module:agents/a.ts', null, null, 'module:agents/a.ts', 'unknown/module:agents/a.ts'],
  ['own', null, 'meta/llama/3', 'own', 'meta/llama_3'],
  ['own', null, 'llama', 'own', 'unknown/llama'],
])(
  '%s at %s that reports %s is %s for Inspect and %s in records',
  (name, server, model, path, id) => {
    const agent = {
      ...{ name, server, replay: null, isFile: false, tools: null, asked: findAsked(name) },
      models: model === null ? [] : [model],
    };
    const { developer, model: own } = toModelId(agent);
    expect([toModelPath(agent), `${developer}/${own}`]).toEqual([path, id]);
  },
);
