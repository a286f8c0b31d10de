import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({
  claim: Annotation<string>,
  amount: Annotation<number>,
  decision: Annotation<string>,
});

/** Reads a claim, then decides it. Call your model in the nodes. */
const claims = new StateGraph(State)
  .addNode('read', ({ claim }) => ({ amount: Number(/(\d+) euros/.exec(claim)?.[1] ?? 0) }))
  .addNode('decide', ({ amount }) => ({ decision: amount > 500 ? 'review' : 'pay' }))
  .addEdge(START, 'read')
  .addEdge('read', 'decide')
  .addEdge('decide', END)
  .compile();

/** The decision on a claim, and the nodes that it went through. */
export async function decideClaim(claim: string) {
  const path: string[] = [];
  let decision = '';
  for await (const update of await claims.stream({ claim }, { streamMode: 'updates' })) {
    path.push(...Object.keys(update));
    decision = update.decide?.decision ?? decision;
  }
  return { decision, path };
}
