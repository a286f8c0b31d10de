import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { EXTENSION } from '../package.ts';
import { runConfined } from '../processes/confined-node.ts';
import { readAttachmentText } from './read-attachment.ts';
import { optionalText, requiredText, type Tool } from './tool.ts';

/** Runs JavaScript in its own QuickJS machine: no network, no files, 64 MiB, 2 s. */
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
      attachment: {
        type: 'string',
        description: 'Name of an attached file whose text the program needs.',
      },
    },
    required: ['code'],
  },
  run: async (args, context) => {
    const code = requiredText(args, 'code');
    const attachment = optionalText(args, 'attachment');
    const data = attachment === null ? null : (await readAttachmentText(attachment, context)).text;
    return runQuickjs({ code, data }, context.signal);
  },
};

/**
 * How much processor time code may use, and how much more clock time its process may take. That is
 * long: on a busy machine, a start and two seconds of processor time take much longer.
 */
const LIMITS = { runMs: 2_000, graceMs: 18_000 };

/** No more than the machine can run at once, or they would delay each other. */
const limit = pLimit(Math.max(2, availableParallelism()));

/**
 * Runs JavaScript in a separate process and returns its logs and its value. Rejects when the code
 * fails or runs too long. Only tests set limits.
 */
export function runQuickjs(
  { code, data }: Readonly<{ code: string; data: string | null }>,
  signal: AbortSignal,
  { runMs, graceMs } = LIMITS,
): Promise<string> {
  return limit(async () => {
    const stdin = JSON.stringify({ code, data, runMs });
    // The child cannot interrupt a loop inside a built-in function, so its process is killed.
    const ended = await runConfined(
      {
        program: CHILD,
        packages: ['quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync'],
        stdin,
        deadlineMs: runMs + graceMs,
        memoryMb: 500,
      },
      signal,
    );
    const late = `the code ran for more than ${runMs / 1000} seconds.`;
    if (ended === 'late') throw new Error(late);
    if (ended.stdout === '')
      throw new Error(`the calculator ended without a result (exit code ${ended.exitCode}).`);
    const { output, failed }: { output: string; failed: boolean } = JSON.parse(ended.stdout);
    if (!failed) return output;
    throw new Error(output.includes('InternalError: interrupted') ? `${output}: ${late}` : output);
  });
}

const CHILD = fileURLToPath(new URL(`./calculate-child${EXTENSION}`, import.meta.url));
