export { provisionMongo, provisionRabbit } from './handles.ts';
export type { MongoHandle, RabbitHandle, ServerHandle } from './handles.ts';
export type { ProvisionOptions } from './provision/context.ts';
export { NODE_ARGUMENTS } from './stack/environment.ts';
export { readStackFile } from './stack/stack-file.ts';
export type { StackFile } from './stack/stack-file.ts';
export { withTemporaryStack, type TemporaryStack } from './temporary-stack.ts';
export { startBeside, type ProcessBeside } from './stack/beside.ts';
export { findFreePort } from './system/ports.ts';
