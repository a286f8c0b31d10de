import { describe, expect, it } from 'vitest';
import { removeMarkup } from './markup.ts';
import { track } from './tracked-text.ts';

describe('removeMarkup', () => {
  it.each([
    // Tokens of templates.
    ['B<|im_end|>', 'B'],
    ['<s>B</s>', 'B'],
    ['A<eos>B', 'A B'],
    ['[INST]Which?[/INST]B', 'Which? B'],
    ['a <|b or c|d|>', 'a <|b or c|d|>'],
    // HTML.
    ['A<br>B<br/>C<br />D', 'A\nB\nC\nD'],
    ['<p>A</p><h2>B</h2>', '\nA\n\nB\n'],
    ['<b>B</b> <span class="choice">C</span>', 'B C'],
    ['5 <b 3', '5 <b 3'],
    ['A&nbsp;B &amp; C &lt;&gt; &quot;D&quot; it&#39;s &copy;', 'A B & C <> "D" it\'s &copy;'],
    // Check boxes.
    ['[x] B\n[ ] C\n[] D', '- ✓ B\n- ✗ C\n- ✗ D'],
    ['  - [X] B\n* [✓]C\n+ [ ] D', '- ✓ B\n- ✓C\n- ✗ D'],
    ['A [x] B [ ] C', 'A - ✓ B - ✗ C'],
    ['f[x] is B', 'f[x] is B'],
    ['§ [x] B', '§ - ✓ B'],
    ['[x]\nB', '[x]\nB'],
    // What is struck out.
    ['~~B. Rhine~~ C ~5~', 'C ~5~'],
    // LaTeX.
    ['\\text{B} and \\mathrm {C} and \\textbf{12 m}', 'B and C and 12 m'],
    ['\\(B\\) \\[C\\]', 'B C'],
    ['5\\quad 6\\qquad7\\!8', '5 6 7 8'],
    ['\\displaystyle B\\quadrant', 'B\\quadrant'],
    ['50\\% of \\$5 \\& \\#1, \\{x\\} a\\_b', '50% of $5 & #1, {x} a_b'],
    ['$x$ costs $5', 'x costs $5'],
    // Markdown.
    ['**B** `C`', 'B C'],
    ['_B_ __C__ ___D___', 'B C D'],
    ['_(B)_ and _C._', '(B) and C.'],
    ['snake_case_name _ x_{2} α_1', 'snake_case_name _ x_{2} α_1'],
    ['_é_ _5_', 'é 5'],
    ['## B\n   ###### C\n#hashtag\nC # 5', 'B\nC\n#hashtag\nC # 5'],
    ['> B\n  >C\nx > y', 'B\nC\nx > y'],
    // Blanks.
    ['A  B\t\tC\tD\r\nE\u000bF', 'A B C D\nE F'],
    [' A \n B ', 'A\nB'],
    // Boxes stay marked.
    ['\\boxed{B}', '\u{E000}B\u{E001}'],
    ['\\fbox {\\text{C}} and \\boxed{x_{2}}', '\u{E000}C\u{E001} and \u{E000}x_{2}\u{E001}'],
    ['\\boxed{B', '\\boxed{B'],
    ['\\boxed{\\fbox{B}} \\boxed{C}', '\u{E000}B\u{E001} \u{E000}C\u{E001}'],
    [`\\boxed{${'x'.repeat(398)}y}`, `\u{E000}${'x'.repeat(398)}y\u{E001}`],
    [`\\boxed{${'x'.repeat(399)}y}`, `\\boxed{${'x'.repeat(399)}y}`],
  ])('%j becomes %j', (text, bare) => {
    expect(removeMarkup(track(text)).text).toBe(bare);
  });
});
