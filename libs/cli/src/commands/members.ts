import type { Verb } from '../command.ts';
import { list } from '../list.ts';
import { MEMBER_COLUMNS } from './people.ts';

/** Verbs of members. */
export const VERBS: readonly Verb[] = [
  list({
    ...{ summary: 'list the people of the project', columns: MEMBER_COLUMNS, example: 'members list' },
    call: (clew, query) => clew.members.list(query),
  }),
  {
    ...{ name: 'remove', summary: 'let a person into the project no more', args: '<person>' },
    ...{ destroys: 'a member of the project', example: 'members remove usr_1' },
    async run(context) {
      const clew = await context.client();
      await clew.members.remove(context.arg(0), { signal: context.signal });
      await context.output.note(`Removed ${context.arg(0)}`);
    },
  },
];
