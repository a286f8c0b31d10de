import htm from 'htm';
import { h } from 'preact';

/** @import { VNode } from 'preact' */

/** @typedef {(strings: TemplateStringsArray, ...values: any[]) => VNode} Template */

/** htm declares its function as CommonJS has it. @type {{ bind(create: typeof h): Template }} */
const templates = /** @type {any} */ (htm);

/** Elements of a template. Texts in it are shown as texts. */
export const html = templates.bind(h);
