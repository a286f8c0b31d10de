import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

type Place = { readonly cwd: string; readonly env: NodeJS.ProcessEnv };

/** The exit code of a program, and what it printed, without escape codes. */
type Ended = { readonly code: number | null; readonly output: string };

/** Runs lines of bash as GitHub runs a step that names no shell. */
export function runShell(script: string, place: Place): Promise<Ended> {
  return runProgram('bash', ['-e', '-c', script], place);
}

/** Runs a command of viva, of the sources in this folder, in a process of its own. */
export function startViva(words: readonly string[], place: Place): Promise<Ended> {
  return runProgram(process.execPath, [join(place.cwd, 'src/cli/index.ts'), ...words], place);
}

async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: Place,
): Promise<Ended> {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject).on('close', resolve);
  const code = await promise;
  return { code, output: stripVTControlCharacters(Buffer.concat(chunks).toString('utf8')) };
}
