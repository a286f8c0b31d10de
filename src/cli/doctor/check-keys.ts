import type { AgentKind, AgentSpec } from '../../agents/agent-spec.ts';
import { readHubSettings } from '../../datasets/hub/hub-settings.ts';
import { isHubSource } from '../../datasets/hub/hub-source.ts';
import type { CommandContext } from '../command.ts';
import type { Finding } from './finding.ts';
import { withConfig } from './with-config.ts';

type Environment = CommandContext['env'];

/** The variable with the key of an agent's provider, and the one that names a server of one's own. */
const KEYS: Readonly<Partial<Record<AgentKind, { readonly key: string; readonly server: string }>>> = {
  openai: { key: 'OPENAI_API_KEY', server: 'OPENAI_BASE_URL' },
  'openai-chat': { key: 'OPENAI_API_KEY', server: 'OPENAI_BASE_URL' },
  anthropic: { key: 'ANTHROPIC_API_KEY', server: 'ANTHROPIC_BASE_URL' },
};

/** Whether the keys are set that the agents and the dataset need. No part of a key is shown. */
export const keys = withConfig('keys', async ({ agents, gaia }, { env }) => {
  const findings = (agents ?? []).flatMap((spec) => judgeKey(spec, env));
  const hub = gaia !== null && isHubSource(gaia) ? [judgeToken(env)] : [];
  const found = [...findings, ...hub];
  return found.length === 0 ? [{ status: 'ok', what: 'none is needed' }] : found;
});

function judgeKey({ kind, text, params = [] }: AgentSpec, env: Environment): readonly Finding[] {
  const needed = KEYS[kind];
  if (needed === undefined) return [];
  const { key, server } = needed;
  if (isSet(env, key)) return [{ status: 'ok', what: `${key} is set` }];
  const own = isSet(env, server) || params.some(([name]) => name === 'base_url');
  if (own) return [{ status: 'skipped', what: `${key} is not set, which a server of one's own may not need` }];
  return [{ status: 'miss', what: `${key} is not set, and ${text} needs it`, remedy: `Set ${key} in .env.` }];
}

function judgeToken(env: Environment): Finding {
  if (readHubSettings(env).token !== null) return { status: 'ok', what: 'a token of the Hub is set' };
  return { status: 'skipped', what: 'no token of the Hub is set (HF_TOKEN), which gated datasets need' };
}

function isSet(env: Environment, name: string): boolean {
  return (env[name]?.trim() ?? '') !== '';
}
