import { availableParallelism } from 'node:os';
import { text as readAll } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pLimit, { type LimitFunction } from 'p-limit';
import { readAttachmentText } from './attachment.ts';
import { startConfined } from './confined-node.ts';
import { optionalText, requiredText, type Tool } from './tool.ts';

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
    const late = output.includes('InternalError: interrupted') ? ': the code ran for more than 2 seconds.' : '';
    if (failed) throw new Error(`${output}${late}`);
    return output;
  },
};

/** How much of the processor's time code may use, and how much more by the clock its process may take; tests alone say. */
export type CodeLimits = { readonly runMs: number; readonly graceMs: number };

// The grace is long: on a busy machine, a start and two seconds of the processor's time take many more.
const LIMITS: CodeLimits = { runMs: 2_000, graceMs: 18_000 };

type CodeRequest = { readonly code: string; readonly data: string | null };

/** No more than the machine can run side by side, or they would make each other late. */
const limit = pLimit(Math.max(2, availableParallelism()));

/** Of each sample, known by its signal, one runs at a time: one that asks for many does not hold up the others. */
const limitsOfSamples = new WeakMap<AbortSignal, LimitFunction>();

/**
 * Runs JavaScript in a process of its own: what it logs and comes to, and whether it failed. Rejects when the process
 * ends without a result, or has to be ended.
 */
export function runQuickjs(request: CodeRequest, signal: AbortSignal, limits: CodeLimits = LIMITS) {
  const ofSample = limitsOfSamples.get(signal) ?? pLimit(1);
  limitsOfSamples.set(signal, ofSample);
  return ofSample(() => limit(() => runNow(request, signal, limits)));
}

async function runNow({ code, data }: CodeRequest, signal: AbortSignal, { runMs, graceMs }: CodeLimits) {
  signal.throwIfAborted();
  // Nothing interrupts a loop inside a built-in function: it ends with its process.
  const deadline = AbortSignal.timeout(runMs + graceMs);
  const { child, ended } = await startConfined(CHILD, CHILD, AbortSignal.any([signal, deadline]));
  child.stdin.end(JSON.stringify({ code, data, parent: process.pid, runMs }));
  try {
    const [reply, exitCode] = await Promise.all([readAll(child.stdout), ended]);
    if (reply === '') throw new Error(`the calculator ended without a result (exit code ${exitCode}).`);
    const { output, failed }: { output: unknown; failed: unknown } = JSON.parse(reply);
    return { output: String(output), failed: failed === true };
  } catch (error) {
    if (deadline.aborted) throw new Error(`the code ran for more than ${runMs / 1000} seconds.`);
    throw error;
  }
}

const CHILD = fileURLToPath(new URL('./quickjs-child.ts', import.meta.url));
