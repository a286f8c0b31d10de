import type { McqLayout } from '../draft.ts';
import { optionList } from './option-list.ts';
import { optionObject } from './option-object.ts';
import { optionText } from './option-text.ts';

/** The layouts in the order in which they are tried. A new one is one file and one line here. */
export const mcqLayouts: readonly McqLayout[] = [optionObject, optionList, optionText];
