import { ConfigError, type EvalConfig, readConfig } from '../../config.ts';
import type { CommandContext } from '../command.ts';
import type { Check, Finding } from './finding.ts';

/** A check that needs the settings; it is skipped while they cannot be read, which is a miss of its own. */
export function withConfig(
  name: string,
  run: (config: EvalConfig, context: CommandContext) => Promise<readonly Finding[]>,
): Check {
  return {
    name,
    run: async (context) => {
      const config = tryReadConfig(context);
      return config === null
        ? [{ status: 'skipped', what: 'not checked before the settings are right' }]
        : run(config, context);
    },
  };
}

function tryReadConfig({ env }: CommandContext): EvalConfig | null {
  try {
    return readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}
