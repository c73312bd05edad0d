import { parentPort, workerData } from 'node:worker_threads';
import { answerOf, type Question } from './read-snapshot.ts';

const { json, question } = workerData as { json: Uint8Array; question: Question };

parentPort?.postMessage(answerOf(json, question));
