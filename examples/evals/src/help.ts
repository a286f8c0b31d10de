const ARTICLES = {
  returns: 'A parcel can be sent back within 30 days. The label is free.',
  customs: 'Parcels from outside the union need a form CN22 of customs up to 300 euros.',
  lost: 'A parcel that has not moved for 10 days is lost, and paid for up to 500 euros.',
};

type ArticleId = keyof typeof ARTICLES;

/** The ids of the articles of the help centre that share most words with a question, the best first. */
export function retrieve(question: string, count = 1): ArticleId[] {
  const words = (text: string) => new Set(text.toLowerCase().match(/[a-z0-9]{4,}/g));
  const asked = words(question);
  const shared = (id: ArticleId) => words(ARTICLES[id]).intersection(asked).size;
  const ids = Object.keys(ARTICLES) as ArticleId[];
  return ids.toSorted((a, b) => shared(b) - shared(a)).slice(0, count);
}

/** Answers a question with an article of the help centre. Call your model here. */
export async function answerFromHelp(
  question: string,
): Promise<{ text: string; source: ArticleId }> {
  const [source = 'returns'] = retrieve(question);
  return { text: ARTICLES[source], source };
}
