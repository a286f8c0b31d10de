// Forms of repositories, and what each command does there: the files that it runs as evals or as
// tests, or what it says.

/** What a command does on each version of Vitest. */
export type Expected = string | Readonly<{ in4: string; in5: string }>;

type Layout = Readonly<{
  files: Readonly<Record<string, string>>;
  /**
   * By command: after "@FOLDER" it is given there, after "$" the words are those of a script of the
   * user's own. ROOT is the folder of the layout.
   */
  commands: Readonly<Record<string, Expected>>;
}>;

// No worker reads them.
const [TEST, EVAL] = ['', ''];
const MODULE = '{ "type": "module" }';

const VIVA = "import { viva } from 'viva/vitest';";
const ONLY_VIVA = `${VIVA} export default { plugins: [viva()] };`;
const configure = (test: string, plugins = '') =>
  `${VIVA} export default { plugins: [viva()${plugins}], test: { ${test} } };`;

/** What a user may have for tests, and evals must not get. */
const OF_TESTS =
  "globals: true, environment: 'jsdom', setupFiles: ['./setup.js'], pool: 'threads', retry: 2, " +
  "coverage: { enabled: true, provider: 'custom', customProviderModule: './coverage.js' }, " +
  "reporters: ['default', 'junit'], outputFile: { junit: 'own.xml' }";
const OWN = {
  'setup.js': '',
  'coverage.js': `export default { getProvider: () => ({
    name: 'custom',
    initialize(vitest) { this.options = vitest.config.coverage; },
    resolveOptions() { return this.options; },
    clean() {},
    generateCoverage: () => ({}),
    reportCoverage() {},
  }) };`,
};
const ALL_TESTS = 'tests: evals/help.test.js src/a.test.js src/evals/own.test.js';
const OF_OWN = 'evals: evals/own.eval.js';

/** What a run says that found no test. */
const sayNames = (files: string) =>
  `tests: To run evals, name them: "vitest run evals" or "vitest run NAME.eval". Eval files here: ${files}.`;
const NONE = sayNames('evals/own.eval.js');

const refuse = (tests: string, evals: string, other: string) =>
  `refused: Evals and tests run in commands of their own: no eval file is named by ${tests}. See node_modules/viva/docs/package.md#what-the-plugin-does, and use\n  npx vitest ${evals}\n  npx vitest ${other}`;

const sayRoot = (folder: string) =>
  `refused: viva() is in ${folder}/vitest.config.js, but not in the configuration of the root. Add it to the "plugins" there,\n` +
  `or run the evals in their package: cd ${folder} && npx vitest run evals`;

/** The same without viva. */
function without(files: Layout['files']): Layout['files'] {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      text.replace('plugins: [viva()]', 'plugins: []'),
    ]),
  );
}

const PLAIN = {
  ...OWN,
  'vitest.config.js': configure(OF_TESTS),
  'src/a.test.js': TEST,
  'src/evals/own.test.js': TEST,
  'evals/own.eval.js': EVAL,
  'evals/help.test.js': TEST,
};

const PROJECTS = {
  ...OWN,
  'vitest.config.js': configure(
    `${OF_TESTS}, projects: [
      { extends: true, test: { name: 'a', include: ['src/a.test.js'] } },
      { test: { name: 'b', include: ['src/b.test.js'] } },
    ]`,
  ),
  'src/a.test.js': TEST,
  'src/b.test.js': TEST,
  'evals/own.eval.js': EVAL,
};

/** Takes eval files for tests. */
const GREEDY = "include: ['**/*.{test,eval}.js']";

const OF_GREEDY = {
  'vitest.config.js': configure(GREEDY),
  'src/a.test.js': TEST,
  'evals/own.eval.js': EVAL,
};

