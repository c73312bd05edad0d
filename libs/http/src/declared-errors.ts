import { passesOnAnswers, statusesOf, type RouteSpec } from '@clew/contracts';
import { AppError } from '@clew/kernel';

/** Runs the work for a request; an error whose status its route does not declare becomes an internal error. */
export async function withDeclaredErrors<Result>(spec: RouteSpec, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || passesOnAnswers(spec) || statusesOf(spec).has(error.status)) throw error;
    throw new Error(`${spec.operationId} does not declare ${error.status} (${error.code})`, { cause: error });
  }
}
