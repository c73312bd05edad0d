export { SecretEnvelope, type SecretPlace } from './envelope.ts';
export {
  createSecretBox,
  secretBoxOf,
  SecretUnreadableError,
  type SecretBox,
  type SecretBoxOptions,
} from './secret-box.ts';
