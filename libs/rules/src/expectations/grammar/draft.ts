import type { ExpectationCheck } from '@clew/contracts';
import type { OfferedTools } from './actions.ts';
import type { Clause } from './canonical.ts';

/** Part of the grammar: returns the checks that a clause expresses in its forms; none if the clause is not certain. */
export type Production = (clause: Clause, offered: OfferedTools) => readonly ExpectationCheck[];
