import { extname } from 'node:path';
import { findKind } from '../../scoring/gaia/rules/official.ts';
import type { Sample } from '../../types.ts';
import { countBy, type Fact, toShares } from './facts.ts';

/** What is to be said of GAIA's samples: how answers will be compared, and which files come with the questions. */
export function gaiaFacts(samples: readonly Sample[]): readonly Fact[] {
  const files = samples.flatMap(({ attachments }) => attachments);
  const types = countBy(files, ({ name }) => extname(name).toLowerCase() || 'no extension');
  return [
    ['truths', toShares(countBy(samples, nameKind), samples.length)],
    ['attachments', files.length === 0 ? 'none' : toShares(types, files.length)],
  ];
}

function nameKind({ target }: Sample): string {
  return target === null ? 'hidden' : findKind(target);
}
