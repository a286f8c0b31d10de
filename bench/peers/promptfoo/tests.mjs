import { readFileSync } from 'node:fs';

const records = JSON.parse(readFileSync('records.json', 'utf8'));

export default function tests() {
  return records.map(({ question, truth }) => ({
    vars: { question },
    assert: [{ type: 'equals', value: truth }],
  }));
}
