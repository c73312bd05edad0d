import { isEverythingElse, resolveAction, resolveChanges, type OfferedTools } from './actions.ts';
import { isConditional } from './canonical.ts';
import type { Production } from './draft.ts';
import { ordersOf } from './orders.ts';
import { PERSON, THEIR, THEM } from './people.ts';

const ADJECTIVE =
  '(?:explicit|clear|verbal|written|final|prior|direct|express|affirmative|informed|user|customer|client)';
const AGREEMENT = `(?:(?:an?|the|${THEIR}) )?(?:${ADJECTIVE}(?:,? (?:and )?))*(?:confirmation|consent|approval|permission|agreement|goahead|authori[sz]ation|ok|okay|«\\d»|yes|sign-off)`;
const GETTING =
  '(?:get|getting|obtain|obtaining|receive|receiving|ask(?:ing)?(?: the \\w+)? for|request|requesting|require|requires|requiring|need|needs|wait(?:ing)? for|await|seek|secure|have|having|with)';

/** Phrases with which prompts ask for the agreement of the person the agent talks to. */
const ASKS_AGREEMENT: readonly RegExp[] = [
  new RegExp(`\\b${GETTING} ${AGREEMENT}\\b`),
  new RegExp(
    `\\b${GETTING} (?:the )?${PERSON}(?:'s?)? (?:explicit(?:ly)? )?(?:to (?:confirm|agree|approve)|${AGREEMENT})`,
  ),
  new RegExp(`\\b(?:ask|have|let|get|wait for) (?:${THEM}) (?:to )?(?:explicitly )?(?:confirm|agree|approve)\\b`),
  new RegExp(
    `\\bconfirm (?:(?:it|this|that|everything|the (?:action|change|request|[a-z ]{0,20}?details|summary)s?) )?with (?:${THEM})\\b`,
  ),
  new RegExp(`\\b(?:make sure|ensure)(?: that)? (?:${THEM}) (?:has |have )?(?:explicitly )?(?:confirm|agree|approve)`),
  new RegExp(`^ask(?: (?:${THEM}))?(?: first)?$`),
  new RegExp(
    `\\bask (?:(?:${THEM}) )?(?:if|whether) (?:they|he|she) (?:agrees?|approves?|(?:want|wish)(?:es)? to proceed|(?:is|are) (?:ok|okay|happy|fine))`,
  ),
];
const SOMEBODY_ELSE =
  '(?:(?:line |team |shift |duty )?managers?|supervisors?|admins?|administrators?|team leads?|doctors?|physicians?|nurses?|pharmacists?|attorneys?|lawyers?|human agents?|compliance|approvers?|boss|director|owner)';
const WORD_OF =
  '(?:approval|approve|approves|approved|consent|permission|confirmation|confirm|confirms|confirmed|agreement|authori[sz]ation|sign-off|goahead)';
/** Other people who may have to agree, and other things that can be confirmed. */
const SOMETHING_ELSE = new RegExp(
  `\\b${SOMEBODY_ELSE}(?:'s?)? (?:(?:has|have|must|to|written|explicit|prior) )*${WORD_OF}\\b|\\b${WORD_OF} (?:from|of|by|with) (?:(?:the|an?|your|their) )?${SOMEBODY_ELSE}\\b|\\b${WORD_OF} (?:from|of|by) (?!(?:${THEM})\\b)|\\bidentity\\b`,
);

/** Phrases such as `No confirmation is needed before ...`, `the customer may ask for approval before ...`. */
const NOT_ASKED = /\b(?:not|no|never|without|may|might|could|can|wants?)\b/;

const AGREED = `(?:(?:${THEM}) (?:has |have |had )?(?:explicitly |clearly )?(?:confirm|confirms|confirmed|agree|agrees|agreed|approve|approves|approved|consented|consents|said yes|says yes|accepted|accepts)(?: (?:to )?(?:it|this|that|them))?)`;
const WITHOUT_AGREEMENT = new RegExp(
  `^never (?<action>.+?) (?:without(?: first)?(?: (?:${GETTING}))? (?:${AGREEMENT}|(?:the )?${PERSON}(?:'s?)? ${AGREEMENT}|(?:asking|confirming with)(?: (?:${THEM}))?(?: first)?)(?: (?:from|of) (?:${THEM}))?|(?:until|unless|before) ${AGREED})$`,
);
const REQUIRES_AGREEMENT = new RegExp(
  `^(?<action>.+?) (?:always )?(?:requires?|needs?) (?:${AGREEMENT}|(?:the )?${PERSON}(?:'s?)? ${AGREEMENT})(?: (?:from|of|by) (?:${THEM}))?$`,
);
const MUST_BE_CONFIRMED = new RegExp(
  `^(?<action>.+?) (?:must|should|has to|have to|needs to|need to) be (?:explicitly )?(?:confirmed|approved|agreed) (?:to )?(?:by|with) (?:${THEM})(?: first| beforehand| before .*)?$`,
);
const MUST_NOT_BE_DONE = new RegExp(
  `^(?<object>.+?) (?:must|should|may|can) (?:not|never) be (?<verb>[a-z]+ed) (?:before|until|unless|without) (?:${AGREED}|${AGREEMENT}|(?:the )?${PERSON}(?:'s?)? ${AGREEMENT})(?: to .*)?$`,
);
const ONLY_AFTER = new RegExp(`^(?:only )?(?<action>.+?) (?:only )?(?:after|once) ${AGREED}(?: .{0,40})?$`);

/**
 * Reads `Before cancelling an order, get the customer's explicit confirmation` and its many variants: `confirm_before`.
 */
export const confirmations: Production = ({ text }, offered) => {
  if (SOMETHING_ELSE.test(text)) return [];
  const direct = directOf(text);
  const phrases = [...actionsBefore(text), ...(direct === undefined ? [] : [direct])];
  for (const phrase of phrases) {
    const tools = resolveGuarded(phrase, offered);
    if (tools !== undefined) return [{ form: 'confirm_before', tools: [...tools] }];
  }
  return [];
};

/** Finds the actions that need the agreement first, if the rest of the clause asks for agreement. */
function actionsBefore(text: string): string[] {
  return ordersOf(text).flatMap(({ first, action }) => {
    return !isConditional(first) && !NOT_ASKED.test(first) && ASKS_AGREEMENT.some((pattern) => pattern.test(first))
      ? [action]
      : [];
  });
}

function directOf(text: string): string | undefined {
  for (const pattern of [WITHOUT_AGREEMENT, REQUIRES_AGREEMENT, MUST_BE_CONFIRMED, ONLY_AFTER]) {
    const action = pattern.exec(text)?.groups?.action;
    if (action !== undefined && !isConditional(action)) return action;
  }
  const passive = MUST_NOT_BE_DONE.exec(text)?.groups;
  if (passive?.object !== undefined && !isConditional(passive.object)) return `${passive.verb ?? ''} ${passive.object}`;
  return undefined;
}

function resolveGuarded(phrase: string, offered: OfferedTools): readonly string[] | undefined {
  const bare = phrase.replace(/,$/, '').trim();
  if (isEverythingElse(bare)) return undefined;
  return (resolveChanges(bare, offered) ?? resolveAction(bare, offered))?.tools;
}
