/** What a place in an output says about the answer. */
export type ClaimValue =
  | { readonly kind: 'labels'; readonly labels: readonly string[] }
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'refusal'; readonly sort: 'unsure' | 'declined' }
  /** "A or B". */
  | { readonly kind: 'hedge'; readonly labels: readonly string[] }
  /** A label followed by the text of another option. */
  | { readonly kind: 'mismatch'; readonly labels: readonly string[] }
  /** An answer field that was left empty. */
  | { readonly kind: 'nothing' };

export type Claim = {
  readonly value: ClaimValue;
  /** Position in the cleaned text. */
  readonly start: number;
  readonly end: number;
  /** Whether an option was named by its label, told by its text, or picked from a list of verdicts. */
  readonly by: 'label' | 'text' | 'list';
  /** Position in the raw output, where it is known better than from `start` and `end`. */
  readonly span?: readonly [number, number];
};

export function isSingle(claim: Claim): boolean {
  return claim.value.kind === 'labels' && claim.value.labels.length === 1;
}
