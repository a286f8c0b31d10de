import { defineEval } from 'viva';
import { readInstructions, toLooseForms } from './instructions.ts';

await defineEval('ifeval', {
  data: './made-up.jsonl',
  map: ({ key, prompt, ...metadata }) => {
    const { length } = readInstructions(metadata);
    return {
      id: key,
      input: prompt,
      group: `${length} instruction${length === 1 ? '' : 's'}`,
      metadata,
    };
  },
  prompt: '{{question}}',
  agent: 'replay:./predictions.jsonl',
  score: ({ answer, sample }) => {
    const instructions = readInstructions(sample.metadata);
    const broken = instructions.filter(({ follows }) => !follows(answer));
    const forms = toLooseForms(answer);
    const loose =
      instructions.filter(({ follows }) => forms.some(follows)).length / instructions.length;
    return {
      state: broken.length === 0 ? 'correct' : 'incorrect',
      explanation:
        broken.length === 0
          ? 'follows all of them'
          : `breaks ${broken.map(({ id }) => id).join(', ')}`,
      scores: {
        'instructions, strict': 1 - broken.length / instructions.length,
        'instructions, loose': loose,
      },
    };
  },
});
