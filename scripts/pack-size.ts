import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Installs the packed package into an empty folder and prints what it adds to a project beside
// Vitest: alone, and with every optional package that viva can use.

type Manifest = Readonly<{
  license?: string;
  scripts?: Readonly<Record<string, string>>;
  peerDependencies?: Readonly<Record<string, string>>;
  peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>;
}>;

const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];
const LICENCES = /^\(?(MIT|ISC|0BSD|BSD(-[23]-Clause)?|Apache-2\.0)\b/;

const { peerDependencies = {}, peerDependenciesMeta = {} } = readManifest('.');
const optional = Object.entries(peerDependencies).filter(
  ([name]) => peerDependenciesMeta[name]?.optional,
);
execFileSync('pnpm', ['--silent', 'pack', '--out', 'dist/viva.tgz']);
measure('viva', []);
measure(
  'with all optional packages',
  optional.map(([name, range]) => `${name}@${range}`),
);

function measure(title: string, more: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'viva-size-'));
  const install = ['install', '--prefix', folder, '--omit=peer', '--no-audit', '--no-fund'];
  execFileSync('npm', [...install, './dist/viva.tgz', ...more], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const kilobytes = execFileSync('du', ['-sk', join(folder, 'node_modules')], { encoding: 'utf8' });
  const packages = findPackages(join(folder, 'node_modules'));
  console.log(
    `${title}: ${(Number.parseInt(kilobytes, 10) / 1024).toFixed(1)} MB, packages: ${packages.length}`,
  );
  for (const path of packages) {
    const { license = 'none', scripts = {} } = readManifest(path);
    const found = INSTALL_SCRIPTS.filter((name) => name in scripts);
    const name = path.slice(folder.length + '/node_modules/'.length);
    if (found.length > 0) console.log(`  ${name} has scripts at installation: ${found.join(', ')}`);
    if (!LICENCES.test(license)) console.log(`  ${name} has another licence: ${license}`);
  }
  rmSync(folder, { recursive: true });
}

function findPackages(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (name.startsWith('.') || !statSync(path).isDirectory()) return [];
    if (name.startsWith('@')) return findPackages(path);
    const inner = statSync(join(path, 'node_modules'), { throwIfNoEntry: false });
    return [path, ...(inner === undefined ? [] : findPackages(join(path, 'node_modules')))];
  });
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
