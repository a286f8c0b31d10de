import { extname } from 'node:path';
import { findKind } from '../../scoring/gaia/rules/official.ts';
import type { Sample } from '../../types.ts';
import { countBy, type Fact, listUp, toShares } from './facts.ts';

/** What is to be said of GAIA's samples: how answers will be compared, and which files come with the questions. */
export function gaiaFacts(samples: readonly Sample[]): readonly Fact[] {
  const files = samples.flatMap(({ attachments }) => attachments);
  const types = countBy(files, ({ name }) => extname(name).toLowerCase() || 'no extension');
  return [
    ['truths', toShares(countBy(samples, nameKind), samples.length)],
    ...warnOfSeparators(samples),
    ['attachments', files.length === 0 ? 'none' : toShares(types, files.length)],
  ];
}

/** `299,792,458` is three elements for the rule, so that nobody who answers 299792458 is right. */
function warnOfSeparators(samples: readonly Sample[]): readonly Fact[] {
  const ids = samples.filter(({ target }) => target !== null && THOUSANDS.test(target)).map(({ id }) => id);
  if (ids.length === 0) return [];
  const why =
    'the official rule reads 299,792,458 as a list, so 299792458 is wrong. Write numbers without separators in';
  return [['thousands', `${why} ${listUp(ids)}`]];
}

const THOUSANDS = /(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])/;

function nameKind({ target }: Sample): string {
  return target === null ? 'hidden' : findKind(target);
}
