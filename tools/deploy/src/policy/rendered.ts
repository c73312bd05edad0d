import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseObjects, type RenderedObject } from './objects.ts';

export const OVERLAYS = ['dev', 'staging', 'production', 'complete'] as const;
export type Overlay = (typeof OVERLAYS)[number];

const K8S = join(import.meta.dirname, '../../../../deploy/k8s');

export const overlayFolder = (overlay: Overlay) => join(K8S, 'overlays', overlay);
export const renderedFile = (overlay: Overlay) => join(K8S, 'rendered', `${overlay}.yaml`);

/** Objects of the committed rendering of an overlay. */
export function renderedObjects(overlay: Overlay): RenderedObject[] {
  return parseObjects(readFileSync(renderedFile(overlay), 'utf8'));
}
