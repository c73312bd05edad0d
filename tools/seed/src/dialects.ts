// The package of the encoders also holds test fixtures and loads Jest with them; only its dialects can be loaded here.
// eslint-disable-next-line @nx/enforce-module-boundaries
export {
  encodeConversation,
  type ContentMode,
  type Dialect,
  type EncodedSpan,
  type ScriptedConversation,
} from '../../../libs/testing/src/dialects/index.ts';
