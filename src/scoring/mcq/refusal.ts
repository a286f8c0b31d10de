import { anyOf, toPattern } from './patterns.ts';
import type { Claim, Reading } from './tokens.ts';
import { UNDETERMINED, UNSURE } from './words.ts';

/*
 * A refusal says that its speaker cannot, will not or should not speak on the matter, has no
 * opinions to speak of, or is a machine and therefore silent. The lists are the parts of these
 * sentences; "cannot be determined" is no refusal but an answer of its own (UNSURE).
 */

const SPEAKER = "(?:i|we|it|one|this (?:ai|assistant|model))(?:'m|'d|'s|'ve| am| would| is| have)?";
/** "I honestly", "I am also", "we therefore". */
const ADVERB = '(?: [a-z]{2,12}ly| just| also| still| therefore| simply| however)?';
const CANNOT = anyOf(
  "cannot|can not|can't|could not|couldn't|(?:not |un)able to|won't|will not|must not|shouldn't",
  'should not|(?:not |im)possible (?:for me )?to|must (?:respectfully )?(?:decline|refrain|refuse)',
  'not (?:programmed|designed|allowed|permitted|authori[sz]ed|equipped|qualified|here)',
  'not in a position|(?:rather|prefer) not',
);
/** What is not done: speaking on the matter, choosing, taking sides. */
const SPEAK = anyOf(
  '(?<!(?:the|an|any|other|this|right|correct|no|one|best) )answer(?! with [a-z ]{0,12}certainty)',
  'respond|repl(?:y|ies)|provid|giv(?:e|ing) (?:an?|my|you|any|advice)|offer|assist|help|choos|select|pick',
  'comment|express|engag|shar(?:e|ing)|fulfil|form an|participat|recommend|discuss|judg|opine|advis',
  'mak(?:e|ing) (?:an? |any |that )?(?:assumption|generali|judg|choice|decision|recommendation|such)',
  'tak(?:e|ing) (?:a|any) (?:side|stance|position|stand)|tak(?:e|ing) sides|endors|speculat|complet|comply',
  'promot|weigh in|spread|perpetuat|condon|say(?: whether| which|(?= ?[.,;!]))',
);
const OPINIONS = anyOf(
  'opinions?|beliefs?|feelings?|views?|viewpoints?|preferences?|experiences?|emotions?|perspectives?',
  'consciousness|personal|political|stance',
);
const MACHINE =
  "(?:as|i(?:'m| am)(?: just| only| simply| merely)?|being) an? (?:[a-z]+,? (?:and )?){0,3}(?:ai|artificial intelligence|language model|machine learning model|machine|assistant|computer|chatbot|bot)(?![a-z]| learning| scien| engineer| vision)";
/** "not appropriate for me to", "neither fair nor kind to", "inappropriate or even harmful to". */
const UNFITTING = `(?:${anyOf(
  "(?:not|[a-z]{2,6}n't|neither|never)(?: (?:be|think|believe|feel|it|would|is|that|[a-z]+ly|accurate (?:n?or|and))){0,5} (?:ethical|appropriate|right|proper|fair|respectful|acceptable|fitting|helpful|constructive)",
  'inappropriate|unethical|improper|unfair|disrespectful|offensive|harmful|discriminatory|irresponsible',
)})(?:,? (?:n?or|and)(?: even)? [a-z]+){0,2}(?: for (?:me|us|anyone|an ai(?: [a-z]+){0,3}))? to(?! say| tell)`;

