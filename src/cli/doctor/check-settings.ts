import { ConfigError, readConfig } from '../../config.ts';
import type { CommandContext } from '../command.ts';
import type { Check, Finding } from './finding.ts';

/** Every EVAL_* name and value. What vitest.config.ts commits as defaults is not seen here. */
export const settings: Check = {
  name: 'settings',
  run: ({ env }) => readSettings(env),
};

function readSettings(env: CommandContext['env']): readonly Finding[] {
  const set = Object.keys(env).filter((name) => name.startsWith('EVAL_') && env[name] !== '');
  try {
    readConfig(env);
    return [{ status: 'ok', what: set.length === 0 ? 'none set: the committed samples' : set.toSorted().join(', ') }];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const remedy = 'Correct it in the environment or in .env; .env.example lists every setting.';
    return error.problems.map((what) => ({ status: 'miss', what, remedy }) as const);
  }
}
