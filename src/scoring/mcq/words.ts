import { anyOf, toPattern } from './patterns.ts';

/*
 * The words of every form, as sources for `toPattern`, for lowercased text. English is covered in
 * full. Of other languages only the words that models write around a label are covered.
 */

/** Nouns that announce the answer by themselves: "answer: B". */
export const ANSWER = anyOf(
  'answers?|ans|solution|final choice|exception|odd one out|verdict',
  '(?:false|incorrect|untrue|inaccurate) statement|antwort(?:en)?|lösung|r[ée]ponses?',
  'respuestas?|respostas?|risposta|risposte|ответ(?:ы|ом)?|đáp án|câu trả lời|jawaban(?:nya)?|cevap|yanıt',
  'odpowiedź|antwoord|svar(?:et)?|vastaus|απάντηση|उत्तर|जवाब|الإجابة|الجواب|إجابة|ה?תשובה|คำตอบ',
  'odpov[eě]ď|odgovor|r[ăa]spuns(?:ul)?|відповідь|jawapan|sagot|پاسخ|جواب|উত্তর',
);

/**
 * Nouns for one of the options: they announce the answer if an adjective for the right option is
 * beside them.
 */
export const OPTION = anyOf(
  'options?|choices?|alternatives?|selections?|letters?|statements?|items?|picks?|ones',
  'combination|responses?|вариант(?:ы|ов|ом)?|विकल्प|বিকল্প|گزینه|seçenek|şık|optionen|opci[oó]n(?:es)?|opç(?:ão|ões)|opzion[ei]|alternativas?',
);

/** Adjectives for the right option. */
export const RIGHT = anyOf(
  'correct|right|best|better|final|true|valid|accurate|appropriate|suitable|plausible',
  'likely|closest|nearest|chosen|selected|preferred|only|remaining|most|least|my|logical',
  'reasonable|relevant|fitting|proper|intended|single|possible|richtigen?|korrekten?',
  'верн[а-я]{1,3}|правильн[а-я]{1,3}|correctes?|bonnes?|correct[ao]s?|corrett[aeo]|giusta|corret[ao]s?|cert[ao]',
  'सही|সঠিক|doğru|správná|správna|poprawna|prawidłowa',
);

/** Words for the answer where no verb comes before the option: "उत्तर B है", "Cevap B'dir". */
export const ANSWER_WITHOUT_VERB = anyOf(
  '(?:верн|правильн)[а-я]{1,3} вариант|(?:(?:верн|правильн)[а-я]{1,3} )?ответ',
  '(?:सही )?(?:उत्तर|जवाब)|सही विकल्प|(?:সঠিক )?উত্তর|সঠিক বিকল্প',
  '(?:doğru )?(?:cevap|yanıt)|doğru (?:seçenek|şık)',
  '(?:پاسخ|جواب)(?: (?:صحیح|درست))?|گزینه (?:صحیح|درست)',
);

/** Verbs between "the answer" and the option. */
export const IS = anyOf(
  'is|are|was|were|(?:would|should|must|will)(?: most)?(?: likely| then| therefore)? be',
  'ha(?:s|ve) to be|(?:seem|appear)s to be|remains|includes?|being|ist|sind|lautet|wäre|est|sont',
  'serait|es|son|sería|é|são|seria|è|sono|sarebbe|adalah|là|هي|هو|jest|är|er|είναι|है|это|является|являются|คือ',
  'je|este|היא|הוא|হলো?|হচ্ছে|ay',
);

/** What Korean attaches to a word for "is". */
export const KOREAN_IS = '(?:입니다|이다|이에요|예요|이며|이고)';
/** What may follow an answer at the end of a sentence. */
export const ENDING = `(?:${KOREAN_IS}|です|である|となる|だ)?`;

/** Words between the verb and the option: "the answer is therefore option B". */
export const FILLER = anyOf(
  'therefore|thus|hence|clearly|indeed|definitely|probably|likely|most likely|most|then',
  'simply|actually|option|options|choice|choices|letter|letters|answer|statement|the|still',
  'both|indicated by|represented by|as follows|given by|a combination of|combination of',
  'a(?= [(]?[a-j][)]?[.!]?(?:\\n|$))|closest to|number|best|correct|right|only|just|all of|in fact|obviously',
  'also|now|again|perhaps|possibly|to|daher|donc|por tanto|a letra|letra|la lettre|die|wohl|вариант|विकल्प|বিকল্প',
  "la|l'option|a opção|la opción|l'opzione",
);

