import type { ConversationMessage } from '@clew/contracts';
import { sentencesOf, type Sentence } from '../text/sentences.ts';
import { oncePer } from './once-per.ts';

/** Sentences of a message that contain words (`sentencesOf`). */
export const messageSentences = oncePer((message: ConversationMessage): readonly Sentence[] =>
  sentencesOf(message.content),
);
