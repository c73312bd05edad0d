import { answerQuestions } from '@clew/runtime/thread';
import { checkedQuotes } from './check-quotes.ts';

answerQuestions(checkedQuotes);
