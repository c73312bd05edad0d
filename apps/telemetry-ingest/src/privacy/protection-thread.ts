import { answerProtectionQuestions } from '@clew/privacy';

answerProtectionQuestions();
