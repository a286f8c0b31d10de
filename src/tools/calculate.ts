import { optionalText, requiredText } from './arguments.ts';
import { readAttachmentText } from './attachment-text.ts';
import { runQuickjs } from './run-quickjs.ts';
import type { Tool } from './tool.ts';

/** JavaScript in a QuickJS machine of its own: no network, no files, 64 MiB, 2 s. */
export const calculate: Tool = {
  name: 'calculate',
  description:
    'Runs JavaScript (ES2023, synchronous) and returns what it logs with console.log and the value of its last ' +
    'expression. No network, no files, no modules; at most 2 seconds and 64 MiB. With attachment, the text of that ' +
    'file is in the variable data.',
  schema: {
    type: 'object',
    properties: {
      code: { type: 'string', description: 'The program.' },
      attachment: { type: 'string', description: 'Name of an attached file whose text the program needs.' },
    },
    required: ['code'],
  },
  run: async (args, context) => {
    const code = requiredText(args, 'code');
    const attachment = optionalText(args, 'attachment');
    const data = attachment === null ? null : (await readAttachmentText(attachment, context)).text;
    const { output, failed } = await runQuickjs({ code, data }, context.signal);
    if (failed) throw new Error(explain(output));
    return output;
  },
};

function explain(message: string): string {
  if (message.includes('InternalError: interrupted')) return `${message}: the code ran for more than 2 seconds.`;
  return message;
}
