import { TRACKER_DESTINATIONS, type TrackerDestination, type WorkItem } from '@clew/contracts';
import { canonicalJson, derivedId } from '@clew/kernel';

/** Issue of a work item, with all that names its place. */
export type PlacedIssue = Pick<WorkItem, 'provider' | 'externalId' | 'externalKey' | 'destination'>;

/**
 * Place whose list shows the issue; null if none is known, and it must be read by itself. It comes from the issue rather
 * than from the work item's destination, because an issue may have existed before, or have moved.
 */
export function placeOf({ provider, externalId, externalKey, destination }: PlacedIssue): TrackerDestination | null {
  switch (provider) {
    case 'github': {
      const [, owner, repo] = /^([^/#]{1,100})\/([^/#]{1,100})#\d{1,16}$/.exec(externalId ?? '') ?? [];
      return checked('github', { owner, repo });
    }
    case 'gitlab': {
      const [, projectId] = /^(\d{1,16})#\d{1,16}$/.exec(externalId ?? '') ?? [];
      return checked('gitlab', { projectId });
    }
    case 'jira': {
      const [, projectKey] = /^([A-Z][A-Z0-9_]{0,99})-\d{1,16}$/.exec(externalKey ?? '') ?? [];
      return checked('jira', { projectKey });
    }
    case 'linear':
      return checked('linear', destination);
  }
}

/** Id of the walk through the issues of a place, with the credentials of a connector. */
export function walkIdOf(connectorId: string, place: TrackerDestination | null): string {
  return derivedId('walk', connectorId, canonicalJson(place));
}

function checked(provider: WorkItem['provider'], place: unknown): TrackerDestination | null {
  return TRACKER_DESTINATIONS[provider].safeParse(place).data ?? null;
}
