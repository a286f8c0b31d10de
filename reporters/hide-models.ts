import type { ComparedRun } from '../src/compare/read-run.ts';
import { findAskedModel } from './asked-model.ts';

/** A run to be compared where gated records must not be shown: of its models, the ones that were asked for are named. */
export function hideModels(run: ComparedRun): ComparedRun {
  const sides = run.sides.map((side) => {
    if (side.dataset === 'sample') return side;
    return { ...side, results: side.results.map((result) => ({ ...result, model: findAskedModel(result) })) };
  });
  return { ...run, sides };
}
