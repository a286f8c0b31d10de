import { pathToFileURL } from 'node:url';
import type { Agent } from '../words/answer.ts';
import { quote } from '../words/show.ts';
import {
  endMaking,
  importModule,
  type ModuleSetting,
  parseAgent,
  readSource,
  refusal,
  refusalOf,
  sourceOf,
  toAgent,
  toFree,
} from './module.ts';
import { kindsByName } from './register-kinds.ts';
import type { AgentSpec } from './spec.ts';

/** What the factory of an own kind gets besides the text after the colon. */
export type KindSetting = Readonly<{
  /** The parameters after "?", as in `mine:x?depth=2`. */
  params: Readonly<Record<string, string>>;
  /** The folder where relative paths begin. */
  root: string;
}>;

/** An agent of a kind that the `agents` of `viva()` register. Throws if its factory fails. */
export async function createOfOwnKind(
  spec: AgentSpec,
  { load, ...found }: ModuleSetting = {},
): Promise<Agent> {
  const { kind, target, params = [], text } = spec;
  const { file = '' } = kindsByName.get(kind)?.own ?? {};
  const create = kindsByName.get(kind)?.own?.create ?? (await loadFactory(spec, file, load));
  if (typeof create !== 'function')
    throw refusal(spec, `${quote(file)} does not pass the kind ${kind} to viva()`);
  const setting: KindSetting = { params: Object.fromEntries(params), root: process.cwd() };
  const make = async (): Promise<unknown> => create(target, setting);
  const written = await endMaking(make(), 'its factory').catch((thrown) => {
    throw refusalOf(spec, `the factory of ${kind} failed`, thrown);
  });
  const what = `what the factory of ${kind} returns`;
  const source = sourceOf(found, kind) ?? readSource(file);
  const agent = toAgent(
    parseAgent(written, text, what, (problem) => refusal(spec, problem)),
    source,
  );
  const ofKind = {
    ...agent,
    fingerprint: JSON.stringify([agent.fingerprint, kind, target, params]),
  };
  return kindsByName.get(kind)?.isPaid ? ofKind : toFree(ofKind);
}

/** The worker has no function of the main process, so it reads the configuration file too. */
async function loadFactory(
  spec: AgentSpec,
  file: string,
  load: ModuleSetting['load'],
): Promise<unknown> {
  try {
    const { default: config } = Object(
      await importModule(pathToFileURL(file).href, undefined, load),
    );
    if (typeof config !== 'function') return kindsByName.get(spec.kind)?.own?.create;
    const call = async (): Promise<unknown> => config({ command: 'serve', mode: 'test' });
    await endMaking(call(), 'the function that it exports');
  } catch (thrown) {
    throw refusalOf(spec, `${quote(file)} cannot be loaded`, thrown);
  }
  return kindsByName.get(spec.kind)?.own?.create;
}
