export { freePort, isPortTaken } from './ports.ts';
export { printedBy } from './printed.ts';
export { reapLeftProcesses } from './reap.ts';
export { createProcessRecords, markOf, type ProcessRecord, type ProcessRecords } from './records.ts';
