import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalJson, derivedId, newId, systemClock } from '@clew/kernel';
import { openTracker, TrackerConnection, type ExternalIssue } from '@clew/issue-trackers';
import { loopbackOutbound, startLoopbackTracker, type LoopbackTracker } from '@clew/testing/issue-trackers';
import type { ServiceProcess } from '../support/service-process.ts';

const HOUR_MS = 3_600_000;
const UNSEEN_MS = 3 * 24 * HOUR_MS;
const INTERVAL_MS = 300_000;

/** Tracker with issues, each of which a work item in the service's database belongs to. */
export interface Place {
  tracker: LoopbackTracker;
  connectorId: string;
  walkId: string;
}

interface PlaceOptions {
  provider: LoopbackTracker['provider'];
  count: number;
  connect: (body: object) => Promise<{ id: string }>;
}

/**
 * Starts a tracker whose issues were made hours ago. The rows are written directly: handing over 10,000 Findings by
 * requests would measure something else.
 */
export async function startPlace(service: ServiceProcess, { provider, count, connect }: PlaceOptions): Promise<Place> {
  let agoMs = 4 * HOUR_MS;
  const tracker = await startLoopbackTracker(provider, { now: () => Date.now() - agoMs });
  for (let index = 0; index < count; index += 1) tracker.add(`Problem ${index}`);
  agoMs = 0;
  const { baseUrl, credentials, destination } = tracker;
  const { id: connectorId } = await connect({ provider, baseUrl, credentials, defaultDestination: destination });
  const issues = await issuesOf(tracker);
  const walkId = derivedId('walk', connectorId, canonicalJson(destination));
  await write(service, { provider, connectorId, walkId, destination, issues });
  return { tracker, connectorId, walkId };
}

async function issuesOf({ provider, baseUrl, credentials, destination }: LoopbackTracker): Promise<ExternalIssue[]> {
  const outbound = loopbackOutbound();
  const connection = TrackerConnection.parse({ provider, baseUrl, credentials, destination });
  const opened = openTracker(connection, { fetch: outbound.fetch, clock: systemClock });
  const issues = new Map<string, ExternalIssue>();
  let cursor: string | null = null;
  do {
    const call = { signal: new AbortController().signal, deadlineMs: 30_000 };
    const listed = await opened.listChanged({ sinceMs: 0, cursor }, call);
    if (listed.kind !== 'done') throw new Error(`The issues cannot be listed: ${listed.message}`);
    for (const reading of listed.value.issues) {
      if (reading.kind === 'present') issues.set(reading.issue.externalId, reading.issue);
    }
    ({ cursor } = listed.value);
  } while (cursor !== null);
  await outbound.close();
  return [...issues.values()];
}

interface Rows {
  provider: string;
  connectorId: string;
  walkId: string;
  destination: object;
  issues: readonly ExternalIssue[];
}

async function write({ database, projectId }: ServiceProcess, rows: Rows): Promise<void> {
  const { provider, connectorId, walkId, destination, issues } = rows;
  const nowMs = Date.now();
  const made = { createdAt: nowMs - 4 * HOUR_MS, updatedAt: nowMs - 4 * HOUR_MS };
  const all = issues.map(({ externalId, key, url, updatedAtMs }, index) => {
    const [findingId, workItemId] = [derivedId('fnd', connectorId, externalId), newId('wi')];
    const view = {
      ...{ findingId, provider, connectorId, destination, status: 'planned', doneReason: null },
      ...{ externalId, externalKey: key, externalUrl: url, syncState: 'synced', syncError: null },
      ...{ isPrimary: true, ended: null, replacedBy: null, ...made, lastSyncedAt: made.createdAt },
    };
    const item = {
      ...{ _id: workItemId, projectId, ...view, tries: 1, failures: 0, askedAt: made.createdAt, existing: null },
      ...{ sentSince: null, lastSentAt: null, seenChangeAt: updatedAtMs, sequence: 2 },
    };
    const finding = { ...findingOf(projectId, findingId, made), workItem: { id: workItemId, ...view, attempts: 1 } };
    // Some were not seen for as long as it takes until they are read: as many as become so between two walks.
    const checkedAt = nowMs - Math.floor(((UNSEEN_MS + INTERVAL_MS) * index) / issues.length);
    return { item, finding, followed: { _id: workItemId, projectId, walkId, checkedAt } };
  });
  await database.collection('findings').insertMany(all.map(({ finding }) => finding) as never);
  await database.collection('work_items').insertMany(all.map(({ item }) => item) as never);
  await database.collection('followed_issues').insertMany(all.map(({ followed }) => followed) as never);
}

function findingOf(projectId: string, _id: string, made: { createdAt: number; updatedAt: number }) {
  const at = made.createdAt;
  const entry = { occurrenceId: 'occ_1', conversationId: 'chat 1', startMs: at, endMs: at };
  return {
    ...{ _id, projectId, clusterFingerprint: _id, fingerprintVersion: 'finding-cluster-v1' },
    ...{ ruleId: 'rule_a', ruleKey: 'a', categoryKey: 'tools', reviewStatus: 'confirmed', reviewedAt: at },
    ...{ resolutionStatus: 'unresolved', resolvedAt: null, regressedAt: null, verification: null },
    ...{ assignee: null, snooze: null, sequence: 1, revision: 1, listed: true, severity: 'high' },
    ...{ diagnosticScore: 1, diagnosticConfidence: 1, confidenceSource: { kind: 'rules' }, occurrenceCount: 1 },
    ...{ firstDetectedAt: at, lastDetectedAt: at, primary: null, window: [entry], ...made },
    ...{ title: 'A problem', summary: '', causeAssessment: '', remediationHint: '', evidence: [] },
    ...{ analysisRevision: 'drv_1', evidenceSnapshotRevision: 'cesr_1', evidenceThroughMs: at },
    anchor: { traceId: '', spanId: '', stepIndex: 0, quotes: [], conversationId: 'chat 1' },
  };
}

/** Makes the walks of all places due, and waits until each has come to its end. */
export async function walkAll({ database, projectId }: ServiceProcess, places: readonly Place[]): Promise<void> {
  const nowMs = Date.now();
  const walks = database.collection('issue_walks');
  await walks.insertMany(
    places.map(({ tracker: { provider, destination: place }, connectorId, walkId }) => ({
      ...{ _id: walkId as never, projectId, connectorId, provider, place, sinceMs: nowMs - HOUR_MS, cursor: null },
      ...{ failures: 0, problem: null, walkedAt: null, followedAt: nowMs, dueAt: nowMs },
    })),
  );
  const isOver = { projectId, walkedAt: { $gt: 0 } };
  while ((await walks.countDocuments(isOver)) < places.length) await sleep(50);
}
