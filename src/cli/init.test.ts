import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../test/e2e/run-vitest.ts';
import { makeFolder } from '../../test/make-folder.ts';
import { addEvals, addSkill } from './init.ts';

const EVAL = 'evals/capitals/capitals.eval.ts';
const AGENT = 'evals/capitals/my-agent.ts';

describe('viva init', () => {
  test('writes a configuration, an eval, its agent and .gitignore, and changes nothing when it runs again', async () => {
    const folder = makeFolder({ 'package.json': '{ "type": "module" }' });
    expect(await addEvals(folder)).toEqual([
      'wrote vitest.config.ts',
      `wrote ${AGENT}`,
      `wrote ${EVAL}`,
      'added .evals/ and .env to .gitignore',
      'Run it: npx vitest run evals',
    ]);
    const files = ['vitest.config.ts', EVAL, AGENT, '.gitignore'].map((name) => join(folder, name));
    const read = () => files.map((file) => readFileSync(file, 'utf8'));
    const written = read();
    expect(written[1]?.match(/^ {4}\{ id: .* target: /gm)).toHaveLength(5);
    expect(await addEvals(folder)).toEqual([
      'vitest.config.ts already has viva',
      `${EVAL} exists and was not changed`,
      'Run it: npx vitest run evals',
    ]);
    expect(read()).toEqual(written);
  });

  test.each<Record<string, string>>([
    { 'package.json': '{ "type": "commonjs" }' },
    { 'package.json': '{}' },
    {},
  ])(
    'names its files .mts beside %j, where Vite warns of a vitest.config.ts and tsc refuses the eval',
    async (files) => {
      const folder = makeFolder(files);
      expect((await addEvals(folder)).slice(0, 3)).toEqual([
        'wrote vitest.config.mts',
        'wrote evals/capitals/my-agent.mts',
        'wrote evals/capitals/capitals.eval.mts',
      ]);
      expect((await addEvals(folder))[0]).toBe('vitest.config.mts already has viva');
    },
  );

  test('adds no second eval of the same name, and names a package.json that is not JSON', async () => {
    const folder = makeFolder({ 'package.json': '{ "type": ', 'vitest.config.ts': '', [EVAL]: '' });
    expect(await addEvals(folder)).toContain(`${EVAL} exists and was not changed`);
    rmSync(join(folder, EVAL));
    await expect(addEvals(folder)).rejects.toThrow(`${join(folder, 'package.json')} is not JSON: `);
  });

  test('says what to add to a configuration that is there, and keeps the lines of .gitignore', async () => {
    const folder = makeFolder({
      'vite.config.mjs': 'export default {};',
      '.gitignore': 'dist\n/.evals',
    });
    expect((await addEvals(folder)).slice(0, 3)).toEqual([
      'Add two lines to vite.config.mjs, which was not changed:',
      "  import { viva } from 'viva/vitest';",
      '  plugins: [viva()],',
    ]);
    expect(readFileSync(join(folder, 'vite.config.mjs'), 'utf8')).toBe('export default {};');
    expect(existsSync(join(folder, 'vitest.config.ts'))).toBe(false);
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('dist\n/.evals\n.env\n');
  });

  test('writes the skill where coding agents look, keeps one that differs, and says what AGENTS.md lacks', () => {
    const [claude, codex] = ['.claude/skills/viva/SKILL.md', '.agents/skills/viva/SKILL.md'];
    const folder = makeFolder({ 'AGENTS.md': 'Be brief.\n', [codex]: 'My own.' });
    const line = `  Before you write or run an eval, read ${codex}.`;
    const differs = `${codex} is not that of this viva, and was not changed: delete it and run again`;
    const ask = 'Add a line to AGENTS.md, which was not changed, for agents that know no skills:';
    expect(addSkill(folder)).toEqual([`wrote ${claude}`, differs, ask, line]);
    expect(readFileSync(join(folder, claude), 'utf8')).toMatch(
      /^---\nname: viva\ndescription: .+\n---\n/,
    );
    writeFileSync(join(folder, 'AGENTS.md'), line);
    rmSync(join(folder, codex));
    expect(addSkill(folder)).toEqual([`${claude} is up to date`, `wrote ${codex}`]);
  });

  test.each([
    ['pnpm', { 'pnpm-lock.yaml': '' }, {}, 'pnpm vitest run evals'],
    ['yarn', { 'yarn.lock': '' }, {}, 'yarn vitest run evals'],
    ['bun', {}, { npm_config_user_agent: 'bun/1.2.0' }, 'bunx vitest run evals'],
  ])('says how to run it under %s', async (_, files, env, line) => {
    expect((await addEvals(makeFolder(files), env)).at(-1)).toBe(`Run it: ${line}`);
  });

  test.each([
    ['an eval', addEvals, 'evals', 'evals/capitals cannot be made'],
    [
      'a configuration',
      addEvals,
      'vitest.config.ts.PID.tmp/x',
      'vitest.config.ts cannot be written',
    ],
    ['a skill', addSkill, '.agents', '.agents/skills cannot be made'],
  ])('says what it cannot write, why and what to do: %s', async (_, add, blocked, said) => {
    const name = blocked.replace('PID', String(process.pid));
    const folder = makeFolder({ 'package.json': '{ "type": "module" }', [name]: '' });
    const pattern = new RegExp(`/${said}: .+ \\(E[A-Z]+\\)\\. Move .+ away\\.$`);
    await expect((async () => add(folder))()).rejects.toThrow(
      expect.objectContaining({ message: expect.stringMatching(pattern) }),
    );
  });

  const BUNDLER = '"module": "esnext", "moduleResolution": "bundler", "noEmit": true';
  const TS = `"allowImportingTsExtensions": true, ${BUNDLER}`;
  test.each<[string, Record<string, string>, string, string | null]>([
    ['that has its files', { 'tsconfig.json': `{ "compilerOptions": { ${TS} } }` }, 'ts', null],
    [
      'that leaves them out',
      { 'tsconfig.json': `{ "compilerOptions": { ${BUNDLER} }, "include": ["src"] }` },
      'js',
      'tsconfig.json',
    ],
    [
      'of references',
      {
        'tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
        'tsconfig.app.json': `{ "compilerOptions": { ${TS} }, "include": ["src"] }`,
      },
      'ts',
      'tsconfig.app.json',
    ],
  ])('fits its files to a tsconfig.json %s', async (_, files, ending, base) => {
    const folder = makeFolder({ 'package.json': '{ "type": "module" }', 'src/a.ts': '', ...files });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const lines = await addEvals(folder);
    expect(readFileSync(join(folder, EVAL), 'utf8')).toContain(`"./my-agent.${ending}"`);
    const said = [
      'wrote evals/tsconfig.json',
      `  ${base} leaves evals/ out. Check its types: npx tsc -p evals`,
    ];
    expect(lines.slice(3, -2)).toEqual(base === null ? [] : said);
    if (base === null) return;
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const of = ['-p', join(folder, 'evals'), '--showConfig'];
    expect(execFileSync(process.execPath, [tsc, ...of], { encoding: 'utf8' })).toMatch(
      /"bundler"[\s\S]+capitals\.eval\.ts/,
    );
    expect((await addEvals(folder)).join()).not.toContain('tsconfig');
  });

  const linkedFolder = (files: Record<string, string>) => {
    const folder = makeFolder({ 'src/a.ts': '', ...files });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    return folder;
  };

  test.each<[string, string, readonly string[]]>([
    ['', '', ['node_modules', 'dist', 'evals', 'vitest.config.mts']],
    ['', ', "exclude": ["old"]', ['old', 'evals', 'vitest.config.mts']],
    [', "outDir": "./lib"', '', ['node_modules', 'lib', 'evals', 'vitest.config.mts']],
  ])(
    'has a tsconfig.json of its own beside one for CommonJS %s %s',
    async (own, more, excludes) => {
      const options = `"target": "ES2022", "module": "commonjs", "moduleResolution": "node"${own}`;
      const tsconfig = `{ "compilerOptions": { ${options} }${more} }`;
      const folder = linkedFolder({ 'package.json': '{}', 'tsconfig.json': tsconfig });
      expect((await addEvals(folder)).slice(3, -2)).toEqual([
        'wrote evals/tsconfig.json',
        '  tsconfig.json cannot compile evals, and was not changed. Leave them out there:',
        `  "exclude": ${JSON.stringify(excludes)}`,
        '  Check its types: npx tsc -p evals',
      ]);
      const { compilerOptions } = JSON.parse(
        readFileSync(join(folder, 'evals/tsconfig.json'), 'utf8'),
      );
      expect(compilerOptions).toMatchObject({ module: 'esnext', moduleResolution: 'bundler' });
    },
  );

  test.each([
    ['eslint.config.js', 'vitest.config.js'],
    ['eslint.config.mjs', 'vitest.config.mjs'],
    ['eslint.config.ts', 'vitest.config.ts'],
  ])('writes a configuration that typescript-eslint takes beside %s', async (lint, config) => {
    const tsconfig = `{ "compilerOptions": { ${TS} }, "include": ["src"] }`;
    const files = { 'package.json': '{ "type": "module" }', 'tsconfig.json': tsconfig, [lint]: '' };
    expect((await addEvals(linkedFolder(files)))[0]).toBe(`wrote ${config}`);
  });

  test('writes one beside CommonJS too, and says where eslint.config.mjs names itself', async () => {
    const tsconfig = '{ "compilerOptions": { "module": "commonjs", "moduleResolution": "node" } }';
    const eslint = 'export default [{ ignores: ["eslint.config.mjs"] }];';
    const files = { 'package.json': '{}', 'tsconfig.json': tsconfig, 'eslint.config.mjs': eslint };
    const lines = await addEvals(linkedFolder(files));
    expect(lines.slice(0, 2)).toEqual([
      'wrote vitest.config.mjs',
      '  eslint.config.mjs names itself: where it leaves itself out, name vitest.config.mjs too.',
    ]);
    expect(lines).toContain('  "exclude": ["node_modules","dist","evals"]');
  });

  test("formats its files with the project's Prettier, and not where that fails", async () => {
    const prettier = (body: string) => ({
      'package.json': '{ "type": "module" }',
      'node_modules/prettier/package.json': '{ "type": "module", "main": "index.js" }',
      'node_modules/prettier/index.js': `export default {
        resolveConfig: async (file) => ({ mark: file.split('/').pop() }),
        format: async (text, { mark, filepath }) => { ${body} },
      };`,
    });
    const folder = makeFolder(prettier('return "// " + mark + filepath.length + "\\n" + text;'));
    await addEvals(folder);
    const file = join(folder, AGENT);
    expect(readFileSync(file, 'utf8')).toMatch(`// my-agent.ts${file.length}\n// Five`);
    const broken = makeFolder(prettier('throw new Error("no plugin");'));
    await addEvals(broken);
    expect(readFileSync(join(broken, AGENT), 'utf8')).toMatch(/^\/\/ Five/);
  });
});
