import { type Claim, labelsClaim, labelsOf, type Reading } from './tokens.ts';
import { wholeAt } from './values.ts';

const CALL =
  /(?<=(?:^|\n)[ \t]{0,9}(?:(?:final )?action(?: \d{1,2})?: ?)?)(?:finish|answer|submit|final_?answer|submit_?answer|choose|select)[[(]([^\])\n]{1,300})[\])];?(?=\s{0,9}(?:\n|$))/giu;
const PRINTED =
  /(?<=(?:^|\n)[ \t]{0,20})(?:return|print|console\.log|echo|puts)[ (]{1,3}(["'])([^"'\n]{1,9})\1\)?;?(?=[\s}]{0,9}$)/u;
/** Of very many, only the last ones count. */
const MOST_CALLS = 100;

/** `Finish[B]`, `submit("B")`, and `print("B")` at the end of code. */
export function calls(reading: Reading): readonly Claim[] {
  const { text, question } = reading;
  const found = [...text.matchAll(CALL)]
    .slice(-MOST_CALLS)
    .flatMap(({ 0: call, 1: said = '', index }) => {
      const start = index + call.search(/[[(]/u) + 1;
      const claim = wholeAt(reading, start, start + said.length);
      return claim !== null && labelsOf(claim).length > 0 ? claim : [];
    });
  const printed = PRINTED.exec(text);
  const label = question.labels.find(printed?.[2] ?? '');
  if (printed === null || label === null || label !== printed[2]) return found;
  return [...found, labelsClaim([label], printed.index, printed.index + printed[0].length)];
}
