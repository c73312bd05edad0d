import type { Clock } from '@clew/kernel';
import type { TrackerFetch } from './exchange/send.ts';
import { createGitHubTracker } from './github/github-tracker.ts';
import { createGitLabTracker } from './gitlab/gitlab-tracker.ts';
import { createJiraTracker } from './jira/jira-tracker.ts';
import { createLinearTracker } from './linear/linear-tracker.ts';
import { Marker, type TrackerConnection } from './tracker/connection.ts';
import type { IssueTracker, TrackerAdapter, TrackerCall } from './tracker/issue-tracker.ts';
import { refused } from './tracker/outcome.ts';

export interface TrackerOptions {
  /** `fetch` of `createOutbound`: it calls no address that this deployment may not call, and follows no redirects. */
  fetch: TrackerFetch;
  clock: Clock;
}

/** Opens the issue tracker of a connection. It holds nothing: one is opened for each use. */
export function openTracker(connection: TrackerConnection, { fetch, clock }: TrackerOptions): IssueTracker {
  const adapter = adapterOf(connection, fetch, clock);
  return {
    provider: connection.provider,
    test: (call) => adapter.test(signalOf(call)),
    create: async (draft, marker, call) => badMarker(marker) ?? (await adapter.create(draft, marker, signalOf(call))),
    read: (externalId, call) => adapter.read(externalId, signalOf(call)),
    update: async (externalId, draft, marker, call) =>
      badMarker(marker) ?? (await adapter.update(externalId, draft, marker, signalOf(call))),
    setState: (externalId, target, call) => adapter.setState(externalId, target, signalOf(call)),
    comment: async (externalId, comment, call) =>
      badMarker(comment.marker) ?? (await adapter.comment(externalId, comment, signalOf(call))),
    findByMarker: async (marker, sinceMs, call) =>
      badMarker(marker) ?? (await adapter.findByMarker(marker, sinceMs, signalOf(call))),
    listChanged: (from, call) => adapter.listChanged(from, signalOf(call)),
  };
}

function adapterOf(connection: TrackerConnection, fetch: TrackerFetch, clock: Clock): TrackerAdapter {
  switch (connection.provider) {
    case 'github':
      return createGitHubTracker(connection, fetch, clock);
    case 'gitlab':
      return createGitLabTracker(connection, fetch, clock);
    case 'jira':
      return createJiraTracker(connection, fetch, clock);
    case 'linear':
      return createLinearTracker(connection, fetch, clock);
  }
}

function signalOf({ signal, deadlineMs }: TrackerCall): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
}

/** Markers become part of queries and texts, where other characters would have a meaning. */
function badMarker(marker: string) {
  return Marker.safeParse(marker).success
    ? undefined
    : refused('content', 'The marker has characters that it must not have');
}
