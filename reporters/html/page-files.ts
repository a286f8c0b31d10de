import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The page's scripts, each before the ones that use it. */
const SCRIPTS = ['visible', 'cases', 'filter', 'elements', 'details', 'table', 'start'];

/** What the page brings with it: its style and its script, and the policy that lets these two run and nothing else. */
export function readPageFiles(): { readonly style: string; readonly script: string; readonly policy: string } {
  const style = read('report.css');
  const script = `(() => {\n'use strict';\n${SCRIPTS.map((name) => inline(read(`${name}.js`))).join('\n')}})();\n`;
  const policy = [
    "default-src 'none'",
    `style-src '${digest(style)}'`,
    `script-src '${digest(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return { style, script, policy: policy.join('; ') };
}

function read(name: string): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8');
}

/** A module as a part of one script: what it imports stands before it, what it exports needs no word. */
function inline(module: string): string {
  return module.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, '');
}

function digest(text: string): string {
  return `sha256-${hash('sha256', text, 'base64')}`;
}
