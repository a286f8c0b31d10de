import { hideInMessage } from '../../secrets/hide-in-message.ts';
import { hideSecrets } from '../../secrets/hide-secrets.ts';
import { maskKeyForms } from '../../secrets/mask-keys.ts';
import { readSecrets } from '../../secrets/read-secrets.ts';
import { toVisible } from '../../text/visible-text.ts';
import { guardStreams } from '../../trial/guard-streams.ts';
import type { Command, CommandContext } from '../command.ts';
import { agents } from './check-agents.ts';
import { baseline } from './check-baseline.ts';
import { datasets } from './check-datasets.ts';
import { disk } from './check-disk.ts';
import { keys } from './check-keys.ts';
import { mcp } from './check-mcp.ts';
import { node } from './check-node.ts';
import { packages } from './check-packages.ts';
import { settings } from './check-settings.ts';
import type { Check, Finding } from './finding.ts';
import { assertOptions } from './options.ts';

/** In the order in which they are shown. To add a check: its file, and a line here. */
const CHECKS: readonly Check[] = [node, packages, settings, disk, keys, datasets, baseline, mcp, agents];

/** `pnpm viva doctor`: whether everything that the set run needs is there, and what to do where it is not. */
export const doctor: Command = {
  name: 'doctor',
  summary:
    'checks what a run needs: Node, packages, settings, disk, keys, datasets, MCP servers, agents (--yes: ask paid agents too)',
  run: async (context) => {
    assertOptions(context.args);
    // Agents that are modules run in this process, and print what they like.
    guardStreams((text) => hideSecrets(text, readSecrets(context.env)));
    let misses = 0;
    for (const check of CHECKS) {
      for (const finding of await runCheck(check, context)) {
        if (finding.status === 'miss') misses++;
        show(check.name, finding, context);
      }
    }
    context.print('');
    context.print(misses === 0 ? 'Everything that was checked is there.' : `${misses} missing: see "->" above.`);
    return misses === 0 ? 0 : 1;
  },
};

async function runCheck(check: Check, context: CommandContext): Promise<readonly Finding[]> {
  try {
    return await check.run(context);
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return [{ status: 'miss', what, remedy: 'Follow the message, then run "pnpm viva doctor" again.' }];
  }
}

const MARKS = { ok: 'ok  ', skipped: '-   ', miss: 'MISS' } as const;

function show(name: string, finding: Finding, { print, env }: CommandContext): void {
  const [first = '', ...rest] = maskKeyForms(hideInMessage(finding.what, readSecrets(env))).split('\n');
  print(`${MARKS[finding.status]}  ${name}: ${toVisible(first, 1000)}`);
  // One mark for each finding: they are counted at the end.
  for (const line of rest) print(`      ${toVisible(line, 1000)}`);
  if (finding.status === 'miss') print(`      -> ${toVisible(finding.remedy, 1000)}`);
}
