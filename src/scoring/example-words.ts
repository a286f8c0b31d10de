/*
 * Sources of patterns for "for example", in any case. A space is one space, " ?" one or none.
 */

/** Between letters of other words they mean nothing. */
export const EXAMPLE_WORDS = [
  'for (?:example|instance)|e\\. ?g\\.?|such as',
  'zum beispiel|z\\. ?b\\.|beispielsweise|par exemple|p\\. ?ex\\.|por ejemplo|p\\. ?ej\\.|por exemplo|ad esempio|per esempio',
  'bijvoorbeeld|bijv\\.|till exempel|t\\. ?ex\\.|(?:for|til) eksempel|esimerkiksi|na przykład|np\\.|například|например|наприклад',
  'για παράδειγμα|π\\. ?χ\\.|örneğin|misalnya|contohnya|sebagai contoh|ví dụ|chẳng hạn',
  'למשל|לדוגמה|مثلا|على سبيل المثال|उदाहरण के लिए|ตัวอย่างเช่น',
].join('|');

/** They need no space before them. */
export const ASIAN_EXAMPLE_WORDS = '例如|比如|譬如|示例|举例|舉例|例えば|たとえば|예를 들어|예컨대';
