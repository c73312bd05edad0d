import { ggufFile } from './gguf.ts';
import { syntheticBytes, type HubRepo } from './repository.ts';

const LLAMA = {
  'general.architecture': 'llama',
  'llama.context_length': 2_048,
  'llama.block_count': 2,
  'llama.embedding_length': 64,
  'llama.attention.head_count': 4,
  'llama.attention.head_count_kv': 2,
};

/** Chat model in several quantizations, one of them incomplete. */
export const CHAT_REPO: HubRepo = {
  id: 'acme/tiny-chat-GGUF',
  pipelineTag: 'text-generation',
  tags: ['gguf', 'en', 'conversational'],
  license: 'apache-2.0',
  downloads: 500,
  likes: 5,
  lastModified: '2025-03-01T00:00:00.000Z',
  files: {
    'README.md': '# Tiny',
    'tiny-chat.Q4_K_M.gguf': ggufFile(LLAMA, syntheticBytes(20_000, 'q4')),
    'tiny-chat.Q8_0.gguf': ggufFile(LLAMA, syntheticBytes(40_000, 'q8')),
    'tiny-chat.F16-00001-of-00002.gguf': ggufFile(LLAMA, syntheticBytes(40_000, 'f16a')),
    'tiny-chat.F16-00002-of-00002.gguf': syntheticBytes(30_000, 'f16b'),
    'tiny-chat.Q2_K-00001-of-00002.gguf': syntheticBytes(10_000, 'incomplete'),
    'mmproj-tiny.gguf': syntheticBytes(2_000, 'projector'),
  },
};

/** Embedding model as safetensors, beside files that no engine here runs. */
export const EMBEDDING_REPO: HubRepo = {
  id: 'acme/tiny-embed',
  pipelineTag: 'feature-extraction',
  tags: ['gguf', 'safetensors'],
  downloads: 900,
  likes: 1,
  lastModified: '2025-02-01T00:00:00.000Z',
  parameters: { BF16: 1_000, F32: 10 },
  files: {
    'config.json': JSON.stringify({
      ...{ max_position_embeddings: 512, num_hidden_layers: 2, num_attention_heads: 4, hidden_size: 64 },
    }),
    'tokenizer.json': '{}',
    'model-00001-of-00001.safetensors': syntheticBytes(5_000, 'weights'),
    'consolidated.safetensors': syntheticBytes(5_000, 'the same again'),
    'onnx/model.onnx': syntheticBytes(3_000, 'onnx'),
  },
};

/** Speech model for CTranslate2. */
export const SPEECH_REPO: HubRepo = {
  id: 'acme/tiny-whisper',
  pipelineTag: 'automatic-speech-recognition',
  tags: ['audio'],
  library: 'ctranslate2',
  downloads: 100,
  likes: 70,
  lastModified: '2025-01-01T00:00:00.000Z',
  files: {
    'model.bin': syntheticBytes(6_000, 'ct2'),
    'config.json': '{}',
    'vocabulary.txt': 'a\nb',
    'tokenizer.json': '{}',
  },
};

/** Chat model that only one token gives access to. */
export const GATED_REPO: HubRepo = {
  ...CHAT_REPO,
  id: 'acme/secret-chat',
  gated: 'manual',
  tokens: ['hf_with_access'],
  downloads: 50,
};
