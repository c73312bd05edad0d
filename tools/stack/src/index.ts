export { provisionMongo, provisionRabbit } from './provision/handles.ts';
export type { MongoHandle, RabbitHandle, ServerHandle } from './provision/handles.ts';
export type { ProvisionOptions } from './provision/context.ts';
export { readStackFile } from './stack/stack-file.ts';
export type { StackFile } from './stack/stack-file.ts';
