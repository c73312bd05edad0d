export { SecretEnvelope, type SecretPlace } from './envelope.ts';
export { createSecretBox, SecretUnreadableError, type SecretBox, type SecretBoxOptions } from './secret-box.ts';
