import { answerQuestions } from '@clew/runtime/thread';
import { answerOf, type SnapshotQuestion } from './read-snapshot.ts';

answerQuestions(({ json, question }: SnapshotQuestion) => answerOf(json, question));
