import type { McqLayout } from '../layout.ts';
import { list } from '../option-forms/list.ts';
import { object } from '../option-forms/object.ts';
import { parallel } from '../option-forms/parallel.ts';
import { text } from '../option-forms/text.ts';
import { headerless } from './headerless.ts';
import { medmcqa } from './medmcqa.ts';
import { nestedQuestion } from './nested-question.ts';
import { oneField } from './one-field.ts';
import { rightAndWrong } from './right-and-wrong.ts';
import { truthfulqa } from './truthfulqa.ts';
import { wide } from './wide.ts';

/** The layouts in the order in which they are tried. A new one is one file and one line here. */
export const mcqLayouts: readonly McqLayout[] = [
  nestedQuestion,
  oneField(parallel),
  oneField(object),
  oneField(list),
  medmcqa,
  rightAndWrong,
  truthfulqa,
  wide,
  oneField(text),
  headerless,
];
