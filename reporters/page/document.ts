import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { html, Markup } from './markup.ts';

/** The parts of the page besides its style and its script. */
type PageParts = Readonly<{
  title: string;
  /** Stands above the app, and is seen without JavaScript. */
  plain: Markup;
  /** HTML of the data that the app shows first, and of what it reads later. */
  data?: readonly string[];
  later?: readonly string[];
  /** Whether it asks the server that it comes from. */
  isServed?: true;
}>;

/**
 * The page in parts, one HTML document with its style and its script. Its security policy allows these
 * two, pictures and, if it is served, its own server; no text can become a script. What the app shows
 * first stands before its script, so that it shows while the rest is read.
 */
export function renderDocument({
  title,
  plain,
  data = [],
  later = [],
  isServed,
}: PageParts): readonly string[] {
  const { style, script } = readApp(isServed === true);
  const policy = [
    "default-src 'none'",
    `style-src '${digest(style)}'`,
    `script-src '${digest(script)}'`,
    isServed === true ? "img-src 'self'; connect-src 'self'" : 'img-src data:',
    "base-uri 'none'; form-action 'none'",
    "require-trusted-types-for 'script'; trusted-types 'none'",
  ].join('; ');
  const head = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title} · viva</title>
<style>${new Markup(style)}</style>
</head>
<body>
<div id="app"></div>
<noscript>${plain}</noscript>
`;
  return [head.text, ...data, `<script>${script}</script>\n`, ...later, '</body>\n</html>\n'];
}

/** Data that no browser takes for anything else. */
export function* renderData(id: string, base64: string): Generator<string, void> {
  yield `<script type="application/octet-stream" id="${id}">`;
  yield base64;
  yield '</script>\n';
}

const apps = new Map<boolean, Readonly<{ style: string; script: string }>>();

function readApp(isServed: boolean): Readonly<{ style: string; script: string }> {
  const known = apps.get(isServed);
  if (known !== undefined) return known;
  const names = isServed ? MODULES : MODULES.filter((name) => !SERVED.includes(name));
  const app = { style: shortenStyle(readFile('style.css')), script: joinScripts(names) };
  apps.set(isServed, app);
  return app;
}

/** The modules of the app. Each one comes after those that it imports. */
const MODULES: readonly string[] = [
  'html',
  '../../../src/words/amounts',
  'format',
  'axis',
  'diff',
  'route',
  'source',
  'run',
  'parts',
  'charts',
  'pairs',
  'measures',
  'suite',
  'overview',
  'conversation',
  'case',
  'cases',
  'compare',
  'server',
  'compare-runs',
  'label-file',
  'labels',
  'history',
  'runs',
  'main',
];

/** Those of views that a report does not have. */
const SERVED = ['server', 'compare-runs', 'label-file', 'labels', 'history', 'runs'];

const LIBRARIES = ['preact', 'preact/hooks', 'htm'];

/**
 * The libraries as they are shipped, and the modules of the app, as one script: each is a function
 * that returns what it exports.
 */
function joinScripts(names: readonly string[]): string {
  const load = createRequire(import.meta.url);
  const libraries = LIBRARIES.map((name) => {
    const path = name === 'htm' ? fileURLToPath(import.meta.resolve(name)) : load.resolve(name);
    return wrap(name, readFileSync(path, 'utf8'));
  });
  const modules = names.map((name) => shorten(wrap(name, readFile(`${name}.js`))));
  // What a report lacks is never asked for.
  const missing = SERVED.map((name) => `${JSON.stringify(name)}:{}`).join(',');
  return `'use strict';const $m={${missing}};\n${[...libraries, ...modules].join('\n')}\n`;
}

/** A module without its words \`import\` and \`export\`, kept under the end of its name. */
function wrap(name: string, code: string): string {
  const exported: string[] = [];
  const body = code
    .replace(/^\/\/# sourceMappingURL=.*$/m, '')
    .replace(
      /^import ?\{([^{}]{1,2000})\} ?from ?["']([^"'\n]{1,200})["'];/gm,
      (_, names, from) => {
        return `const {${toPairs(names, 'import')}} = $m['${toName(from)}'];`;
      },
    )
    .replace(/^import (\w{1,60}) from ["']([^"'\n]{1,200})["'];/gm, (_, local, from) => {
      return `const ${local} = $m['${toName(from)}'].default;`;
    })
    .replace(/(?:^|;|\})export ?\{([^{}]{1,2000})\};?\s*$/, (whole, names) => {
      exported.push(toPairs(names, 'export'));
      return whole.startsWith('}') ? '}' : ';';
    })
    .replace(/(?:^|;|\})export default (?=function)/m, (whole) => {
      exported.push('default: main');
      return `${whole.startsWith('}') ? '}' : ';'}const main = `;
    })
    .replace(/^export (?=(?:(?:async )?function|const|class) (\w{1,60}))/gm, () => '');
  for (const [, own] of code.matchAll(/^export (?:(?:async )?function|const|class) (\w{1,60})/gm))
    exported.push(own ?? '');
  return `$m['${toName(name)}']=(()=>{\n${body.trim()}\nreturn{${exported.join(',')}};\n})();`;
}

/** "a as b" as a pattern, which takes a property "a" as "b", or makes a property "b" of "a". */
function toPairs(names: string, side: 'import' | 'export'): string {
  const pairs = names.split(',').map((name) => name.trim().split(' as '));
  return pairs
    .filter(([name]) => name !== '')
    .map(([from = '', to = from]) => {
      if (from === to) return from;
      return side === 'import' ? `${from}: ${to}` : `${to}: ${from}`;
    })
    .join(',');
}

/** "./format.js" is "format". */
function toName(path: string): string {
  return /^[./]/.test(path) ? path.replace(/^.*\/|\.js$/g, '').replace(/\.js$/, '') : path;
}

/**
 * Source without comments, as this project writes them, without indents, and with fewer lines. Inside of
 * brackets, before a method and between tags no end of a line means anything, and no text has an operator.
 */
export function shorten(code: string): string {
  return code
    .replace(/^ *\/\*(?:[^*]|\*(?!\/))*\*\/\n?/gm, '')
    .replace(/\/\*\* @(?:[^*]|\*(?!\/))*\*\/ ?/g, '')
    .replace(/^ *\/\/.*\n/gm, '')
    .replace(/^ +/gm, '')
    .replace(/\n{2,}/g, '\n')
    .replace(/([{([;,}])\n|\n(?=[)\]}]|\.\w)|(?<=>)\n(?=<)/g, '$1')
    .replace(/[ \n](=>|===|!==|&&|\|\||\?\??|:)[ \n]/g, '$1')
    .replace(/((?:const|let) \w+|[\]}]) = /g, '$1=');
}

/** A style sheet with a rule on a line. */
function shortenStyle(style: string): string {
  return shorten(style)
    .replace(/([,}])\n/g, '$1')
    .replace(/([:,]) | (>) /g, '$1$2')
    .replace(/(?<=[:,( ])0(?=\.\d)/g, '')
    .replace(/;\}/g, '}')
    .replace(/ \{/g, '{');
}

function readFile(name: string): string {
  return readFileSync(new URL(`./app/${name}`, import.meta.url), 'utf8');
}

function digest(text: string): string {
  return `sha256-${hash('sha256', text, 'base64')}`;
}
