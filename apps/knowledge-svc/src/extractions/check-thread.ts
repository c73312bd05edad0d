import { parentPort, workerData } from 'node:worker_threads';
import { checkedQuotes, type QuoteCheck } from './check-quotes.ts';

parentPort?.postMessage(checkedQuotes(workerData as QuoteCheck));
