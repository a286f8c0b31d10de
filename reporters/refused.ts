import type { TestModule, Vitest } from 'vitest/node';
import { hideSecrets } from '../src/secrets/hide-secrets.ts';
import { REFUSED } from '../src/session/refusal.ts';
import { toVisible } from '../src/text/visible-text.ts';

/** An eval file of which nothing was asked, since something was wrong that could be known before. */
export type RefusedFile = { readonly file: string; readonly why: string };

/** A refusal may list all that is wrong with the settings. */
const MAX_SHOWN = 2_000;

/** Vitest's reporters that print no errors. */
const SILENT = ['json', 'junit', 'blob', 'html', 'tap', 'tap-flat', 'github-actions', 'hanging-process'];

/** The refused ones among modules. Where Vitest prints the reason itself, it is not said twice. */
export function findRefused(
  modules: readonly TestModule[],
  { reporters }: Vitest['config'],
  secrets: readonly string[],
): readonly RefusedFile[] {
  const names = reporters.flatMap((reporter) => (Array.isArray(reporter) ? [reporter[0]] : []));
  const isPrinted = names.some((name) => !SILENT.includes(name));
  return modules.flatMap((module) => {
    const error = module.errors().find(({ name }) => name === REFUSED);
    if (error === undefined) return [];
    const why = toVisible(hideSecrets(error.message, secrets).replaceAll('\n', ' '), MAX_SHOWN);
    return [{ file: module.relativeModuleId, why: isPrinted ? 'see the error above' : why }];
  });
}
