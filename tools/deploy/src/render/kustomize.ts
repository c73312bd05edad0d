import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { overlayFolder, type Overlay } from '../policy/rendered.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/** The text of an overlay, by the kustomize that `KUSTOMIZE` names, or the one on PATH. */
export async function render(overlay: Overlay): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.env['KUSTOMIZE'] ?? 'kustomize',
    ['build', overlayFolder(overlay)],
    {
      maxBuffer: MAX_BYTES,
    },
  );
  return stdout;
}
