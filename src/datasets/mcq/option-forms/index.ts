import type { OptionForm } from './form.ts';
import { list } from './list.ts';
import { object } from './object.ts';
import { parallel } from './parallel.ts';
import { text } from './text.ts';

/** The forms in the order in which they are tried. A new one is one file and one line here. */
export const optionForms: readonly OptionForm[] = [parallel, list, object, text];