/** Verbs whose object is the chosen option. */
export const CHOOSE = anyOf(
  'cho(?:o?se|osing)|(?:select|pick)(?:ed|ing)?|go(?:ing)? (?:with|for)|opt for|settle on',
  'lean(?:ing)? towards?|(?:stick|conclude|answer) with',
  'answer(?= ?\\()|(?<=(?:the|gives|making|correct|right|best|final|our|my) )answer(?! (?:choic|option))',
  "(?<=(?:would|will|must|'d|'ll) )answer(?= [(\"]?[a-z\\d](?![a-z]))|say|guess|recommend",
  'correspond(?:s|ing)? to|matches',
  '(?:chang|revis)(?:e|ed|ing) (?:my|the) answer(?: from [^ \n]{1,9})? to|i meant',
  'mak(?:es|ing)(?= [("]?[a-z\\d][)"]? the (?:right|correct|best|only|most))|matching|supports|chọn',
  'match(?:es)? with|lea(?:ves|ving)(?: us with)?|left with',
  'narrow(?:s|ed)? (?:it |this )?down to|points? to|wähle|choisis|elijo|escolho|scelgo',
);

/** Phrases that say that an option is right: "is the most likely answer", "fits best". */
export const APPLIES = anyOf(
  '(?:(?<= )| )(?:вер(?:ен|на|но|ный)|правил(?:ен|ьн(?:а|о|ый))|सही है|সঠিক|(?:şıkkı |seçeneği )?doğru(?:dur)?|صحیح است|درست است)(?![\\p{L}\\p{M}])',
  `${anyOf('is|are|was|would be|seems?|appears?|looks?|remains?|sounds?|as|ist|sind|est|sont|es|é|è')}(?: to be)?(?: ${anyOf(
    'the|a|an|all|both|also|therefore|thus|more|most|only|one|indeed|clearly|likely|probably',
    'definitely|generally|die|la|le|o|a|il',
  )}){0,4} ${anyOf(
    'correct|right|best|better',
    `(?:${anyOf(
      'appropriate|likely|plausible|suitable|accurate|closest|logical|relevant|reasonable',
      'nearest|only|remaining|final|strongest|intended|fitting|recommended|preferred|indicated',
      'chosen|possible',
    )} )?(?:answers?|option|choice|one|fit|match)(?! (?:to|for|in|of) (?:an?|another|other) )`,
    'stronger(?= than \\(?[a-j]\\)?(?![a-z])|,? (?:because|since|as) | ?[.!]|$)|precise|specific|convincing',
    'closest|strongest|appropriate|plausible|likely|suitable|preferred|indicated|recommended',
    'false statement|incorrect statement|exception|richtig|korrekt|correcte?|correct[ao]',
    'corrett[ao]|cert[ao]|die richtige (?:antwort|option)',
    'la (?:bonne|respuesta|risposta)[^.\\n]{0,20}',
  )}(?![a-z])`,
  ' it is(?= ?[.!\\n])|(?:等)? ?(?:[两二三四五六七]?[个项者])?(?:选项|项)?(?:的?(?:说法|表述|内容))?(?:均|都|皆|全|也|才)?(?:是|为)?(?:(?:正确|对(?!应|于|方|象|比|称|此|其|该)|符合)(?![,，]?(?:故|因此)?不(?:当|应)?选)|当选)',
  '(?:选?项)?(?:错误|不正确|不对|不符合)[,，]?(?:故|因此)?应?当选',
  '(?:番|号)?(?:の選択肢)?[がは](?:最も)?(?:正解|正答|適切|適当|正しい|妥当|当てはまる|該当)|번?[이가] (?:정답|맞|옳|답)|번?뿐',
  `(?:all |both |alone )?(?:fits?|matches|satisf(?:y|ies)|applies|apply|works)(?: (?:best|both)| (?:all|the (?:description|criteria|condition|question))(?![a-z])|(?= ?[.,;!\\n]| (?:because|since|as|with|all|here|this|these)))(?![a-z])`,
);

