import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentSpec, isPaid } from '../../agents/agent-spec.ts';
import { createAgents } from '../../agents/index.ts';
import type { EvalConfig } from '../../config.ts';
import { withDeadline } from '../../trial/deadline.ts';
import type { Agent, Question } from '../../types.ts';
import type { CommandContext } from '../command.ts';
import type { Finding } from './finding.ts';
import { SUITES } from './load-datasets.ts';
import { isAgreed } from './options.ts';
import { withConfig } from './with-config.ts';

const DEADLINE_MS = 120_000;

const QUESTION: Question = {
  id: 'doctor',
  suite: 'doctor',
  group: 'all',
  input: 'What is 2 plus 3?',
  prompt: 'What is 2 plus 3? End with "FINAL ANSWER: " and the number.',
  attachments: [],
};

/** Whether each agent of EVAL_AGENT answers. One that may cost money is asked only after the user agreed. */
export const agents = withConfig('agent', async (config, context) => {
  const { agents: specs } = config;
  if (specs === null) return [{ status: 'ok', what: 'none named: each suite replays its own made-up predictions' }];
  const findings: Finding[] = [];
  for (const spec of specs) findings.push(await examineSpec(spec, config, context));
  return findings;
});

async function examineSpec(spec: AgentSpec, config: EvalConfig, context: CommandContext): Promise<Finding> {
  if (!isPaid(spec)) return examineReplay(spec, config, context);
  const agreed = isAgreed(context.args) || (await context.confirm(`Ask ${spec.text} one short question (may cost)?`));
  if (agreed === null) return { status: 'skipped', what: `${spec.text} was not asked: --yes asks it one question` };
  if (!agreed) return { status: 'skipped', what: `${spec.text} was not asked` };
  try {
    const [agent] = await createAgents(spec, { suite: 'doctor', ids: [], predictions: '' });
    return agent === undefined ? silent(spec.text, 'no agent') : await askOnce(agent);
  } catch (error) {
    return silent(spec.text, error instanceof Error ? error.message : String(error));
  }
}

async function askOnce(agent: Agent): Promise<Finding> {
  const workdir = mkdtempSync(join(tmpdir(), 'viva-doctor-'));
  const start = performance.now();
  try {
    const { text } = await withDeadline(DEADLINE_MS, new AbortController().signal, async (signal) =>
      agent.answer(QUESTION, { signal, workdir, maxSteps: 3, trial: 1, deadlineMs: DEADLINE_MS }),
    );
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    if (text === null || text.trim() === '') return silent(agent.name, 'it gave no text');
    return { status: 'ok', what: `${agent.name} answered in ${seconds} s: ${JSON.stringify(text.trim().slice(-80))}` };
  } finally {
    rmSync(workdir, { recursive: true, force: true });
  }
}

function silent(name: string, why: string): Finding {
  return { status: 'miss', what: `${name} did not answer: ${why}`, remedy: 'Check the key, the model and the server.' };
}

/** A replay is free: reading its predictions for a suite is all that there is to check. */
async function examineReplay(spec: AgentSpec, config: EvalConfig, context: CommandContext): Promise<Finding> {
  const problems: string[] = [];
  for (const suite of SUITES) {
    try {
      const { samples } = await suite.load(config, context);
      const ids = samples.map(({ id }) => id);
      await createAgents(spec, { suite: suite.name, ids, predictions: suite.predictions });
      return { status: 'ok', what: `${spec.text} has answers for ${suite.name}` };
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  const remedy = 'Name the predictions of the dataset that is set.';
  return { status: 'miss', what: `${spec.text}: ${problems[0]}`, remedy };
}
