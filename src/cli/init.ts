import { appendFileSync, existsSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureFolder } from '../data/files/read-file.ts';
import { findPackage, readSkill, readVersion } from '../package.ts';
import { toCommand, toInstall } from '../package-manager.ts';
import { findUnsupported } from '../plugin/versions.ts';
import { writeWhole } from '../store/line-file.ts';
import { lineIf } from '../words/show.ts';
import { messageOf } from '../words/thrown.ts';
import { writing } from '../words/write-error.ts';
import { type Command, type CommandContext, parseWords } from './command.ts';
import { formatAs, readTsProject, type TsProject } from './project-style.ts';

/** `viva init`: adds what evals need to the current folder. Existing files stay unchanged. */
export const init: Command = {
  usage: `[--skill], in the folder of your package.json
  Writes a Vitest configuration, an eval with its agent, and lines of .gitignore.
  --skill  writes only SKILL.md, where coding agents look for it`,
  page: 'package.md',
  run: async ({ args, env, print }) => {
    const { skill = false } = parseWords(args, { skill: { type: 'boolean' } }).values;
    const folder = process.cwd();
    for (const line of skill ? addSkill(folder) : await addEvals(folder, env)) print(line);
    return 0;
  },
};

/** Adds what is missing to a folder. Returns lines that say what it did and what is left to do. */
export async function addEvals(
  folder: string,
  env: CommandContext['env'] = {},
): Promise<readonly string[]> {
  const project = readTsProject(folder);
  return [
    ...(await addConfig(folder, project)),
    ...(await addEval(folder, project)),
    ...(await addTsconfig(folder, project, env)),
    ...addIgnored(folder),
    sayNext({ folder, env }),
  ];
}

/** How the eval is run, or why it would be refused. */
function sayNext(place: { readonly folder: string; readonly env: CommandContext['env'] }): string {
  const vitest = findPackage('vitest') === undefined ? undefined : readVersion('vitest');
  const install = (name: string) => toInstall(name, place);
  const unsupported = findUnsupported(process.versions.node, vitest, install);
  return unsupported ?? `Run it: ${toCommand('vitest run evals', place)}`;
}

/** Where Claude Code looks, and where Codex and others do. */
const SKILLS = ['.claude/skills/viva/SKILL.md', '.agents/skills/viva/SKILL.md'];

/** Adds the page that tells coding agents how to write an eval, as `addEvals` does. */
export function addSkill(folder: string): readonly string[] {
  const skill = readSkill();
  const written = SKILLS.flatMap((name) => {
    const file = join(folder, name);
    if (!existsSync(file)) return addFile(folder, name, skill);
    if (readFileSync(file, 'utf8') === skill) return [`${name} is up to date`];
    return [`${name} is not that of this viva, and was not changed: delete it and run again`];
  });
  const guide = join(folder, 'AGENTS.md');
  if (!existsSync(guide) || readFileSync(guide, 'utf8').includes('skills/viva')) return written;
  return [
    ...written,
    'Add a line to AGENTS.md, which was not changed, for agents that know no skills:',
    `  Before you write or run an eval, read ${SKILLS[1]}.`,
  ];
}

/** The name of the Vitest configuration in a folder, if it has one. */
export function findConfig(folder: string): string | undefined {
  return CONFIG_FILES.find((name) => existsSync(join(folder, name)));
}

/** In Vitest's order: the first existing file counts. */
const CONFIG_FILES = ['vitest.config', 'vite.config'].flatMap((name) =>
  ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((extension) => `${name}.${extension}`),
);

const IMPORT = "import { viva } from 'viva/vitest';";

// New files are as Prettier writes them without a configuration, with imports in the usual order.

const CONFIG = `import { defineConfig } from "vitest/config";
${IMPORT.replaceAll("'", '"')}

export default defineConfig({ plugins: [viva()] });
`;

async function addConfig(folder: string, project: TsProject | null): Promise<readonly string[]> {
  const found = findConfig(folder);
  if (found === undefined) return addNewConfig(folder, project);
  if (readFileSync(join(folder, found), 'utf8').includes('viva/vitest'))
    return [`${found} already has viva`];
  return [
    `Add two lines to ${found}, which was not changed:`,
    `  ${IMPORT}`,
    '  plugins: [viva()],',
  ];
}

/**
 * Writes JavaScript where typescript-eslint would refuse a .ts file, which no tsconfig.json has: the
 * project's own eslint.config.js shows how such a file is linted.
 */
async function addNewConfig(folder: string, project: TsProject | null): Promise<readonly string[]> {
  const name = `vitest.config.${endingIn(folder)}`;
  const written = await addCode(folder, name, CONFIG);
  const lint = ['js', 'mjs'].find((ending) => existsSync(join(folder, `eslint.config.${ending}`)));
  const isLeftOut = readTsProject(folder)?.has(name) === false || project?.takesEvals === false;
  if (!isLeftOut || lint === undefined || (lint === 'js' && name.endsWith('.mts'))) return written;
  const [linted, linter] = [`vitest.config.${lint}`, `eslint.config.${lint}`];
  renameSync(join(folder, name), join(folder, linted));
  const namesItself = readFileSync(join(folder, linter), 'utf8').includes(linter);
  const leave = `  ${linter} names itself: where it leaves itself out, name ${linted} too.`;
  return [`wrote ${linted}`, ...lineIf(namesItself, leave)];
}