export const AND = anyOf(
  ',? (?:and|und|et|y|e|и|as well as|also)(?![a-zа-я])|,|;|&|\\+|和|与|及|、|・|と|および|그리고|와|과',
);
export const OR = anyOf(',? (?:or|oder|ou|o)(?![a-z])', '/|或者?|还是');
export const NOT = "(?:not|never|neither|cannot|can't|isn't|aren't|n't|nicht|pas|no es|não|non|不)";

/** None of the options is right. */
export const NONE = anyOf(
  'none(?: (?:of(?! (?:the |these )?(?:other|remaining|rest))|are|is|apply|applies|fits?|matches)(?![a-z])[^.\\n]{0,60})?',
  'neither(?: of (?:them|these|the)[^.\\n]{0,40})?',
  'no(?:ne)? (?:correct |valid |suitable |right )?(?:answer|option|choice)s?[^.\\n]{0,40}',
  `(?:is |are )?not (?:explicitly |directly |actually )?${anyOf(
    'among|listed|in the|given|provided|available|present|included|one of|an option|shown|offered',
    'here|on the list',
  )}[^.\\n]{0,60}`,
  `${anyOf('do(?:es)?', 'did')}(?: not|n't) (?:exactly )?(?:match|fit|equal|appear (?:in|among)|correspond to|agree with) (?:any|one)(?: one)?(?: of)?(?: the| these)?(?: given| provided| listed| available| answer)?(?: options?| choices?| answers?)(?![a-z])`,
  '(?:keine der|aucune|ninguna|nenhuma|nessuna)[^.\\n]{0,40}|以上都不[^。\\n]{0,9}|都不(?:对|正确)',
);

/** Every option is right. */
export const ALL = anyOf(
  [
    'all(?: (?:four|five|three|six|ten))?(?: of)?(?: (?:them|these|those|the)(?![a-z]))?',
    '(?: (?:above|following|options|choices|answers|statements|listed))*',
    '(?: (?:is|are|apply)(?: all)? ?(?:correct|true|right|valid|appropriate)?)?',
  ].join(''),
  'every (?:option|choice|answer|statement)(?: is (?:correct|true))?',
  '以上(?:都|皆|全)[^。\\n]{0,4}|全部?都?(?:选|对|正确)|alle(?: der)?(?: genannten)?|toutes(?: ces réponses)?',
  'todas(?: las anteriores)?',
);

const CANNOT = anyOf(
  "cannot|can not|can't|could not|couldn't|unable to|not able to",
  '(?:not |im)possible to|difficult to|hard to',
);

/** "cannot be determined", "hard to know". */
export const UNDETERMINED = `${CANNOT} ${anyOf(
  'be |accurately |definitively |confidently |really |directly |reliably |conclusively ',
)}{0,2}${anyOf(
  'determined?|identif(?:y|ied)|calculated?|ascertain(?:ed)?|infer(?:red)?|know',
  'verif(?:y|ied)|solved?|conclude',
)}`;

/** The answer cannot be known. */
export const UNSURE = anyOf(
  UNDETERMINED,
  'insufficient (?:information|data|context)',
  'not (?:enough|sufficient) (?:info(?:rmation)?|data|context)',
  "(?:i|we) (?:do not|don't) (?:have|know) (?:enough|the answer|sufficient)[^.\\n]{0,40}",
  `(?:does not|doesn't|do not) (?:give|provide|contain|include|have|present|state) ${anyOf(
    'enough|sufficient|the (?:necessary|required|needed)|any|a (?:method|question)',
  )}`,
  `(?:context|text|passage|question|story|paragraph|information)(?: given| provided)? ${anyOf(
    "does not|doesn't",
  )} (?:specify|mention|say|state|tell|indicate|clarify|make clear)`,
  "(?:there is|there's) no way (?:to (?:know|tell)|of knowing|for)",
  "impossible to (?:tell|say|know|determine)|i don't know|i do not know",
  "i(?:'m| am) not (?:sure|certain)|unknown|无法(?:确定|判断|回答)",
);

/** Texts of options that say this. */
export const NONE_OPTION =
  /^(?:none|no(?:ne)? of (?:the|these)|neither|no (?:option|answer)|以上都不)/u;
