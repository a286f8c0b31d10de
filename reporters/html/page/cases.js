/**
 * What reporters/html/case-data.ts wrote.
 * @typedef {{ words: string[], rules: string[], questions: [string, [string, string][], string[]][], cases: any[][] }} Data
 *
 * One result as the page uses it; texts are null where they are hidden, unknown or not there.
 * @typedef {object} Case
 * @property {number} index
 * @property {string} id
 * @property {string} suite
 * @property {string} dataset
 * @property {string} agent
 * @property {string} group
 * @property {string} state
 * @property {string} reason
 * @property {number} trial
 * @property {number | null} latency
 * @property {number | null} cost
 * @property {[number, number] | null} tokens
 * @property {number | null} steps
 * @property {boolean} cached
 * @property {string | null} model
 * @property {number | null} onAnswer a bit for each rule that accepts the answer
 * @property {number | null} onOutput
 * @property {boolean} hidden
 * @property {[string, [string, string][], string[]] | null} question text, options, files
 * @property {string | null} expected
 * @property {string | null} received
 * @property {string | null} how
 * @property {string} why
 * @property {string | null} output
 * @property {string | null} confidence
 * @property {number | null} status
 * @property {string | any[] | null} trace the steps, or the file that has them
 */

/**
 * The cases by the order of the cells in case-data.ts.
 * @param {Data} data
 * @returns {Case[]}
 */
export function readCases({ words, questions, cases }) {
  const word = (/** @type {number | null | undefined} */ place) => (place == null ? null : (words[place] ?? ''));
  return cases.map((cells, index) => ({
    index,
    id: cells[0],
    suite: word(cells[1]) ?? '',
    dataset: word(cells[2]) ?? '',
    agent: word(cells[3]) ?? '',
    group: word(cells[4]) ?? '',
    state: word(cells[5]) ?? '',
    reason: word(cells[6]) ?? '',
    trial: cells[7],
    latency: cells[8],
    cost: cells[9],
    tokens: cells[10],
    steps: cells[11],
    cached: cells[12] === 1,
    model: word(cells[13]),
    onAnswer: cells[14],
    onOutput: cells[15],
    hidden: cells.length === 16,
    question: cells[16] == null ? null : (questions[cells[16]] ?? null),
    expected: cells[17] ?? null,
    received: cells[18] ?? null,
    how: word(cells[19]),
    why: cells[20] ?? '',
    output: cells[21] ?? null,
    confidence: cells[22] ?? null,
    status: cells[23] ?? null,
    trace: cells[24] ?? null,
  }));
}
