import type { HoldingStore, ResourceKind } from '@clew/model-runtime';
import type { RequestOf } from './request.ts';
import type { ResourcesService } from './resources.service.ts';

/** Gives back some of the resources of nodes that a project holds; resolves with their number. */
export type GiveAllBack = (request: RequestOf) => Promise<number>;

const AT_A_TIME = 100;
/** Order of removal: services go before the artifacts and engines that they use. */
const ORDER: readonly ResourceKind[] = ['service', 'artifact', 'engine'];

export function createGiveAllBack(
  holdings: Pick<HoldingStore, 'someHeld'>,
  resourcesService: Pick<ResourcesService, 'release'>,
): GiveAllBack {
  return async (request) => {
    const held = await holdings.someHeld(request.projectId, AT_A_TIME);
    const inOrder = held.toSorted((left, right) => ORDER.indexOf(left.kind) - ORDER.indexOf(right.kind));
    for (const { resourceId } of inOrder) await resourcesService.release(request, resourceId, async () => undefined);
    return held.length;
  };
}
