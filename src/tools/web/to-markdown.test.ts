import { describe, expect, test } from 'vitest';
import { toMarkdown } from './to-markdown.ts';

/** The rows of the only table on the page. */
function rowsOf(table: string): readonly string[] {
  return toMarkdown(table)
    .split('\n')
    .filter((line) => !line.startsWith('| ---'));
}

describe('in a table', () => {
  test.each([
    ['lines stay apart', '<tr><td>1990<br>Paris</td></tr>', ['| 1990 / Paris |']],
    [
      'a cell over rows is in each',
      '<tr><td rowspan=2>R</td><td>1</td></tr><tr><td>2</td></tr>',
      ['| R | 1 |', '| R | 2 |'],
    ],
    [
      'a cell over columns is in each',
      '<tr><th>a</th><th colspan=2>b</th></tr><tr><td>1</td><td>2</td><td>3</td></tr>',
      ['| a | b | b |', '| 1 | 2 | 3 |'],
    ],
    [
      'a title over the whole width is there once',
      '<tr><td colspan=2>t</td></tr><tr><td>1</td><td>2</td></tr>',
      ['| t |  |', '| 1 | 2 |'],
    ],
    [
      'rows and cells need no end',
      '<tr><th>a<th>b<tbody><tr><td>1<td>2<tr><td>3<td>4',
      ['| a | b |', '| 1 | 2 |', '| 3 | 4 |'],
    ],
    [
      'bars, links and pictures leave their text',
      '<tr><td>a|b</td><td><a href="/x">l</a> <img src=i alt="cat"></td></tr>',
      ['| a\\|b | l [image: cat] |'],
    ],
    [
      'what is raised is marked',
      '<tr><td>10<sup>23</sup></td><td><s>9</s> 8</td></tr>',
      ['| 10^23 | ~~9~~ 8 |'],
    ],
    [
      'words keep their marks, lists do not',
      '<tr><td><b>a</b><td><ul><li>b<li><code>c</code></ul>',
      ['| **a** | b / `c` |'],
    ],
    [
      'a caption comes before it',
      '<caption>Years</caption><tr><td>1</td></tr>',
      ['Years', '', '| 1 |'],
    ],
  ])('%s', (_, rows, lines) => {
    expect(rowsOf(`<table>${rows}</table>`)).toEqual(lines);
  });

  test('other tables and headings make it a layout, whose parts follow one another', () => {
    const inner = '<table><tr><td>1</td><td>2</td></tr></table>';
    const html = `<table><tr><td><h1>T</h1><p>text</p></td><td>${inner}</td></tr><tr><td>key</td><td>value</td></tr></table>`;
    expect(rowsOf(html)).toEqual(['# T', '', 'text', '', '| 1 | 2 |', '', 'key', '', 'value']);
  });
});

test.each([
  ['<msup><mi>x</mi><mn>2</mn></msup>', 'x^2'],
  ['<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>', '((a+b)/2)'],
  ['<mfrac><mn>1</mn><mn>2</mn></mfrac><mi>x</mi>', '(1/2)x'],
  [
    '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>',
    '∑_(i=1)^n',
  ],
  [
    '<semantics><msup><mi>x</mi><mn>2</mn></msup><annotation>{\\displaystyle x^{2}}</annotation></semantics>',
    'x^{2}',
  ],
  ['<mroot><mi>y</mi><mn>3</mn></mroot>', 'root(3, y)'],
  ['<mi>x</mi>\n<mtext> if </mtext>\n<mi>y</mi>', 'x if y'],
  [
    '<mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable><mo>)</mo>',
    '(1, 2; 3, 4)',
  ],
])('the formula %s reads %s', (math, text) => {
  const image = '<img class="mwe-math-fallback-image-inline" alt="{\\displaystyle 7}">';
  expect(toMarkdown(`<p><math>${math}</math>${image}</p>`)).toBe(text);
});

