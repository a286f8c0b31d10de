export { calibrateJudge } from './calibrate-judge.ts';
export { compareLabels } from './compare-labels.ts';
export { listLabels, writeSample } from './sample-answers.ts';
