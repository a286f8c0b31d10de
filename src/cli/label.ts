import { SEED, wholeNumber } from '../words/setting-values.ts';
import {
  type Command,
  parseWords,
  RUN_HELP,
  readNumber,
  readRunSettings,
  UsageError,
} from './command.ts';

/** `viva label RUN`: writes answers for a person to label, to measure a judge. */
export const label: Command = {
  usage: `RUN [--sample 100] [--seed 0] [--suite NAME] [--criterion TEXT] [--show-gated] [--out FILE]
   or: --agree a.csv b.csv [--out FILE]${RUN_HELP}
  FILE  labels.csv in the run folder, or settle.csv beside a.csv, by default; "viva view RUN" labels the same answers in the browser
  --sample      how many answers to write
  --seed        which ones: the same seed draws the same answers
  --suite       only this suite
  --criterion   what to label answers by; needed if no judge has judged them
  --show-gated  writes the texts of private records too
  --agree       compares the labels of two people, and writes those that differ`,
  page: 'judging.md#calibrate-the-judge',
  elsewhere: 'name another file with --out',
  run: async ({ args, env, print, warn }) => {
    const { values, positionals } = parseWords(args, OPTIONS, true);
    const { agree = false, out, suite, criterion } = values;
    const [text = '', other = ''] = positionals;
    const settings = readRunSettings(env);
    if (agree && (other === '' || positionals.length > 2))
      throw new UsageError(`Expected two files of labels, got ${positionals.length}.`);
    if (!agree && positionals.length !== 1)
      throw new UsageError(`Expected one run, got ${positionals.length}.`);
    const n = readNumber('--sample', values.sample, wholeNumber(1, 1_000_000));
    const seed = readNumber('--seed', values.seed, SEED);
    const showGated = values['show-gated'] === true || settings.showGated === true;
    const { compareLabels, writeSample } = await import('../addons/calibrate/index.ts');
    if (agree) await compareLabels(text, other, out, settings, print);
    else
      writeSample(
        text,
        settings.dir,
        { n, seed, suite, criterion, showGated, out },
        { print, warn },
      );
    return 0;
  },
};

const OPTIONS = {
  agree: { type: 'boolean' },
  sample: { type: 'string', default: '100' },
  seed: { type: 'string', default: '0' },
  suite: { type: 'string' },
  criterion: { type: 'string' },
  'show-gated': { type: 'boolean' },
  out: { type: 'string' },
} as const;
