import { FormData } from 'undici';
import { z } from 'zod';
import type { EngineName, TrialPath } from '@clew/contracts';
import { AppError, type ErrorDetail } from '@clew/kernel';

const AUDIO_PATH: TrialPath = '/v1/audio/transcriptions';

/** File in a trial that is sent as JSON. */
const TrialFile = z.strictObject({
  filename: z.string().min(1).max(255),
  contentType: z
    .string()
    .regex(/^[\w.+-]+\/[\w.+-]+(?:; ?[\w.+-]+=[\w.+-]+)*$/)
    .default('application/octet-stream'),
  base64: z.base64(),
});

const FormValue = z.union([z.string(), z.number(), z.boolean()]);
const FormMember = z.union([TrialFile, FormValue, z.array(z.union([TrialFile, FormValue])).max(50)]);
const FormBody = z.record(z.string().min(1).max(200), FormMember);

/** Checks the path and the content type against the model's engine; any other combination is a mistake in the trial. */
export function requirePath(path: TrialPath, contentType: string, engine: EngineName): void {
  const servesAudio = engine === 'faster-whisper';
  if ((path === AUDIO_PATH) !== servesAudio) refuse('path', `is not served by ${engine}, which the profile runs on`);
  const wanted = path === AUDIO_PATH ? 'multipart/form-data' : 'application/json';
  if (contentType !== wanted) refuse('contentType', `must be ${wanted} for this path`);
}

/** Requires the model to be the one under trial. */
export function requireModel(model: unknown, modelId: string, path: string): void {
  if (model !== `self/${modelId}`) refuse(path, `must be self/${modelId}`);
}

/** Native form that a JSON trial describes. */
export function formOf(body: Readonly<Record<string, unknown>>, model: string): FormData {
  const parsed = FormBody.safeParse(body);
  if (!parsed.success) {
    throw invalidFields(
      parsed.error.issues.map(({ path, message }) => ({
        path: ['body', 'body', ...path.map(String)].join('.'),
        message,
      })),
    );
  }
  const form = new FormData();
  for (const [name, member] of Object.entries({ ...parsed.data, model })) {
    for (const value of Array.isArray(member) ? member : [member]) append(form, name, value);
  }
  return form;
}

function append(form: FormData, name: string, value: z.infer<typeof TrialFile> | z.infer<typeof FormValue>): void {
  if (typeof value !== 'object') form.append(name, String(value));
  else {
    const bytes = Buffer.from(value.base64, 'base64');
    form.append(name, new Blob([bytes], { type: value.contentType }), value.filename);
  }
}

function refuse(field: string, message: string): never {
  throw invalidFields([{ path: `body.${field}`, message }]);
}

function invalidFields(details: readonly ErrorDetail[]): AppError {
  const [first] = details;
  const message =
    details.length === 1 && first !== undefined
      ? `${first.path}: ${first.message}`
      : `${details.length} fields are not valid`;
  return new AppError('VALIDATION_FAILED', message, { details });
}
