import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

type Position = { readonly line: number; readonly column: number };

/** A change that Stryker makes to the code; lines and columns count from 0. */
export type Mutant = {
  readonly id: string;
  /** Path in the checkout. */
  readonly file: string;
  readonly mutator: string;
  /** The code that is replaced, and the whole first line of it without blanks around. */
  readonly original: string;
  readonly line: string;
  readonly replacement: string;
  readonly location: { readonly start: Position; readonly end: Position };
};

type Instrumented = {
  readonly files: readonly { readonly name: string; readonly content: string }[];
  readonly mutants: readonly {
    readonly id: string;
    readonly fileName: string;
    readonly mutatorName: string;
    readonly replacement: string;
    readonly location: Mutant['location'];
  }[];
};

/** Has Stryker put every mutant of the files into them, behind switches; gives the new contents by path. */
export async function instrument(copy: string, files: readonly string[]) {
  const entry = createRequire(join(copy, 'package.json')).resolve('@stryker-mutator/instrumenter');
  const { Instrumenter } = await import(pathToFileURL(entry).href);
  const silent = () => {};
  const logger = { debug: silent, info: silent, warn: silent, error: silent, isDebugEnabled: () => false };
  const sources = files.map((file) => {
    return { name: join(copy, file), mutate: true, content: readFileSync(join(copy, file), 'utf8') };
  });
  const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: false };
  const result: Instrumented = await new Instrumenter(logger).instrument(sources, options);
  const contents = new Map(sources.map(({ name, content }) => [name, content]));
  const mutants = result.mutants.map(({ id, fileName, mutatorName: mutator, replacement, location }): Mutant => {
    const original = cut(contents.get(fileName) ?? '', location);
    return { id, file: relative(copy, fileName), mutator, ...original, replacement, location };
  });
  return { mutants, files: result.files };
}

function cut(content: string, { start, end }: Mutant['location']): Pick<Mutant, 'original' | 'line'> {
  const lines = content.split('\n').slice(start.line, end.line + 1);
  const line = (lines[0] ?? '').trim();
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? '').slice(0, end.column);
  lines[0] = (lines[0] ?? '').slice(start.column);
  return { original: lines.join('\n'), line };
}