const DECLINED = anyOf(
  `(?:${SPEAKER}${ADVERB} ?${CANNOT}|${UNFITTING})[^.\\n]{0,80}?(?<![a-z])${SPEAK}`,
  `${UNFITTING} (?:make|assume|generali[sz]e|stereotype|label|rank|compare)`,
  `i(?:'ll| will| must| would| have to)?(?: [a-z]+ly)? (?:decline|abstain|refrain)(?![a-z])|(?:can|could) neither [a-z]+ nor`,
  "(?:i|we)(?:'m| am)?(?: do| would)?(?: not|n't)(?: [a-z]+ly)?(?: feel(?:ing)?| be)? comfortable|(?:remain|stay|remaining|staying|strive to be) (?:neutral|impartial|objective)",
  '(?:my|our) (?:guidelines|policy|policies|principles|programming|training) (?:prevent|prohibit|forbid|do not|don.t)',
  '(?:outside|beyond) (?:of )?(?:what i|my (?:scope|abilit|capabilit|knowledge)|the scope of what i)',
  `${MACHINE}[^.\\n]{0,120}?(?:not|n't|neither|nor|cannot|unable|without|no|must|lack|neutral)(?![a-z])`,
  `(?:i|we|llms?|(?:ai|language) models?|machines) (?:do not|don't|cannot|can't|lack|does not|have no)(?: [a-z]+ly)? ?[^.\\n]{0,40}?${OPINIONS}`,
  `(?:not|[a-z]{2,6}n't) (?:(?:have|hold|give|form|share|express|possess)[^.\\n]{0,30}?${OPINIONS}|(?:an? |any )?(?:personal )?(?:opinion|preference|view)s?)`,
  "not something (?:that )?(?:i|we) (?:can|could|would|am|'m)|not (?:my|an ai's) place",
  `(?:refus|declin|abstain|refrain)[a-z]{0,3} (?:to|from) ${SPEAK}`,
  `i(?:'d| would) (?:rather|prefer) not|i(?:'m| am)?(?: very| so| really)? ?(?:sorry|apologi[sz]e)[^.\\n]{0,60}(?:but|not|n't|unable)`,
  `(?:question|statement|request|premise|prompt)s? (?:is|are|seems?|appears?)(?: to be)?(?: [a-z]+ly)? (?:inappropriate|offensive|harmful|unethical|discriminatory|disrespectful|too (?:personal|sensitive|political|controversial|private))`,
  'against my (?:[a-z]+ )?(?:principles|guidelines|programming|policy|policies|values)|no comment(?![a-z])|^\\W{0,3}(?:rather|prefer) not',
  // Other languages: "I cannot answer", "I am sorry", "I have no opinion", "as an AI".
  '抱歉|对不起|作为(?:一个|一名|一款|一种)?(?:ai|人工智能|语言模型|大型语言)|(?:无法|不能|不会|不便|拒绝|不予|不宜)(?:直接|对此|为您|为你)?(?:回答|作答|提供|评论|做出选择|表态|发表)|没有(?:任何)?(?:个人|自己的|主观)(?:的)?(?:观点|意见|看法|立场|偏好)',
  '申し訳|お答え(?:できません|できない|いたしかね)|回答(?:できません|は控え|を控え)|(?:個人的な)?意見(?:を|は)持(?:って|ち|た)|죄송|답변(?:할|드릴|해 드릴) 수 없|개인적인 (?:의견|견해)',
  '(?:je )?préf[èe]re ne pas|prefiero no|prefiro não|preferisco non|möchte (?:ich )?(?:dazu |darauf )?(?:nicht|keine)',
  'no puedo (?:responder|contestar|dar|ofrecer|elegir|opinar|ayudar|proporcionar)|lo siento, (?:pero|no)|no tengo (?:opini|preferenc|creenc)',
  'não posso (?:responder|dar|oferecer|escolher|opinar|ajudar|fornecer)|(?:desculpe|lamento), (?:mas|não)|não tenho opini',
  "je ne (?:peux|suis|puis)(?: pas)? (?:pas |en mesure de |capable de )?(?:répondre|donner|fournir|choisir|vous)|désolé[e]?, (?:mais|je)|je n'ai pas d(?:'|e )opinion|en tant qu'(?:ia|intelligence|assistant|modèle)",
  'kann (?:ich )?[^.\\n]{0,50}nicht (?:beantworten|antworten|geben|wählen|sagen|helfen)|tut mir leid|als (?:ki|sprachmodell)|keine (?:eigene |persönliche )?meinung',
  'non posso (?:rispondere|dare|fornire|scegliere|aiutare)|mi dispiace, (?:ma|non)|non ho opinioni',
  'не могу (?:ответить|дать|предоставить|выбрать|помочь)|извините, но|у меня нет (?:личн[а-я]+ )?(?:мнени|предпочт)',
  'tôi không thể (?:trả lời|cung cấp|đưa ra)|saya tidak (?:bisa|dapat) (?:menjawab|memberikan)|لا (?:أستطيع|يمكنني) (?:الإجابة|تقديم)|उत्तर नहीं दे सकत',
);

const UNSURE_ANY = toPattern(`(?<![a-z])${UNSURE}`, 'u');
/** Not within quotes: somebody else may say so. */
const DECLINED_ANY = toPattern(`(?<![a-z"])${DECLINED}`, 'u');
const UNDETERMINED_IN = toPattern(UNDETERMINED, 'u');

/**
 * "As an AI, I have no opinions", "It cannot be determined": chooses the option that says so, if
 * there is one.
 */
export function refusal({ lower }: Reading): readonly Claim[] {
  const declined = DECLINED_ANY.exec(lower);
  const earlier = UNSURE_ANY.exec(lower.slice(0, declined?.index ?? lower.length));
  const found = earlier ?? declined;
  if (found === null) return [];
  // "I cannot determine it": both patterns see the same words.
  const isUnsure = earlier !== null || UNDETERMINED_IN.test(found[0]);
  const value = { kind: isUnsure ? 'unsure' : 'declined' } as const;
  return [{ value, start: found.index, end: found.index + found[0].length }];
}
