import type { ConversationSnapshot } from '@clew/contracts';
import { oncePer } from '../conversation/once-per.ts';
import { argumentsKey } from '../conversation/tool-exchanges.ts';
import { PASSING_CLASSES } from '../errors/tool-error.ts';
import { viewOf, type ViewedCall } from '../view/conversation-view.ts';

/** Call that a tool refused, and that was made again with the same arguments and refused for the same reason. */
export interface RefusedAgain {
  /** All calls of the group, in order; two or more. */
  readonly calls: readonly [ViewedCall, ViewedCall, ...ViewedCall[]];
}

/**
 * Groups of identical refused calls, by each of their calls: one root that several Rules could report, and that only
 * one reports. A change that succeeded in between may have been meant to repair the cause, so it begins a new group.
 */
export const refusedAgainOf: (snapshot: ConversationSnapshot) => ReadonlyMap<ViewedCall, RefusedAgain> =
  oncePer(groupsOf);

/** Errors of these calls: what they led to later in the conversation has the same root. */
export const errorsRefusedAgain: (snapshot: ConversationSnapshot) => ReadonlySet<string | undefined> = oncePer(
  (snapshot) => new Set([...refusedAgainOf(snapshot).keys()].map(({ error }) => error?.text)),
);

function groupsOf(snapshot: ConversationSnapshot): Map<ViewedCall, RefusedAgain> {
  const found = new Map<ViewedCall, RefusedAgain>();
  let open = new Map<string, ViewedCall[]>();
  const close = (): void => {
    for (const calls of open.values()) {
      const [first, second, ...others] = calls;
      if (first === undefined || second === undefined) continue;
      const group: RefusedAgain = { calls: [first, second, ...others] };
      for (const call of calls) found.set(call, group);
    }
    open = new Map();
  };
  for (const call of viewOf(snapshot).calls) {
    const { error, result, character } = call;
    if (error === undefined) {
      if (result !== undefined && character.changes) close();
      continue;
    }
    if (PASSING_CLASSES.has(error.errorClass)) continue;
    const key = `${call.toolName}(${argumentsKey(call.call)}) ${error.text}`;
    const group = open.get(key);
    if (group === undefined) open.set(key, [call]);
    else group.push(call);
  }
  close();
  return found;
}
