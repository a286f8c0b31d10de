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
import { assertOneDataset, readPublisher, readTask, writeFigures } from './export-figures.ts';

/** `viva export RUN`: the answers of a run, or its figures, in the forms of other programs. */
export const exportRun: Command = {
  usage: `--inspect [--out DIR] [--show-gated] RUN
   or: --otlp URL [--show-gated] RUN
   or: --every-eval-ever --organization NAME [--relationship WORD] [--out DIR] RUN
   or: --hf-results --task ID [--out DIR] RUN${RUN_HELP}
  DIR   inspect/, every-eval-ever/ or hf-results/ in the run folder by default
  URL   an OpenTelemetry collector; its headers, with keys, are read from OTEL_EXPORTER_OTLP_HEADERS
  NAME  who publishes; WORD is what they are to the developer of the model: third_party by default,
        first_party, collaborative or other
  ID    a task of the dataset, as the eval.yaml of its page on the Hub names it
  --show-gated  exports the texts of private records too`,
  page: 'exports.md',
  elsewhere: 'name another folder with --out',
  run: async (context) => {
    const { values, text } = parseOne(context.args, OPTIONS);
    const form = chooseForm(values);
    const write = FORMS[form].prepare(values, context.env);
    const folder = findRun(text, readRunSettings(context.env).dir, 'RUN');
    const out = resolve(values.out ?? join(folder, form));
    return write({ folder, out, showGated: values['show-gated'] ?? false }, context);
  },
};

const OPTIONS = {
  inspect: { type: 'boolean' },
  otlp: { type: 'string' },
  'every-eval-ever': { type: 'boolean' },
  'hf-results': { type: 'boolean' },
  out: { type: 'string' },
  'show-gated': { type: 'boolean' },
  organization: { type: 'string' },
  relationship: { type: 'string' },
  task: { type: 'string' },
} as const;

type Values = ReturnType<typeof parseOne<typeof OPTIONS>>['values'];

/** A form of exports. `prepare` throws a UsageError for a wrong option, before a run is looked for. */
type Form = Readonly<{
  also: readonly (keyof Values)[];
  prepare(values: Values, env: CommandContext['env']): Write;
}>;

type Write = (
  run: Readonly<{ folder: string; out: string; showGated: boolean }>,
  context: CommandContext,
) => Promise<number>;

/** The forms by their options, with the other options that each takes. */
const FORMS = {
  inspect: {
    also: ['out', 'show-gated'],
    prepare: () => async (place, context) => {
      const { readExportedRun, writeInspectLogs } = await import('../addons/export/index.ts');
      const run = readExportedRun(place.folder, place.showGated);
      for (const file of writeInspectLogs(run, place.out)) context.print(`wrote ${showPath(file)}`);
      printHidden(run, context);
      return 0;
    },
  },
  otlp: {
    also: ['show-gated'],
    prepare: ({ otlp = '' }, env) => {
      const collector = toCollector(otlp, env);
      return async ({ folder, showGated }, context) => {
        const { readExportedRun } = await import('../addons/export/index.ts');
        const run = readExportedRun(folder, showGated);
        const code = await send(run, collector, context);
        printHidden(run, context);
        return code;
      };
    },
  },
  'every-eval-ever': {
    also: ['out', 'organization', 'relationship'],
    prepare: ({ organization, relationship }) => {
      const publisher = readPublisher(organization, relationship);
      return async ({ folder, out }, context) => {
        const { writeEveryEvalEver } = await import('../addons/export/index.ts');
        return writeFigures(folder, 'result', context, (figures, run) =>
          writeEveryEvalEver(figures, run, publisher, out),
        );
      };
    },
  },
  'hf-results': {
    also: ['out', 'task'],
    prepare: ({ task }) => {
      const id = readTask(task);
      return async ({ folder, out }, context) => {
        const { writeHubResults } = await import('../addons/export/index.ts');
        return writeFigures(folder, 'leaderboard', context, (figures) => {
          assertOneDataset(figures);
          return writeHubResults(figures, id, out);
        });
      };
    },
  },
} as const satisfies Record<string, Form>;

function chooseForm(values: Values): keyof typeof FORMS {
  const names = Object.keys(values) as (keyof Values)[];
  const [form, ...others] = names.filter(isForm);
  if (form === undefined || others.length > 0)
    throw new UsageError('Use one of --inspect, --otlp URL, --every-eval-ever and --hf-results.');
  const also: readonly string[] = FORMS[form].also;
  const stray = names.find((name) => name !== form && !also.includes(name));
  if (stray !== undefined) throw new UsageError(`--${stray} does not belong to --${form}.`);
  return form;
}

function isForm(name: string): name is keyof typeof FORMS {
  return Object.hasOwn(FORMS, name);
}

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
