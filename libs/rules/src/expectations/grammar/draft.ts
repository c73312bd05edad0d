import type { ExpectationCheck } from '@clew/contracts';
import type { OfferedTools } from './actions.ts';
import type { Clause } from './canonical.ts';

/** A part of the grammar: what a clause says in its forms; nothing where it does not say it for sure. */
export type Production = (clause: Clause, offered: OfferedTools) => readonly ExpectationCheck[];
