/** Mongoose query or aggregate. */
interface Explainable {
  explain(verbosity: 'queryPlanner'): PromiseLike<unknown>;
}

/** Stages that read every document, sort in memory, or prove nothing because the collection does not exist. */
const REFUSED_STAGES = ['COLLSCAN', 'SORT', 'EOF'];

/**
 * Returns the stages of the plan that the database chooses for a query, outermost first. Rejects if the query reads a
 * whole collection or sorts in memory.
 */
export async function explainUsesIndex(query: Explainable): Promise<string[]> {
  const explanation = await query.explain('queryPlanner');
  const stages = winningPlansOf(explanation).flatMap(stagesOf);
  const refused = stages.filter((stage) => REFUSED_STAGES.includes(stage));
  if (stages.length === 0 || refused.length > 0) {
    throw new Error(`The query is not answered by an index alone: ${stages.join(' <- ') || 'no plan'}`);
  }
  return stages;
}

function winningPlansOf(value: unknown): unknown[] {
  return childrenOf(value).flatMap(([name, child]) => (name === 'winningPlan' ? [child] : winningPlansOf(child)));
}

function stagesOf(plan: unknown): string[] {
  const own = childrenOf(plan).flatMap(([name, child]) =>
    name === 'stage' && typeof child === 'string' ? [child] : [],
  );
  // The slot-based engine reports its own stages beside the plan; only the plan counts.
  const inner = childrenOf(plan).flatMap(([name, child]) => (name === 'slotBasedPlan' ? [] : stagesOf(child)));
  return [...own, ...inner];
}

function childrenOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
