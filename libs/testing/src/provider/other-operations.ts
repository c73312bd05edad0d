import { createHash } from 'node:crypto';

const DIMENSIONS = 8;

export type EmbedText = (text: string, model: string) => readonly number[] | undefined;

/** Builds embeddings: the same text always has the same vector; in base64 if requested, as by the official client. */
export function embeddingsBody(request: unknown, embed: EmbedText = vectorOf): unknown {
  const { input, model, encoding_format: format } = request as Record<string, unknown>;
  const texts = (Array.isArray(input) ? input : [input]).map((text) => String(text));
  const vectors = texts.map((text) => embed(text, String(model)));
  if (vectors.includes(undefined)) return undefined;
  const data = vectors.map((vector = [], index) => {
    const embedding = format === 'base64' ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector;
    return { object: 'embedding', index, embedding };
  });
  const usage = { prompt_tokens: texts.length, total_tokens: texts.length };
  return { object: 'list', data, model, usage };
}

function vectorOf(text: string): number[] {
  const bytes = createHash('sha256').update(text).digest();
  return Array.from({ length: DIMENSIONS }, (_, index) => bytes.readUInt8(index) / 255);
}

/** Describes the received recording, so that a test sees that it arrived complete. */
export async function transcriptionBody(bytes: Buffer, contentType: string): Promise<unknown> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
  const file = form.get('file') as File;
  const sha256 = createHash('sha256')
    .update(Buffer.from(await file.arrayBuffer()))
    .digest('hex');
  return { text: `${file.name} ${file.size} ${sha256}`, model: form.get('model') };
}
