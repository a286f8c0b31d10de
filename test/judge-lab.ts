import { randomUUID } from 'node:crypto';
import { type JudgeOptions, judge } from '../src/judge/judge.ts';
import type { SuiteDefinition } from '../src/run/definition.ts';
import { gradeWithJudges, Jury } from '../src/run/jury.ts';
import { UNSPENT } from '../src/run/lanes.fixture.ts';
import { toSuite } from '../src/run/suite.ts';
import { readConfig } from '../src/settings.ts';
import type { Sample } from '../src/words/sample.ts';
import { toSample } from '../src/words/types.fixture.ts';
import { chat } from './agents/replies.ts';
import { type Reply, startScriptedServer } from './agents/scripted-server.ts';
import { makeFolder } from './make-folder.ts';
import { makeRun } from './make-run.ts';

/**
 * What a server sees: the model, the whole prompt, the texts between its marks, and all that is
 * outside of them.
 */
export type Seen = Readonly<{
  model: string;
  prompt: string;
  texts: Readonly<Record<string, string>>;
  outside: string;
}>;

/** A reply with a verdict, as a server with OpenAI's chat API sends it. */
export function saying(verdict: string, reason = `It is ${verdict}.`): Reply {
  return chat.text(JSON.stringify({ reason, verdict }));
}

/** A reply with a grade, or what stands in its place. */
export function grading(grade: unknown, reason = `It is worth ${grade}.`): Reply {
  return chat.text(JSON.stringify({ reason, grade }));
}

/** A reply that the SDK does not wait for to ask again. */
export function failing(status: number): Reply {
  return {
    status,
    headers: { 'x-should-retry': 'false' },
    body: { error: { message: `made up ${status}` } },
  };
}

/** A server of judges; `reply` gets what its model sees. */
export async function startJudges(reply: (seen: Seen) => Reply) {
  const { url, requests } = await startScriptedServer(({ body }) => {
    const { system = '', user = '' } = Object.fromEntries(
      body.messages.map(({ role, content }: Readonly<Record<string, string>>) => [role, content]),
    );
    const { texts, outside } = readPrompt(user);
    return reply({ model: body.model, prompt: user, texts, outside: system + outside });
  });
  return { requests, name: (model: string) => `openai-chat:${model}?base_url=${url}/v1` };
}

/**
 * Reads a prompt as a model would that believes its marks. A token of a chat template begins
 * another message.
 */
function readPrompt(prompt: string): Pick<Seen, 'texts' | 'outside'> {
  const [, mark = randomUUID()] = /\[\[NAME (\w+)\]\]/.exec(prompt) ?? [];
  const [message = '', ...others] = prompt.split(
    /<[|｜][^<>]*[|｜]>|\[\/?INST\]|<<\/?SYS>>|<\/?s>|<(?:start|end)_of_turn>/,
  );
  const texts: Record<string, string> = {};
  const outside = message.replaceAll(
    new RegExp(`^\\[\\[(\\w+) ${mark}\\]\\]$\\n([\\s\\S]*?)\\n^\\[\\[/\\1 ${mark}\\]\\]$`, 'gm'),
    (_, name: string, text: string) => {
      texts[name] = text.replaceAll(/^> /gm, '');
      return '';
    },
  );
  return { texts, outside: [outside, ...others].join('\n') };
}

/** The judges of a suite in a folder of results, without Vitest: each call is a run of its own. */
export function makePanel(
  dir = makeFolder(),
  facts: { blockedBecause?: string; secrets?: readonly string[] } = {},
) {
  return async (
    env: Readonly<Record<string, string>>,
    outputs: readonly string[],
    { criterion = 'Is it 17?', score, scores, pass, sample = {}, ...options }: PanelOptions = {},
  ) => {
    const folder = makeRun([]);
    const config = readConfig({ EVAL_DIR: dir, ...env });
    const jury = new Jury('made-up', { config, folder, ...UNSPENT, ...facts }, false);
    const suite = toSuite(
      'made-up',
      {
        data: [{}],
        ...(scores ? { scores } : { score: score ?? judge(criterion, options) }),
        ...(pass && { pass }),
      },
      'own.eval.ts',
    );
    const asked = toSample({ id: 'q', input: 'What is 8 and 9?', target: '17', ...sample });
    const call = { deadlineMs: 20_000, cancelled: new AbortController().signal };
    const grade = (output: string) => suite.grade(output, asked.target ?? '', asked, {}, 20_000);
    const graded = outputs.map((output) => gradeWithJudges(jury)(asked, call, () => grade(output)));
    return Promise.all(graded);
  };
}

type PanelOptions = JudgeOptions & {
  readonly criterion?: string;
  readonly score?: NonNullable<SuiteDefinition['score']>;
  readonly scores?: NonNullable<SuiteDefinition['scores']>;
  readonly pass?: NonNullable<SuiteDefinition['pass']>;
  readonly sample?: Partial<Sample>;
};
