import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { overlayFolder, type Overlay } from '../policy/rendered.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/** Rendered text of an overlay, by the kustomize that `KUSTOMIZE` names, or the one on PATH. */
export function render(overlay: Overlay): Promise<string> {
  return renderFolder(overlayFolder(overlay));
}

/** Rendered text of any folder with a kustomization. */
export async function renderFolder(folder: string): Promise<string> {
  const program = process.env['KUSTOMIZE'] ?? 'kustomize';
  const { stdout } = await promisify(execFile)(program, ['build', folder], { maxBuffer: MAX_BYTES });
  return stdout;
}
