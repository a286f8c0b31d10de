import { readFileSync } from 'node:fs';

const records = JSON.parse(readFileSync('records.json', 'utf8'));
const answers = new Map(records.map(({ question, answer }) => [question, answer]));

export default class Instant {
  id() {
    return 'instant';
  }

  async callApi(prompt) {
    return { output: answers.get(prompt) };
  }
}