test.each([
  ['<details><summary>More</summary>text</details>', 'More\n\ntext'],
  [
    '<fieldset><legend>Sex</legend><label>male</label><label>female</label></fieldset>',
    'Sex\n\nmale\n\nfemale',
  ],
  ['<ol start="5"><li>a</li><li>b</li></ol>', '5. a\n6. b'],
  ['x<ul><li>a<p>b</p></li><li><ul><li>c</ul></ul>y', 'x\n\n* a\n\n  b\n* * c\n\ny'],
  ['<p> a\n<b> b </b>c<i></i></p><div>d<br>e<br><br><br>f</div>', 'a **b** c\n\nd\ne\n\nf'],
  ['<blockquote><p>a</p>b</blockquote><blockquote></blockquote>', '> a\n> \n> b'],
  ['<pre><code>a\n  b</code></pre><code>c</code>', '```\na\n  b\n```\n\n`c`'],
  ['<pre>\na <b>x</b>10<sup>23</sup><br>  b </pre>', 'a x10^23\n  b'],
  ['<pre><span></span><code>a <i>b</i>\n\n\n c</code></pre>', '```\na b\n\n\n c\n```'],
  ['<ul><li>a<ol><li>b</li></ol> c</li>\n<li>d</li></ul>', '* a\n  1. b\n  c\n* d'],
  ['5&nbsp;%&nbsp;&nbsp;a', '5 % a'],
  ['<pre><code><div>a</div><div>b</div></code></pre>', '```\na\nb\n```'],
  ['<pre><div>a</div>b<p>c</p>d</pre>', 'a\nb\nc\nd'],
  ['<p><span class="katex"><span class="katex-html">x2</span></span></p>', 'x2'],
  [
    '<p><math><semantics><mi>x</mi><annotation encoding="text/plain">y</annotation><annotation encoding="application/x-tex">z</annotation></semantics></math></p>',
    'z',
  ],
  ['<pre><code>```\na\n```</code></pre>', '````\n```\na\n```\n````'],
  ['<p>Let <script type="math/tex">x^2</script> be</p>', 'Let x^2 be'],
  [
    '<p>Drawn <span class="MathJax">7</span>, written <script type="math/tex">x^2</script></p>',
    'Drawn 7, written x^2',
  ],
  [
    '<p><span class="MathJax"><nobr aria-hidden="true">7</nobr><span class="MJX_Assistive_MathML"><math><mi>x</mi></math></span></span></p>',
    'x',
  ],
  ['<p>Run <code>a`b</code></p>', 'Run ``a`b``'],
  [
    '<p><span class="MathJax_Preview">7</span><span class="MathJax">7</span><script type="math/tex">x^2</script></p>',
    'x^2',
  ],
  [
    '<p><span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class="katex-html">x2</span></span></p>',
    'x^2',
  ],
  [
    '<p><mjx-container class="MathJax"><mjx-math>7</mjx-math><math alttext="x^2"><mi>x</mi></math></mjx-container></p>',
    'x^2',
  ],
  [
    '<p><math><semantics><mi>x</mi><annotation encoding="MathType">AA</annotation><annotation encoding="TeX">x_1</annotation></semantics></math></p>',
    'x_1',
  ],
  [
    '<p><math><semantics><mi>x</mi><annotation-xml><mi>y</mi></annotation-xml></semantics></math></p>',
    'x',
  ],
  [
    'a<nav>b</nav><script>c</script><svg><text>d</text></svg><template>e</template><!-- f -->g',
    'ag',
  ],
  ['<table><tr><td></table><constructor>a</constructor>', 'a'],
  ['10<sup>23</sup>', '10^23'],
  ['H<sub>2</sub>O', 'H_2O'],
  ['said so<sup><a href="#n">[1]</a></sup>', 'said so[1]'],
])('%s reads %j', (html, text) => {
  expect(toMarkdown(html)).toBe(text);
});
