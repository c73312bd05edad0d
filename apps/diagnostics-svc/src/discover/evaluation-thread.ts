import { parentPort, workerData } from 'node:worker_threads';
import { getSnapshot } from '@clew/contracts';
import { readJson } from '@clew/kernel';
import { evaluateSnapshot } from './evaluate-snapshot.ts';
import type { EvaluationTask } from './evaluation.ts';

const { snapshotJson, rules } = workerData as EvaluationTask;
const snapshot = getSnapshot.responses[200].parse(readJson(new TextDecoder().decode(snapshotJson)));
parentPort?.postMessage(evaluateSnapshot(snapshot, rules));
