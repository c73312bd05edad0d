export { createDownloadWorker } from './download-worker.ts';
export { startEngine } from './engine-process.ts';
export { createEngineWorker } from './engine-worker.ts';
export { createServiceWorker } from './service-worker.ts';
