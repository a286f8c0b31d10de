import { spawn } from 'node:child_process';
import { text as readAll } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { optionalText, requiredText } from './arguments.ts';
import { readAttachmentText } from './attachment-text.ts';
import { packagesAccess } from './packages-access.ts';
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
    const { output, failed } = await runChild(JSON.stringify({ code, data, parent: process.pid }), context.signal);
    if (failed) throw new Error(explain(output));
    return output;
  },
};

/** More than the 2 s of the code itself: the process has to start, and 20 of them may do so at once. */
const KILL_AFTER_MS = 20_000;

async function runChild(request: string, signal: AbortSignal) {
  const child = spawn(process.execPath, [...OPTIONS, ...packagesAccess(), CHILD], {
    // Nothing of our environment: keys above all.
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    signal: AbortSignal.any([signal, AbortSignal.timeout(KILL_AFTER_MS)]),
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  // A child that dies before it has read its request breaks the pipe; its empty reply says so.
  child.stdin.on('error', () => {});
  child.stdin.end(request);
  const [reply, exitCode] = await Promise.all([readAll(child.stdout), ended]);
  if (reply === '') throw new Error(`the calculator ended without a result (exit code ${exitCode}).`);
  const { output, failed }: { output: unknown; failed: unknown } = JSON.parse(reply);
  return { output: String(output), failed: failed === true };
}

const CHILD = fileURLToPath(new URL('./quickjs-child.ts', import.meta.url));

/** Node's permission model: the child may read its own program and the installed packages, and start nothing. */
const OPTIONS = ['--permission', '--max-old-space-size=128', `--allow-fs-read=${CHILD}`] as const;

function explain(message: string): string {
  if (message.includes('InternalError: interrupted')) return `${message}: the code ran for more than 2 seconds.`;
  return message;
}
