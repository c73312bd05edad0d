// Reads large records, one after the other, until it is told that there are no more. It loads neither stores nor servers,
// which would take a thread longer than most records do.
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
