import type { ConversationMessage } from '@clew/contracts';
import type { Sentence } from '../../text/sentences.ts';

/** Statement of an agent that contradicts a tool's result. */
export interface Contradiction {
  readonly signal:
    | 'number_differs'
    | 'count_differs'
    | 'extreme_differs'
    | 'amount_moved_differs'
    | 'flag_count_differs'
    | 'list_not_read_to_end'
    | 'part_taken_for_whole';
  readonly message: ConversationMessage;
  readonly sentence: Sentence;
  readonly said: string;
  /** Subject of the statement, or the tool. */
  readonly label: string;
  /** Value in the result. */
  readonly found: string;
  readonly result: ConversationMessage;
}
