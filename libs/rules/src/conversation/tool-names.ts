const READING = words(
  'get search list find lookup look fetch read query check calculate compute think view describe retrieve show browse ' +
    'verify validate count open scan inspect estimate track select load download analyze analyse ask',
);
const CHANGING = words(
  'update create book cancel send delete refund pay charge issue submit schedule reschedule set add remove modify ' +
    'change write deploy restart apply post put patch insert order reserve transfer assign close save edit register ' +
    'activate deactivate reset rollback scale merge push publish upload execute run replace grant revoke approve ' +
    'exchange return swap switch move rename enable disable toggle suspend resume pause stop start block unblock renew ' +
    'extend subscribe unsubscribe enroll invite assign reassign rebook redeem withdraw deposit purchase checkout',
);
const NOTIFYING = words('email mail notify notification message sms note log comment think thought plan reason');
const HANDING_OVER = words('transfer escalate escalation handoff handover human callback');
const ANSWERING = words('respond reply answer finish terminate say speak');
const ADDRESSING = words('ask message tell send end close');
const USER_SIDE = words('user customer caller guest conversation call chat session');
const REPEATING = words('poll wait progress sleep watch scroll swipe press step next forward roll draw flip');

/** Character of a tool, as far as its name tells. */
export interface ToolCharacter {
  /** Only looks something up. */
  readonly reads: boolean;
  /** Changes something; a later read is no substitute for it. */
  readonly changes: boolean;
  /** Only notifies or thinks; no substitute for the action itself. */
  readonly notifies: boolean;
  /** Hands the case to a person or another agent. */
  readonly handsOver: boolean;
  /** Speaks to the user or ends the conversation itself. */
  readonly answers: boolean;
  /** Is meant to be called repeatedly: it waits for something, or advances one step. */
  readonly repeats: boolean;
}

/** Derives the character of a tool from the words of its name (`update_order`, `updateOrder`, `orders.update`). */
export function toolCharacter(toolName: string): ToolCharacter {
  const parts = nameWords(toolName);
  const verb = parts.find((part) => READING.has(part) || CHANGING.has(part));
  const some = (vocabulary: ReadonlySet<string>): boolean => parts.some((part) => vocabulary.has(part));
  return {
    reads: verb !== undefined && READING.has(verb),
    changes: verb !== undefined && CHANGING.has(verb),
    notifies: some(NOTIFYING),
    handsOver: some(HANDING_OVER),
    answers: some(ANSWERING) || (some(ADDRESSING) && some(USER_SIDE)),
    repeats: some(REPEATING),
  };
}

/** Splits a tool's name into its words, in lower case. */
export function nameWords(toolName: string): string[] {
  return toolName
    .slice(0, 200)
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((part) => part !== '');
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
