import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { AgentContext } from 'viva';

/**
 * Runs a coding agent in the work folder, with the prompt as its standard input, until the deadline.
 * Gives the JSON of each line that it prints.
 */
export async function* runProgram<Line>(
  program: string,
  args: readonly string[],
  prompt: string,
  { workdir, signal }: AgentContext,
): AsyncGenerator<Line> {
  const child = spawn(program, args, { cwd: workdir, signal });
  const ended = once(child, 'close');
  ended.catch(() => {}); // It is awaited below.
  const complaints = text(child.stderr);
  child.stdin.on('error', () => {}); // It may end without reading.
  child.stdin.end(prompt);
  try {
    for await (const line of createInterface(child.stdout)) {
      if (line.startsWith('{')) yield JSON.parse(line);
    }
    const [code] = await ended;
    if (code !== 0) throw new Error(`${program} ended with code ${code}: ${await complaints}`);
  } finally {
    child.kill();
  }
}
