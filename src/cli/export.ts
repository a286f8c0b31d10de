import { join, resolve } from 'node:path';
import type { Collector, ExportedRun } from '../addons/export/index.ts';
import { findRun } from '../store/find-run.ts';
import { maskKeys } from '../words/secrets.ts';
import { serverUrl } from '../words/setting-values.ts';
import { escapeLine, plural, quote, showPath, tryOrUndefined } from '../words/show.ts';
import {
  type Command,
  type CommandContext,
  parseOne,
  RUN_HELP,
  readRunSettings,
  UsageError,
} from './command.ts';

/**
 * `viva export RUN`: writes logs for Inspect's viewer, or sends spans to an OpenTelemetry
 * collector.
 */
export const exportRun: Command = {
  summary: "writes a run as logs for Inspect's viewer, or sends it to an OpenTelemetry collector",
  usage: `(--inspect [--out DIR] | --otlp URL) [--show-gated] RUN${RUN_HELP}
  DIR   inspect/ in the run folder by default
  URL   a collector; its headers, with keys, are read from OTEL_EXPORTER_OTLP_HEADERS`,
  elsewhere: 'name another folder with --out',
  run: async (context) => {
    const { values, text } = parseOne(context.args, OPTIONS);
    const { inspect = false, otlp, out, 'show-gated': showGated = false } = values;
    if (inspect === (otlp !== undefined))
      throw new UsageError('Use either --inspect or --otlp URL.');
    if (out !== undefined && !inspect) throw new UsageError('--out belongs to --inspect.');
    const collector = otlp === undefined ? null : toCollector(otlp, context.env);
    const folder = findRun(text, readRunSettings(context.env).dir, 'RUN');
    const { readExportedRun, writeInspectLogs } = await import('../addons/export/index.ts');
    const run = readExportedRun(folder, showGated);
    const files =
      collector === null ? writeInspectLogs(run, resolve(out ?? join(folder, 'inspect'))) : [];
    for (const file of files) context.print(`wrote ${showPath(file)}`);
    const code = collector === null ? 0 : await send(run, collector, context);
    printHidden(run, context);
    return code;
  },
};

const OPTIONS = {
  inspect: { type: 'boolean' },
  out: { type: 'string' },
  otlp: { type: 'string' },
  'show-gated': { type: 'boolean' },
} as const;

async function send(
  run: ExportedRun,
  collector: Collector,
  context: CommandContext,
): Promise<number> {
  const { nameCollector, listSpans, sendSpans } = await import('../addons/export/index.ts');
  const { sent, rejected, remarks } = await sendSpans(listSpans(run), collector);
  context.print(`sent ${plural(sent, 'span')} to ${escapeLine(nameCollector(collector))}`);
  if (rejected > 0) context.print(`The collector rejected ${plural(rejected, 'span')}.`);
  for (const remark of new Set(remarks)) context.print(`The collector says: ${escapeLine(remark)}`);
  return rejected > 0 ? 1 : 0;
}

function printHidden({ variants }: ExportedRun, { print }: CommandContext): void {
  const hidden = [
    ...new Set(variants.filter(({ isHidden }) => isHidden).map(({ figures }) => figures.suite)),
  ];
  if (hidden.length === 0) return;
  print(
    `Questions, answers and messages of ${escapeLine(hidden.join(', '))} stayed here. --show-gated exports them too.`,
  );
}

function toCollector(text: string, env: CommandContext['env']): Collector {
  const { allowed, parse } = serverUrl();
  const address = parse(text);
  if (address === undefined)
    throw new UsageError(`--otlp must be ${allowed}, got ${quote(maskKeys(text))}.`);
  const url = new URL(address);
  if (!/\/v1\/traces\/?$/.test(url.pathname))
    url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  const pairs = (env[HEADERS] ?? '').split(',').filter((pair) => pair.trim() !== '');
  return { url, headers: Object.fromEntries(pairs.map(toHeader)) };
}

const HEADERS = 'OTEL_EXPORTER_OTLP_HEADERS';

/** "name=value". A wrong one is not shown, since it may contain a key. */
function toHeader(pair: string): readonly [string, string] {
  const decoded = tryOrUndefined(() => decodeURIComponent(pair)) ?? '';
  const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x20-\x7e]*?)\s*$/.exec(decoded) ?? [];
  if (name === undefined || value === undefined) {
    throw new UsageError(`${HEADERS} must be NAME=VALUE pairs, separated by commas.`);
  }
  return [name.toLowerCase(), value];
}
