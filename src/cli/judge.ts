import { showValue } from '../words/show.ts';
import { type Command, parseOne, RUN_HELP, readRunSettings, UsageError } from './command.ts';

/** `viva judge calibrate labels.csv`: measures a judge against people's labels. */
export const judge: Command = {
  usage: `calibrate labels.csv [--run RUN], with labels from "viva label"${RUN_HELP}`,
  page: 'judging.md#calibrate-the-judge',
  run: async ({ args: [word, ...args], env, print }) => {
    if (word !== 'calibrate') {
      throw new UsageError(`Expected "calibrate", got ${showValue(word)}.`);
    }
    const { values, text } = parseOne(args, OPTIONS, 'one file of labels');
    const { calibrateJudge } = await import('../addons/calibrate/index.ts');
    await calibrateJudge(text, values.run, readRunSettings(env), print);
    return 0;
  },
};

const OPTIONS = { run: { type: 'string' } } as const;
