/*
 * Sources of patterns for words around an answer that is not the model's own: an example of the
 * prompt, or a question that the model invents after its answer. For any case. A space is one space,
 * " ?" one or none.
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

/** What heads a question, or the turn of the one who asks, before a colon, a number or a line. */
export const QUESTION_WORDS = [
  'questions?|problem|exercise|task|puzzle|riddle|query|quiz|q|human|user|student',
  'frage|aufgabe|übung|problème|exercice|énoncé|pregunta|problema|ejercicio|pergunta|questão|exercício',
  'domanda|quesito|esercizio|vraag|opgave|opdracht|fråga|uppgift|spørgsmål|spørsmål|oppgave|kysymys|tehtävä',
  'pytanie|zadanie|otázka|úloha|întrebare|întrebarea|kérdés|feladat|pitanje|zadatak',
  'вопрос|задача|задание|питання|запитання|завдання|въпрос|питање|ερώτηση|πρόβλημα|άσκηση',
  'soru|sual|savol|сұрақ|soal|soalan|pertanyaan|câu hỏi|bài toán|bài tập|tanong|swali',
  'سؤال|السؤال|مسألة|پرسش|سوال|שאלה|प्रश्न|सवाल|প্রশ্ন|கேள்வி|ప్రశ్న|คำถาม|โจทย์',
  '问题|問題|质询|题目|題目|试题|試題|例题|例題|问|問|设问|設問|質問|질문|문제|문항',
  'benutzer|nutzer|utilisateur|usuario|usuário|utente|gebruiker|пользователь|用户|用戶|ユーザー|사용자|người dùng|pengguna',
  // These have other meanings without a number.
  '(?:câu|bài|ข้อ|ข้อที่|pregunta n[º°.]|nr\\.?|№)(?= ?\\d)',
].join('|');

/** What begins a question that nothing heads: "Which of", "Combien de". */
export const ASKING_WORDS = [
  'what|which|who|whose|how (?:many|much|long|far|old)|when|where',
  'welche[rsmn]?|wer|wo|wann|wie (?:viele?|lange?|weit|alt)|quel(?:le)?s?|qui|combien|où|quand|que signifie',
  '¿[^?\\n]{0,60}|qu[ée]|cuál(?:es)?|cuánt[ao]s?|quién|dónde|cuándo|qual|quais|quant[aoie]s?|quem|onde|quando|quale|quali|dove',
  'welke?|wat|wie|hoeveel|waar|wanneer|vilken|vilket|vilka|hur många|który|która|które|ile|kto|gdzie|kiedy',
  'как(?:ой|ая|ое|ие|ова)|сколько|кто|где|когда|что|ποι[αοό]ς?|πόσ[αεο][ις]?|hangi|kaç|nerede',
  'berapa|siapa|di mana|kapan|bao nhiêu|ai là',
].join('|');
