// Reads large records one after the other, until `undefined` arrives. It imports neither stores nor servers, because
// loading them would take longer than most records do.
import { parentPort } from 'node:worker_threads';
import { draftRecord } from './draft-record.ts';
import type { LargeRecordQuestion } from './large-records.ts';
import { readRecord } from './read-record.ts';

parentPort?.on('message', (question: LargeRecordQuestion) => {
  if (question === undefined) {
    parentPort?.close();
    return;
  }
  const { record, options } = question;
  const read = readRecord(record.line, record.text, record.form);
  parentPort?.postMessage('reason' in read ? read : draftRecord(read, options));
});
