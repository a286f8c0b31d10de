// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code in texts
import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { findReads } from './source-reads.ts';

const FILES = {
  'src/agent.ts': '',
  'src/t/x.cjs': '',
  'src/t/y.cjs': '',
  'prompts/a.md': '',
  'prompts/deep/b.md': '',
  'prompts/.hidden/c.md': '',
  'many/0': '',
};

/** What some code reads: files by their paths from the root, variables, and what is not followed. */
function read(code: string, more: Readonly<Record<string, string>> = {}): readonly string[] {
  const root = makeFolder({ ...FILES, ...more });
  const variables = { MODEL_A: '1', MODEL_B: '2', PROMPT: 'prompts/a.md', OTHER: '3' };
  const found = findReads(code, code, { file: `${root}/src/agent.ts`, root, variables });
  const files = found.files.map((file) => relative(root, file));
  return [...new Set([...files, ...found.variables, ...found.notFollowed.map(({ what }) => what)])];
}

test.each([
  [
    "readFileSync('prompts/' + name)",
    ['prompts/.hidden/c.md', 'prompts/a.md', 'prompts/deep/b.md'],
  ],
  ["readFileSync('prompts/' + name + '/b.md')", ['prompts/deep/b.md']],
  ["readFileSync('prompts/' + name + '.txt')", ["readFileSync('prompts/' + name + '.txt')"]],
  ["readFileSync(join('prompts', name, 'b.md'))", ['prompts/deep/b.md']],
  ["readdirSync('prompts', { recursive: true })", ['prompts/a.md', 'prompts/deep/b.md']],
  ["fg.sync('prompts/**/*.md'); // fast-glob", ['prompts/a.md', 'prompts/deep/b.md']],
  ['readFileSync(process.env.PROMPT)', ['prompts/a.md', 'PROMPT']],
  ["readFileSync(process.env.NONE ?? 'prompts/a.md')", ['prompts/a.md']],
  [
    "const p = isLong ? 'prompts/a.md' : 'prompts/deep/b.md'; readFileSync(p)",
    ['prompts/a.md', 'prompts/deep/b.md'],
  ],
  ["const p = { a: 'prompts/a.md' }; readFileSync(p[name])", ['prompts/a.md']],
  ["let p = 'prompts/'; p = other; readFileSync(p + name)", ['readFileSync(p + name)']],
  ['readFileSync(join(process.cwd(), name))', ['readFileSync(join(process.cwd(), name))']],
  ["readdirSync('/')", ["readdirSync('/')"]],
  ['readFileSync(attachments[0].path)', []],
  ["const [file] = question.attachments; readFileSync(join(context.workdir, 'x'))", []],
  ['const file = question.attachments[0]; readFileSync(file.path)', []],
  ['const { workdir: folder } = context; readFileSync(`${folder}/x`)', []],
  ["export default ({ attachments }, { workdir }) => readFileSync(join(workdir, 'x'))", []],
  ["const f = (q) => readFileSync(join(q.workdir, 'x'))", []],
  ["const f = (q) => readFileSync(join(q.workdir, 'x')); export default (q) => f(q, 'x')", []],
  ["const f = ({ workdir }) => readFileSync(join(workdir, 'x')); export default (q) => f(q)", []],
  [
    'const __vi_import_0__ = await __vite_ssr_import__("/tools.ts"); export default (q, { workdir }) => __vi_import_0__.tools({ workdir, files: q.attachments })',
    [],
  ],
  ["const f = (workdir) => readFileSync(join(workdir, 'x'))", ["readFileSync(join(workdir, 'x'))"]],
  ["import fs from 'node:fs'; fs.existsSync('prompts'); fs.existsSync('none.md')", []],
  ['require(`./t/${name}.cjs`)', ['src/t/x.cjs', 'src/t/y.cjs']],
  ['const load = createRequire(import.meta.url); load(name)', ['load(name)']],
  ["process.env['MODEL_A']", ['MODEL_A']],
  ['process.env[`MODEL_${name}`]', ['MODEL_A', 'MODEL_B']],
  ["process.env[name + '_B']", ['MODEL_B']],
  ['const { env } = process; env[name]', ['env[name]']],
  ["spawn('node', ['--import', './src/t/x.cjs'])", ['src/t/x.cjs']],
  ["spawn('claude', args)", ["spawn('claude', args)"]],
  ['$`claude -p`', ['$`claude -p`']],
  ['PATTERN.exec(text); /x/.exec(text); text.match(/y/)', []],
  ["await expect(output).toMatchFileSnapshot('prompts/a.md')", []],
  ["const a = './prompts/a.md'; await expect(output).toMatchFileSnapshot(a)", []],
  ["await expect(output).toMatchFileSnapshot(isA ? './prompts/a.md' : './prompts/b.md')", []],
  ["const a = './prompts/a.md'; read(a); expect(b).toMatchFileSnapshot(a)", ['prompts/a.md']],
  [
    'const __vi_import_0__ = await __vite_ssr_import__("zod"); __vi_import_0__.z.enum(["prompts"]); f("prompts")',
    [],
  ],
  [
    'const __vi_import_0__ = await __vite_ssr_import__("liquid"); new __vi_import_0__.Liquid("prompts")',
    ['new Liquid("prompts")'],
  ],
  ["list.join('/'); Promise.resolve(name)", []],
  ['this code cannot be parsed: readFileSync(', []],
])('finds in %s what it reads', (code, found) => {
  expect(read(code).toSorted()).toEqual([...found].toSorted());
});

test('does not follow a folder of more than 200 files', () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`many/${at + 1}`, '']));
  expect(read("readdirSync('many')")).toEqual(['many/0']);
  expect(read("readdirSync('many')", many)).toEqual(["readdirSync('many')"]);
});