/** As plugins for libraries of components do, before and behind those of the user. */
const OF_PLUGINS = ['pre', 'post']
  .map((order) => {
    const projects =
      order === 'post' ? "projects: [{ test: { name: 'own', include: ['src/*.test.js'] } }]," : '';
    const options = `globals: true, environment: 'jsdom', setupFiles: ['./own-setup.js'],
      include: ['**/*.story.js'], pool: 'threads', isolate: true, testTimeout: 5, retry: 2, ${projects}
      exclude: ['**/*.eval.*'], dir: 'src', bail: 1, testNamePattern: 'own', reporters: ['dot'], coverage: { enabled: true },
      globalSetup: ['./own-setup.js'], sequence: { shuffle: true }`;
    const config = `{ order: '${order}', handler: () => ({ test: { ${options} } }) }`;
    return `, { name: 'own:${order}', enforce: '${order}', config: ${config} }`;
  })
  .join('');

const GIVEN =
  "{ test: { setupFiles: ['./given-setup.js'], env: { GIVEN: '1' }, globalSetup: ['./given-setup.js'] } }";

export const LAYOUTS: Readonly<Record<string, Layout>> = {
  plain: {
    files: PLAIN,
    commands: {
      run: ALL_TESTS,
      '': ALL_TESTS,
      list: ALL_TESTS,
      'run evals': OF_OWN,
      evals: OF_OWN,
      'watch evals': OF_OWN,
      'dev evals': OF_OWN,
      'list evals': OF_OWN,
      'list evals --filesOnly --json': OF_OWN,
      'run src': 'tests: src/a.test.js src/evals/own.test.js',
      'run src/evals': 'tests: src/evals/own.test.js',
      'run evals/help.test.js': 'tests: evals/help.test.js',
      'run evals src': refuse('src', 'run evals', 'run src'),
      'evals src': refuse('src', 'evals', 'src'),
      'run evals help.test': refuse('help.test', 'run evals', 'run help.test'),
      'run evals own': OF_OWN,
      'run own': 'tests: src/evals/own.test.js',
      'run own.eval': OF_OWN,
      'run EVALS': OF_OWN,
      'run Own.Eval': OF_OWN,
      'run ./evals': OF_OWN,
      'run evals/': OF_OWN,
      'run .': ALL_TESTS,
      'run ROOT/evals': OF_OWN,
      'run ROOT/src': 'tests: src/a.test.js src/evals/own.test.js',
      'run evals/own.eval.js:1': OF_OWN,
      'run own.eval.js:1':
        "refused: Couldn't find file own.eval.js. Note when specifying the test location you have to specify the full test filename.",
      'run evals/*.eval.js': NONE,
      'run evals/typo': NONE,
      'run evals/typo src': 'tests: src/a.test.js src/evals/own.test.js',
      'run evals/typo evals': refuse('evals/typo', 'run evals', 'run evals/typo'),
      'run nothing': NONE,
      'run nothing --passWithNoTests': 'tests: none',
      'run --project evals': OF_OWN,
      'run --project=evals': OF_OWN,
      'run --project !evals': ALL_TESTS,
      'run --project eval*': 'refused: No projects matched the filter "eval*".',
      'run --project evals --project own': refuse(
        '--project own',
        'run evals',
        'run --project own',
      ),
      'run --project evals src': refuse('src', 'run evals', 'run src'),
      'run evals --reporter=json --outputFile=evals.json':
        'evals: evals/own.eval.js, reporters ["json","EvalReporter"], outputFile "evals.json"',
      'run --reporter=json --outputFile evals/own.json': ALL_TESTS,
      'run evals --pool=threads --maxWorkers=4 --isolate --retry=2 --globals --environment=jsdom':
        OF_OWN,
      'run evals --testTimeout=1 --hookTimeout=1 --repeats=2': OF_OWN,
      'run evals --coverage.enabled': 'evals: evals/own.eval.js, hasCoverage true',
      'run -t evals': ALL_TESTS,
      'run -- evals': ALL_TESTS,
      'bench evals': 'tests: evals/help.test.js src/evals/own.test.js',
      'related src/a.test.js --run': 'tests: src/a.test.js',
      'related evals/own.eval.js --run': 'tests: none',
      'run evals --mergeReports':
        'refused: Shards of evals are joined by "npx viva merge RUN...", which takes their run folders, not by --merge-reports.',
      'run --mergeReports': ALL_TESTS,
      'run --dir evals': OF_OWN,
      'run --dir evals own': OF_OWN,
      'run --dir evals help': 'tests: evals/help.test.js',
      'run --dir src evals': 'tests: src/evals/own.test.js',
      'run --dir . evals': OF_OWN,
      'run evals --config=vitest.config.js': OF_OWN,
      'run --root . evals': OF_OWN,
      '@src run --root .. evals': OF_OWN,
      '@evals run --root .. own': 'tests: src/evals/own.test.js',
      '@src run ../evals --root ..': OF_OWN,
      $: ALL_TESTS,
      '$--flag': ALL_TESTS,
      $evals: OF_OWN,
      '$run nothing':
        'tests: To run evals, name them: "vitest run evals" or "vitest run NAME.eval", in a script by process.argv.splice(2, Infinity, "run", "evals") before startVitest("test", ["evals"]). Eval files here: evals/own.eval.js.',
    },
  },
  'plain-without': {
    files: without(PLAIN),
    commands: {
      run: ALL_TESTS,
    },
  },
  projects: {
    files: PROJECTS,
    commands: {
      run: 'tests: a:src/a.test.js b:src/b.test.js',
      'run evals': OF_OWN,
      'run src': 'tests: a:src/a.test.js b:src/b.test.js',
      'run --project a': 'tests: a:src/a.test.js',
      'run --project a evals': NONE,
      'run --project evals': OF_OWN,
      'run --project a --project evals': refuse('--project a', 'run evals', 'run --project a'),
      'run evals/typo': NONE,
    },
  },
  'projects-without': {
    files: without(PROJECTS),
    commands: { run: 'tests: a:src/a.test.js b:src/b.test.js' },
  },
  'evals/of/me/evals': {
    files: OF_GREEDY,
    commands: {
      run: 'tests: src/a.test.js',
      list: 'tests: src/a.test.js',
      'run evals': OF_OWN,
      'run src': 'tests: src/a.test.js',
      'run me': NONE,
      'run ROOT': 'tests: src/a.test.js',
      'run ROOT/src': 'tests: src/a.test.js',
      'run ROOT/evals': OF_OWN,
    },
  },
  // Vitest's lists of defaults are those of all its runs in a process.
  'greedy-without': {
    files: without(OF_GREEDY),
    commands: { run: 'tests: evals/own.eval.js src/a.test.js' },
  },
  'greedy projects': {
    files: {
      'vitest.config.js': configure(
        `projects: [
          { test: { name: 'all', include: ['**/*.js'], exclude: ['**/vitest.config.js'] } },
          { test: { name: 'some', ${GREEDY} } },
        ]`,
      ),
      'src/a.test.js': TEST,
      'evals/own.eval.js': EVAL,
    },
    commands: {
      run: 'tests: all:src/a.test.js some:src/a.test.js',
      'run evals': OF_OWN,
    },
  },
  'greedy extended': {
    files: {
      'vitest.config.js': configure(
        `projects: [
          { extends: true, test: { name: 'a', ${GREEDY} } },
          { test: { name: 'b', ${GREEDY} } },
          'packages/*',
        ]`,
      ),
      'src/a.test.js': TEST,
      'evals/own.eval.js': EVAL,
      'packages/x/vitest.config.js': `export default { test: { name: 'x', ${GREEDY} } }`,
      'packages/x/x.test.js': TEST,
      'packages/x/evals/x.eval.js': EVAL,
    },
    commands: {
      run: 'tests: a:packages/x/x.test.js a:src/a.test.js b:packages/x/x.test.js b:src/a.test.js x:packages/x/x.test.js',
      'run evals': 'evals: evals/own.eval.js packages/x/evals/x.eval.js',
    },
  },
  workspace: {
    files: {
      'vitest.config.js': configure(
        "projects: ['packages/*', '!packages/z', '<rootDir>/more/w/vitest.config.js']",
      ),
      'packages/x/vitest.config.js': "export default { test: { name: 'x' } }",
      'packages/x/x.test.js': TEST,
      'packages/y/vitest.config.js': configure("name: 'y'"),
      'packages/y/y.test.js': TEST,
      'packages/y/evals/y.eval.js': EVAL,
      'packages/z/evals/z.eval.js': EVAL,
      'more/w/vitest.config.js': "export default { test: { name: 'w' } }",
      'more/w/w.test.js': TEST,
      'more/w/evals/w.eval.js': EVAL,
      'evals/own.eval.js': EVAL,
    },
    commands: {
      run: 'tests: w:more/w/w.test.js x:packages/x/x.test.js y:packages/y/y.test.js',
      'run evals': 'evals: evals/own.eval.js more/w/evals/w.eval.js packages/y/evals/y.eval.js',
      'run packages/y': 'tests: y:packages/y/y.test.js',
      'run packages/y/evals': 'evals: packages/y/evals/y.eval.js',
      'run packages/z/evals': sayNames(
        'evals/own.eval.js, more/w/evals/w.eval.js, packages/y/evals/y.eval.js',
      ),
      'run y.eval evals/own': 'evals: evals/own.eval.js packages/y/evals/y.eval.js',
      'run --project evals':
        'evals: evals/own.eval.js more/w/evals/w.eval.js packages/y/evals/y.eval.js',
      'run --project x': 'tests: x:packages/x/x.test.js',
      'run --dir packages/y evals': 'evals: packages/y/evals/y.eval.js',
      'run --dir packages/y':
        'tests: w:more/w/w.test.js x:packages/x/x.test.js y:packages/y/y.test.js',
      'run --root packages/y evals': 'evals: packages/y/evals/y.eval.js',
      'run --root packages/y': 'tests: y:packages/y/y.test.js',
      '@packages/y run evals': 'evals: packages/y/evals/y.eval.js',
      '@packages/y run': 'tests: y:packages/y/y.test.js',
      'run nothing': sayNames(
        'evals/own.eval.js, more/w/evals/w.eval.js, packages/y/evals/y.eval.js',
      ),
    },
  },
  objects: {
    files: {
      'vitest.config.js': configure(
        `projects: [
          { root: './packages/x', test: { name: 'x' } },
          { extends: true, test: { name: 'y', root: 'packages/y' } },
        ]`,
      ),
      'packages/x/x.test.js': TEST,
      'packages/x/evals/x.eval.js': EVAL,
      'packages/y/y.test.js': TEST,
      'packages/y/evals/y.eval.js': EVAL,
    },
    commands: {
      run: 'tests: x:packages/x/x.test.js y:packages/y/y.test.js',
      'run evals': 'evals: packages/x/evals/x.eval.js packages/y/evals/y.eval.js',
      'run packages/x/evals': 'evals: packages/x/evals/x.eval.js',
    },
  },
  'package alone': {
    files: {
      'vitest.config.js': "export default { test: { projects: ['packages/*'] } };",
      'packages/x/vitest.config.js': "export default { test: { name: 'x' } }",
      'packages/x/src/evals/x.test.js': TEST,
      'packages/y/package.json': MODULE,
      'packages/y/vitest.config.js': configure("name: 'y'"),
      'packages/y/y.test.js': TEST,
      'packages/y/evals/y.eval.js': EVAL,
      'packages/z/package.json': MODULE,
      'packages/z/vitest.config.js': configure("name: 'z'"),
      'packages/z/evals/z.eval.js': EVAL,
    },
    commands: {
      run: 'tests: x:packages/x/src/evals/x.test.js y:packages/y/y.test.js',
      'run evals': sayRoot('packages/y'),
      'run packages/z/evals': sayRoot('packages/z'),
      'run src/evals': 'tests: x:packages/x/src/evals/x.test.js',
      'run --project y': 'tests: y:packages/y/y.test.js',
      'run --root packages/y evals': 'evals: packages/y/evals/y.eval.js',
      '@packages/y run evals': 'evals: packages/y/evals/y.eval.js',
      '@packages/y run': 'tests: y:packages/y/y.test.js',
      $evals: sayRoot('packages/y'),
      'run evals/typo': sayNames('packages/y/evals/y.eval.js, packages/z/evals/z.eval.js'),
      'run --config vitest.config.js evals': sayRoot('packages/y'),
    },
  },
  shared: {
    files: {
      'vitest.config.js':
        "export default { test: { projects: [{ extends: './shared.js', test: { name: 'a', include: ['src/a.test.js'] } }] } };",
      'shared.js': ONLY_VIVA,
      'src/a.test.js': TEST,
      'evals/own.eval.js': EVAL,
    },
    commands: {
      run: 'tests: a:src/a.test.js',
      'run evals':
        'refused: viva() is in shared.js, but not in the configuration of the root. Add it to the "plugins" there.',
    },
  },
  'a project "evals"': {
    files: {
      'vitest.config.js': configure(
        "projects: [{ test: { name: 'evals', include: ['src/a.test.js'] } }]",
      ),
      'src/a.test.js': TEST,
    },
    commands: {
      run: 'tests: evals:src/a.test.js',
      'run --project evals': 'tests: evals:src/a.test.js',
      'run evals': 'tests: none',
    },
  },
  'a package "evals"': {
    files: {
      'vitest.config.js': configure("projects: ['packages/*']"),
      'packages/evals/package.json': '{ "name": "evals", "type": "module" }',
      'packages/evals/vitest.config.js': ONLY_VIVA,
      'packages/evals/a.test.js': TEST,
      'evals/own.eval.js': EVAL,
    },
    commands: {
      run: 'tests: evals:packages/evals/a.test.js',
      'run --project evals': OF_OWN,
      'run packages/evals': 'tests: evals:packages/evals/a.test.js',
      'run evals': OF_OWN,
    },
  },
  CommonJS: {
    files: {
      'package.json': '{ "type": "commonjs" }',
      'vitest.config.mjs': ONLY_VIVA,
      'src/a.test.js': TEST,
      'evals/own.eval.mjs': EVAL,
    },
    commands: {
      run: 'tests: src/a.test.js',
      'run evals': 'evals: evals/own.eval.mjs',
    },
  },
  Vite: {
    files: {
      'vite.config.js': `${VIVA} export default { plugins: [viva()], build: { outDir: 'x' } };`,
      'src/a.test.js': TEST,
      'evals/own.eval.js': EVAL,
    },
    commands: { run: 'tests: src/a.test.js', 'run evals': OF_OWN },
  },
  'no configuration': {
    files: { 'src/a.test.js': TEST, 'evals/own.eval.js': EVAL },
    commands: { run: 'tests: src/a.test.js', 'run evals': 'tests: none' },
  },
  'two configurations': {
    files: {
      'vitest.config.js': ONLY_VIVA,
      'vitest.unit.config.js': 'export default {}',
      'configs/vitest.config.js': ONLY_VIVA,
      'src/a.test.js': TEST,
      'evals/own.eval.js': EVAL,
    },
    commands: {
      run: 'tests: src/a.test.js',
      'run evals': OF_OWN,
      'run --config vitest.unit.config.js': 'tests: src/a.test.js',
      'run --config vitest.unit.config.js evals': 'tests: none',
      'run --config configs/vitest.config.js': 'tests: src/a.test.js',
      'run --config configs/vitest.config.js evals': OF_OWN,
    },
  },
  'evals alone': {
    files: {
      'vitest.config.js': ONLY_VIVA,
      'evals/own.eval.js': EVAL,
      'evals/more/a.eval.js': EVAL,
      'evals/more/b.eval.js': EVAL,
      'evals/more/c.eval.js': EVAL,
    },
    commands: {
      run: sayNames('evals/more/a.eval.js, evals/more/b.eval.js, evals/more/c.eval.js and 1 more'),
      'run --passWithNoTests': 'tests: none',
      'run evals':
        'evals: evals/more/a.eval.js evals/more/b.eval.js evals/more/c.eval.js evals/own.eval.js',
      'run evals/own': OF_OWN,
      'run evals/more a.eval':
        'evals: evals/more/a.eval.js evals/more/b.eval.js evals/more/c.eval.js',
    },
  },
  below: {
    files: {
      'sub/vitest.config.js': ONLY_VIVA,
      'sub/src/a.test.js': TEST,
      'sub/evals/own.eval.js': EVAL,
    },
    commands: {
      '@sub run evals': 'evals: sub/evals/own.eval.js',
      'run --root sub evals': 'evals: sub/evals/own.eval.js',
      'run --root=./sub sub/evals': 'evals: sub/evals/own.eval.js',
      'run --root sub': 'tests: sub/src/a.test.js',
      '@sub/src run evals': 'tests: none',
      '@sub/evals run --root .. own.eval': 'evals: sub/evals/own.eval.js',
      'run --config sub/vitest.config.js evals':
        'tests: Evals are in the folder evals/ of Vitest\'s root, ROOT, or of one of its "projects". Not in these: sub/evals/own.eval.js.',
    },
  },
  'a root': {
    files: {
      'vitest.config.js': configure("root: './app'"),
      'app/src/a.test.js': TEST,
      'app/evals/own.eval.js': EVAL,
    },
    commands: {
      run: 'tests: app/src/a.test.js',
      'run evals': 'evals: app/evals/own.eval.js',
      'run app/evals': 'evals: app/evals/own.eval.js',
    },
  },
  "Vite's root": {
    files: {
      'vitest.config.js': `${VIVA} export default { root: 'app', plugins: [viva()] };`,
      'app/src/a.test.js': TEST,
      'app/evals/own.eval.js': EVAL,
    },
    commands: {
      run: 'tests: app/src/a.test.js',
      'run evals': 'evals: app/evals/own.eval.js',
    },
  },
  'other plugins': {
    files: {
      'vitest.config.js': configure("env: { OWN: '1' }", OF_PLUGINS).replace(
        'viva()',
        `viva(${GIVEN})`,
      ),
      'src/a.test.js': TEST,
      'evals/own.eval.js': EVAL,
      'evals/own.story.js': TEST,
      'own-setup.js': '',
      'given-setup.js': '',
    },
    commands: {
      // A project of Vitest 5 has the root's globs too.
      run: {
        in4: 'tests: own:src/a.test.js',
        in5: 'tests: none',
      },
      'run evals':
        'evals: evals/own.eval.js, setupFiles ["setup","given-setup.js"], globalSetup ["given-setup.js"], env ["OWN","GIVEN"]',
      'run evals --retry=2':
        'evals: evals/own.eval.js, setupFiles ["setup","given-setup.js"], globalSetup ["given-setup.js"], env ["OWN","GIVEN"]',
    },
  },
  'an old Node': {
    files: {
      'vitest.config.js': `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.11.0' } });\n${ONLY_VIVA}`,
      'src/a.test.js': TEST,
      'evals/own.eval.js': EVAL,
    },
    commands: {
      run: 'tests: src/a.test.js',
      'run evals':
        'refused: viva needs Node 22.12 or later, but this is Node 22.11.0. Install it; in a clone of viva, "pnpm vitest" brings it.',
    },
  },
  // Vitest adds these to a list that all its runs in a process share.
  excluded: {
    files: PLAIN,
    commands: {
      'run --exclude evals': 'tests: src/a.test.js src/evals/own.test.js',
      'run evals --exclude evals/own.eval.js': 'evals: none',
    },
  },
};
