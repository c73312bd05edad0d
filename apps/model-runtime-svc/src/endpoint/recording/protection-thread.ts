import { createProtectMessage } from '@clew/privacy';
import { answerQuestions } from '@clew/runtime/thread';

answerQuestions(createProtectMessage(), { transferOf: ({ buffer }) => [buffer] });
