import type { ExpectationCheck } from '@clew/contracts';
import { isEverythingElse, namedTools, resolveAction, resolveChanges, type OfferedTools } from './actions.ts';
import { isConditional, type Clause } from './canonical.ts';
import type { Production } from './draft.ts';
import { ordersOf } from './orders.ts';
import { isPerson, PERSON, THEM } from './people.ts';
import { toolWords } from '../tool-words.ts';

const WITHOUT_FIRST =
  /^never (?<action>.+?) (?:without|before|until you have) (?:having )?(?:first )?(?<first>[a-z]+(?:ing|ed)\b.*)$/s;
/** Maximum number of alternative first steps; a sentence does not mean more. */
const MAX_ALTERNATIVES = 4;

/** Reads `Look up the order before cancelling it`, `identify the customer first`: `requires_first`. */
export const orderings: Production = (clause, offered) => {
  const without = WITHOUT_FIRST.exec(clause.text)?.groups;
  const orders = [
    ...(without === undefined ? [] : [{ first: without.first ?? '', action: without.action ?? '' }]),
    ...ordersOf(clause.text),
  ];
  const found = orders.flatMap(({ first, action }) => checkOf(first, action, offered));
  return found.length > 0 ? found.slice(0, 1) : startingCall(clause, offered);
};

function checkOf(first: string, action: string, offered: OfferedTools): ExpectationCheck[] {
  if (isConditional(first) || /\b(?:never|not)\b/.test(first)) return [];
  const steps = firstSteps(first, offered);
  if (steps === undefined) return [];
  const tools = isEverythingElse(action)
    ? ['*']
    : (resolveChanges(action, offered) ?? resolveAction(action, offered, steps.objects))?.tools;
  if (tools === undefined) return [];
  const guarded = tools.filter((tool) => !steps.tools.includes(tool));
  return guarded.length === 0 ? [] : [{ form: 'requires_first', tools: guarded, one_of: [...steps.tools] }];
}

/**
 * Finds the tools of a first step: those it names, else those that its words describe, else those that identify a
 * person.
 */
function firstSteps(
  first: string,
  offered: OfferedTools,
): { tools: readonly string[]; objects: readonly string[] } | undefined {
  const named = namedTools(first, offered);
  if (named.length > 0) return { tools: named, objects: [] };
  if (IDENTIFYING.test(first)) {
    const tools = identifyingTools(offered);
    return tools.length === 0 || tools.length > MAX_ALTERNATIVES ? undefined : { tools, objects: [] };
  }
  if (ASKS_SOMEBODY.test(first)) return undefined;
  const [head = ''] = first.split(/,? (?:and|with|using|by|in|from|through|via) /);
  const resolved = resolveAction(head, offered);
  const isFew = resolved !== undefined && resolved.tools.length <= MAX_ALTERNATIVES;
  return isFew ? { tools: resolved.tools, objects: resolved.objects } : undefined;
}

/** Asking a person for something is no call. */
const ASKS_SOMEBODY = new RegExp(`\\bask\\b|\\bwith (?:${THEM})\\b|\\b(?:may|might|could|can|wants?)\\b`);
const IDENTIFYING = new RegExp(
  `\\b(?:identify|identifying|authenticate|authenticating|verify(?:ing)? (?:the )?identity of|verify(?:ing)? who|log(?:ging)? in) (?:${THEM})\\b|\\b(?:verify|verifying|confirm|check|establish) (?:the |their |your )?(?:${PERSON}'s? )?identity\\b`,
);

function identifyingTools(offered: OfferedTools): string[] {
  const direct = offered.all.filter(({ name }) => {
    return toolWords(name).some((word) => /^(?:identity|identify|authenticate|authentication|auth|login)$/.test(word));
  });
  if (direct.length > 0) return direct.map(({ name }) => name);
  const finding = offered.all.filter(({ name }) => {
    const words = toolWords(name);
    const seeks = words.some((word) => /^(?:find|lookup|identify|locate|verify)$/.test(word));
    return seeks && words.some((word) => isPerson(word));
  });
  return finding.map(({ name }) => name);
}

const AT_THE_START =
  /^(?:at the (?:start|beginning) of (?:the|each|every|a) (?:conversation|chat|call|session)|start (?:the|each|every) (?:conversation|chat|call|session) (?:by|with)|start by|begin by|begin with),? (?<first>.+)$|^(?<head>.+?) (?:first|at the (?:start|beginning)(?: of (?:the|each|every|a) (?:conversation|chat|call|session))?)$/;

/** Reads a step at the start of the whole conversation; it counts only if it names a tool or identifies a person. */
function startingCall({ text }: Clause, offered: OfferedTools): ExpectationCheck[] {
  const groups = AT_THE_START.exec(text)?.groups;
  const first = groups?.first ?? groups?.head;
  if (first === undefined || isConditional(first) || /\b(?:never|not|before)\b/.test(first)) return [];
  const isFirstCall = /^(?:by )?(?:call|calling|use|using|run|running|invoke|invoking)\b/.test(first);
  if (!isFirstCall && !IDENTIFYING.test(first)) return [];
  const steps = firstSteps(first, offered);
  return steps === undefined ? [] : [{ form: 'requires_first', tools: ['*'], one_of: [...steps.tools] }];
}
