import { sha256Hex } from '@clew/kernel';
import { MAX_ATTACHMENT_TEXT } from './limits.ts';
import { boundedValue, canonicalText, isRecord, wellFormed, type JsonRecord } from './values.ts';

const DIGEST_PREFIX = 'sha256:';
const DATA_URL = /^data:([\w.+/-]*)[^,]{0,100},/;

/**
 * Returns a part that is not text, unchanged except that long texts (the bytes of an image) are replaced by their
 * digest.
 */
export function attachmentOf(part: JsonRecord): Record<string, unknown> {
  const bounded = withDigests(boundedValue(part));
  return isRecord(bounded) ? bounded : { type: 'unknown', text: bounded };
}

function withDigests(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_ATTACHMENT_TEXT ? digest(value) : wellFormed(value);
  if (Array.isArray(value)) return value.map(withDigests);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withDigests(item)]));
}

/** Computes the digest of a text, the same with and without a data URL prefix. */
function digest(text: string): string {
  return `${DIGEST_PREFIX}${sha256Hex(text.replace(DATA_URL, ''))}`;
}

/**
 * Identity of an attachment in any dialect: its modality, and the digest of its bytes or its address. An image gives
 * the same identity as a data URL, as a blob and as an address, whatever the field names.
 */
export function attachmentIdentity(attachment: JsonRecord): string {
  const source = sourceOf(attachment);
  if (source === undefined) return canonicalText(attachment);
  const isAddress = /^(https?|gs|s3|file):/.test(source) || source.startsWith(DIGEST_PREFIX);
  const reference = isAddress || isFileId(attachment) ? source : digest(source);
  return canonicalText([modalityOf(attachment, source), reference]);
}

const SOURCE_KEYS = [
  'content',
  'data',
  'uri',
  'url',
  'image',
  'image_url',
  'input_audio',
  'audio',
  'file',
  'source',
  'bytes',
  'inline_data',
  'inlineData',
  'fileUri',
  'file_uri',
  'file_data',
  'file_id',
  'fileId',
  'message_content.image.image.url',
] as const;

function sourceOf(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (!isRecord(value) || depth > 4) return undefined;
  for (const key of SOURCE_KEYS) {
    const found = sourceOf(value[key], depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isFileId(attachment: JsonRecord): boolean {
  return typeof (attachment.file_id ?? attachment.fileId) === 'string';
}

function modalityOf(attachment: JsonRecord, source: string): string {
  const hints = [
    attachment.modality,
    attachment.mime_type,
    attachment.mimeType,
    attachment.mediaType,
    attachment.media_type,
    DATA_URL.exec(source)?.[1],
    attachment.type,
    canonicalText(attachment).slice(0, 200),
  ];
  for (const hint of hints) {
    const known = typeof hint === 'string' ? /image|audio|video/.exec(hint)?.[0] : undefined;
    if (known !== undefined) return known;
  }
  return 'file';
}