export const UNSURE_OPTION = new RegExp(
  `^${anyOf(
    "(?:(?:it|this|the [a-z ]{1,40}?) )?can(?:not|'t| not) be (?:determined|known|answered|inferred)|not answerable",
    "(?:(?:i|we|one) )?can(?:not|'t| not) (?:answer|determine|tell|say|know)",
    '(?:there is )?(?:not enough|insufficient|more) info(?:rmation)?',
    'undetermined|unknown$|not known|(?:i )?do not know|(?:i )?don.t know|uncertain|unsure',
    'not sure|undecided|dk\\b',
  )}`,
  'u',
);
/** Texts of options that say that no answer is given. */
export const DECLINED_OPTION = new RegExp(
  `^${anyOf(
    '(?:don.t know|dk|unsure|no opinion)\\s?[/,(]{1,2}\\s?(?:refus|no |na\\b)|refus(?:ed|al|e to)|declin(?:ed|e to)',
    '(?:i )?(?:.d |would )?(?:rather|prefer) not|prefers? not|no (?:answer|opinion|response|comment)|not answered|abstain|skip(?:ped)?$|na$|dk/na',
    '拒绝|不愿|不回答|不作答|无意见|没有意见|無回答|わからない・無回答|ns ?/ ?nc|no contesta|prefiero no|prefiro não',
    'keine (?:angabe|antwort|meinung)|verweigert|sans (?:opinion|réponse)|ne se prononce pas|refus',
  )}`,
  'u',
);

const OPTIONS = anyOf(
  'above|following|options?|choices?|answers?|alternatives?|statements?|these|those|them|listed|given',
  'respuestas|opciones|alternativas|anteriores|mencionad[ao]s|ellas|r[ée]ponses?|propositions?',
  "ci-dessus|pr[ée]c[ée]dentes?|ce qui pr[ée]c[èe]de|d'entre elles|antworten?|optionen?|aussagen?",
  'm[öo]glichkeiten|davon|genannten|obigen|op[çc][õo]es|respostas|acima|risposte|opzioni|precedenti',
);
/** "of the", "de las", and what else may be between "none" and "options". */
const OF = anyOf(
  'of|the|these|those|your|provided|available|listed|answer|possible|three|four|five|six|de|des|das',
  'dos|destas|delle|dei|di|queste|der|dieser?|oben|la[s]?|los|les?|as|ces|estas|estos',
);
const EDGE = '[\\s"\'()\\[\\].,;:!-]{0,4}';
const TRUE = `(?: (?:is|are|all|apply|son|sont|sind|ist|são|sono|treffen)){0,2} ?${anyOf(
  'correct|right|true|valid|correct[ao]s|correctes|vraies|richtig|zu|corretas|corrette',
)}?`;

/** Texts that mean "none of the above". A bare "none" is left out, since it may mean a number. */
export const SAYS_NONE = toPattern(
  `^${EDGE}${anyOf(
    `(?:none|neither|ningun[ao]|aucune?|keine?[srn]?|nenhuma?|nessun[ao]?)(?: ${OF}){0,4}(?: ${OPTIONS}){1,3}`,
    'none (?:is|are) (?:correct|right|true)',
    `no(?: [a-z]+)? (?:correct|right|suitable|matching|valid) ${OPTIONS}`,
    'no (?:option|answer|choice|alternative)s?(?: [a-z]+)? (?:is|are) (?:correct|right|true|valid)',
    `not (?:listed|given|among(?: the)? ${OPTIONS})`,
    '以上(?:都|均|皆|全)?(?:不对|不是|不正确|错误|非|错)|(?:都|均)不(?:对|正确)|(?:无|没有)正确(?:的)?(?:选项|答案)',
  )}${TRUE}${EDGE}$`,
  'u',
);

/** Texts that mean "all of the above". */
export const SAYS_ALL = toPattern(
  `^${EDGE}${anyOf(
    `(?:all|tod[ao]s|toutes?|tout|alle[s]?|tutte)(?: ${OF}){0,4}(?: ${OPTIONS}){1,3}`,
    'every (?:single )?(?:option|choice|answer|statement|alternative)',
    '(?:they|these) are all|all(?= (?:are|apply))|everything(?: above)?(?= is)|todas(?= son)',
    '(?:以上|上述|所有)(?:选项|答案|说法)?(?:都|均|皆|全|全部)(?:对|是|正确)|全部正确',
  )}${TRUE}${EDGE}$`,
  'u',
);