/**
 * In a CommonJS package, Vite warns about a vitest.config.ts, and tsc refuses `await defineEval` in
 * a .ts file.
 */
function endingIn(folder: string): 'ts' | 'mts' {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return 'mts';
  try {
    return JSON.parse(readFileSync(file, 'utf8')).type === 'module' ? 'ts' : 'mts';
  } catch (error) {
    throw new Error(`${file} is not JSON: ${messageOf(error)}`);
  }
}

const FOLDER = 'evals/capitals';

/** Adds none if there is one with the other ending: both suites would have the same name. */
async function addEval(folder: string, project: TsProject | null): Promise<readonly string[]> {
  const names = ['ts', 'mts'].map((ending) => `${FOLDER}/capitals.eval.${ending}`);
  const found = names.find((name) => existsSync(join(folder, name)));
  if (found !== undefined) return [`${found} exists and was not changed`];
  const ending = endingIn(folder);
  // TypeScript wants the name of the file that it would compile to, unless it is told otherwise.
  const imported = project?.importsTs === true ? ending : ending.replace('t', 'j');
  const text = EVAL.replace('my-agent.js', `my-agent.${imported}`);
  return [
    ...(await addCode(folder, `${FOLDER}/my-agent.${ending}`, AGENT)),
    ...(await addCode(folder, `${FOLDER}/capitals.eval.${ending}`, text)),
  ];
}

/**
 * Where the project's tsconfig.json leaves the evals out, which typescript-eslint refuses, or cannot
 * compile them.
 */
async function addTsconfig(
  folder: string,
  project: TsProject | null,
  env: CommandContext['env'],
): Promise<readonly string[]> {
  const name = 'evals/tsconfig.json';
  if (project === null || existsSync(join(folder, name))) return [];
  const ending = endingIn(folder);
  const isLeftOut = readTsProject(folder)?.has(`${FOLDER}/my-agent.${ending}`) === false;
  if (project.takesEvals && !isLeftOut) return [];
  const text = `{
  "extends": ${JSON.stringify(`../${project.base}`)},
  "compilerOptions": { "noEmit": true, "rootDir": ".."${project.takesEvals ? '' : MODERN} },
  "include": ["**/*"],
  "exclude": []
}
`;
  const check = `Check its types: ${toCommand('tsc -p evals', { folder, env })}`;
  const written = await addCode(folder, name, text);
  if (isLeftOut) return [...written, `  ${project.base} leaves evals/ out. ${check}`];
  const excludes = [...project.excludes, 'evals'];
  const config = `vitest.config.${ending}`;
  const all = existsSync(join(folder, config)) ? [...excludes, config] : excludes;
  return [
    ...written,
    `  ${project.base} cannot compile evals, and was not changed. Leave them out there:`,
    `  "exclude": ${JSON.stringify(all)}`,
    `  ${check}`,
  ];
}

/** What an eval needs: the entries of packages, and `await` outside functions. */
const MODERN = ', "module": "esnext", "moduleResolution": "bundler", "target": "es2022"';

const AGENT = `// Five answers, one of them wrong. Call your own agent here: it gets \`prompt\`,
// and its text is graded.
const answers = new Map([
  ["france", "Paris"],
  ["japan", "Tokyo"],
  ["kenya", "Nairobi"],
  ["canada", "Ottawa"],
  ["australia", "Sydney"],
]);

export function myAgent({ id, prompt }: { id: string; prompt: string }): string {
  return answers.get(id) ?? \`I cannot answer: \${prompt}\`;
}
`;

const EVAL = `import { defineEval } from "viva";
import { myAgent } from "./my-agent.js";

const ask = (country: string) => \`What is the capital of \${country}?\`;

await defineEval("capitals", {
  data: [
    { id: "france", input: ask("France"), target: "Paris" },
    { id: "japan", input: ask("Japan"), target: "Tokyo" },
    { id: "kenya", input: ask("Kenya"), target: "Nairobi" },
    { id: "canada", input: ask("Canada"), target: "Ottawa" },
    { id: "australia", input: ask("Australia"), target: "Canberra" },
  ],
  prompt: "{{question}} Answer with the name alone.",
  // It has a file of its own, so that an edit of \`score\` asks it nothing again.
  agent: myAgent,
  score: ({ answer, target }) => answer.toLowerCase() === target.toLowerCase(),
});
`;

/** Adds a file as the project's Prettier formats it. */
async function addCode(folder: string, name: string, text: string): Promise<readonly string[]> {
  return addFile(folder, name, await formatAs(folder, name, text));
}

function addFile(folder: string, name: string, text: string): readonly string[] {
  const file = join(folder, name);
  if (existsSync(file)) return [`${name} exists and was not changed`];
  ensureFolder(dirname(file));
  // Half a file of a full disk would stay, since files that exist are not changed.
  writeWhole(file, text);
  return [`wrote ${name}`];
}

/** Results and keys must not be committed. */
const IGNORED = ['.evals/', '.env'];

function addIgnored(folder: string): readonly string[] {
  const file = join(folder, '.gitignore');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = text.split('\n').map((line) => line.trim().replace(/^\/|\/$/g, ''));
  const missing = IGNORED.filter((line) => !lines.includes(line.replace(/\/$/, '')));
  if (missing.length === 0) return [];
  const start = text === '' || text.endsWith('\n') ? '' : '\n';
  writing(file, () => appendFileSync(file, `${start}${missing.join('\n')}\n`));
  return [`added ${missing.join(' and ')} to .gitignore`];
}
