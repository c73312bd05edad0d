import { stemOf } from '../stems.ts';
import { toolWords } from '../tool-words.ts';

/** Groups of verbs that people use for the same action; the first word of a tool's name is often one of them. */
const VERB_GROUPS: readonly string[] = [
  'cancel void terminate revoke abort',
  'delete remove erase drop discard clear wipe clean purge',
  'create add open register make start file submit log set new generate raise',
  'update change modify edit adjust switch correct set replace upgrade downgrade move amend revise add remove swap rename alter apply convert shift bring push',
  'book reserve schedule purchase buy order place arrange',
  'reschedule move change shift postpone bring push',
  'send issue email mail dispatch forward provide offer give grant credit',
  'refund reimburse return credit money',
  'return refund send exchange',
  'exchange swap replace switch change return',
  'transfer send move wire pay escalate connect hand forward',
  'pay charge bill debit settle transfer',
  'close end finish terminate resolve',
  'submit send file place hand enter apply',
  'place order submit put',
  'apply use redeem add',
  'reset restart change renew',
  'restart reboot reset bounce',
  'reboot restart reset',
  'run execute perform do start launch carry',
  'execute run perform do carry',
  'deploy release ship roll publish push',
  'merge combine join unify consolidate',
  'grant give add allow assign',
  'assign give set transfer',
  'block freeze lock stop suspend disable',
  'suspend pause stop deactivate freeze block disable',
  'enable activate turn switch start',
  'disable deactivate turn switch stop',
  'issue give send grant credit create offer provide',
  'write save create change edit update put replace',
  'post publish put share write',
  'scale increase decrease add set change',
  'rollback roll revert undo back',
  'unlock open release free',
  'charge bill debit put',
  'notify tell inform message contact write alert',
  'withdraw cancel take pull retract',
  'approve accept grant release',
];

const GROUP_OF = new Map<string, string[]>();
for (const group of VERB_GROUPS) {
  const words = group.split(' ');
  const [verb = ''] = words;
  GROUP_OF.set(verb, [...(GROUP_OF.get(verb) ?? []), ...words]);
}

/** Stems of the words for a tool's action: its verb and the synonyms; all words of the name if no verb is known. */
export function actionStems(toolName: string): string[] {
  const words = toolWords(toolName);
  const verbs = words.flatMap((word) => GROUP_OF.get(word) ?? []);
  return (verbs.length > 0 ? verbs : words).map(stemOf);
}
