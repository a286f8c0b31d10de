import { showValue } from '../records/show-value.ts';
import { nearest } from '../text/nearest.ts';
import { oneOf, type Parameter } from './parameters.ts';

/** Tools that a provider runs itself. */
const HOSTED_TOOLS = ['web_search', 'web_fetch', 'code_execution'] as const;

export type HostedName = (typeof HOSTED_TOOLS)[number];

/** One that an agent has. */
export type HostedTool = {
  /** The API's word for it and its version. */
  readonly type: string;
  /** Whether it is told which sites to leave out; null when it reads no page. */
  readonly guarded: boolean | null;
};

/** "on", "off" or a version of the tool by the API's own name. */
export function hostedTool<const T extends string = never>(...versions: readonly T[]): Parameter<'on' | 'off' | T> {
  return oneOf<'on' | 'off' | T>('on', 'off', ...versions);
}

/** The version to use, or null: the spec's parameter wins over the run's setting. */
export function chooseHosted<T extends string>(
  name: HostedName,
  value: 'on' | 'off' | T | undefined,
  usual: T,
  setting: readonly HostedName[],
): T | null {
  const chosen = value ?? (setting.includes(name) ? 'on' : 'off');
  return chosen === 'on' ? usual : chosen === 'off' ? null : chosen;
}

/** What is wrong with the committed setting, which no type checker may have seen. */
export function findHostedProblems(names: readonly unknown[]): readonly string[] {
  return names
    .filter((name) => !HOSTED_TOOLS.some((known) => known === name))
    .map((name) => {
      const meant = nearest(String(name), HOSTED_TOOLS);
      return `hostedTools in vitest.config.ts must name ${HOSTED_TOOLS.join(', ')}, got ${showValue(name)}. Did you mean ${meant}?`;
    });
}
