import { BUILT_IN } from '../agents/register-kinds.ts';
import { messageOf } from '../text/thrown.ts';

/**
 * Reads the Vitest configuration, whose `viva()` registers kinds of agents, where settings may name
 * one. Other calls do not wait for Vitest.
 */
export async function loadOwnKinds(env: Readonly<Record<string, string | undefined>>) {
  const specs = [env['EVAL_AGENT'], env['EVAL_JUDGE'], env['EVAL_USER']].flatMap(
    (text) => text?.split(',') ?? [],
  );
  const kinds = specs.map((spec) => spec.trim().replace(/:.*$/s, ''));
  if (kinds.every((kind) => !NAME.test(kind) || BUILT_IN.some((name) => name === kind))) return;
  const { resolveConfig } = await import('vitest/node');
  await resolveConfig({ root: process.cwd(), watch: false }).catch((error) => {
    throw new Error(`The Vitest configuration cannot be read: ${messageOf(error)}`);
  });
}

const NAME = /^[a-z][a-z0-9-]*$/;
