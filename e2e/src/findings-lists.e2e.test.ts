import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  FINDING_SORTS,
  listFindings,
  type AnalysisRuns,
  type Finding,
  type FindingCounts,
  type RequestedRuleBackfill,
  type RuleBackfill,
} from '@clew/contracts';
import { eventually } from '@clew/testing';
import { makeFinding } from './support/findings.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const HOUR_MS = 3_600_000;

let project: TestProject;
let finding: Finding;

beforeAll(async () => {
  project = await createTestProject('findings lists');
  const path = await makeFinding(project);
  await project.call(`${path}/assignee`, { method: 'PUT', body: { assignee: 'usr_ada' } });
  finding = (await project.call<Finding>(path)).body;
});

const ids = async (query: string) => (await project.findings(`&${query}`)).map(({ id }) => id);

/** For each filter a value that the Finding has, and one that it does not have. */
function values(): Readonly<Record<string, readonly [string | undefined, string]>> {
  const { metadata, firstDetectedAt, diagnosticScore, severity } = finding;
  const tomorrow = Date.now() + 24 * HOUR_MS;
  return {
    reviewStatus: ['unreviewed,confirmed', 'dismissed'],
    resolutionStatus: ['unresolved', 'resolved,regressed'],
    severity: [`${severity},info`, severity === 'low' ? 'high' : 'low'],
    minDiagnosticScore: [String(diagnosticScore), '1'],
    lastDetectedAfter: [String(firstDetectedAt), String(tomorrow)],
    lastDetectedBefore: [String(tomorrow), String(firstDetectedAt)],
    ruleId: [`rule_none,${metadata.diagnosticRule.ruleId}`, 'rule_none'],
    categoryKey: [metadata.categoryKey, 'none'],
    assignee: ['usr_ada', 'none'],
    q: [finding.title.split(' ').slice(0, 2).join(' ').toUpperCase(), 'zebra'],
    conversationId: [encodeURIComponent(finding.conversationId), 'nobody'],
    // A failing tool may be called by any agent.
    agent: [undefined, 'order-desk'],
    snoozed: ['false', 'true'],
    workItem: ['none', 'active'],
  };
}

describe('the list of Findings', () => {
  it('has for every filter what matches it, and nothing else, in every order', async () => {
    const { sort: _sort, limit: _limit, cursor: _cursor, ...filters } = listFindings.query.shape;
    const tried = values();
    expect(Object.keys(tried).toSorted()).toEqual(Object.keys(filters).toSorted());
    for (const [index, [name, [having, lacking]]] of Object.entries(tried).entries()) {
      const sort = FINDING_SORTS[index % FINDING_SORTS.length];
      if (having !== undefined) expect([name, ...(await ids(`${name}=${having}&sort=${sort}`))]).toContain(finding.id);
      expect([name, ...(await ids(`${name}=${lacking}&sort=${sort}`))]).not.toContain(finding.id);
    }
    const all = Object.entries(tried).flatMap(([name, [having]]) => (having === undefined ? [] : `${name}=${having}`));
    expect(await ids(all.join('&'))).toEqual([finding.id]);
  });

  it.each(['severity=grave', 'severity=high,', 'sort=title', 'workItem=any', 'snoozed=1', 'ruleId=,', 'q=%20'])(
    'answers %s with 400 INVALID_FILTER',
    async (query) => {
      const answer = await project.call(`/diagnostics/findings?${query}`);
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_FILTER' } });
    },
  );

  it('links to the page of the Finding, and says where its quotes stand', async () => {
    expect(finding.workbenchUrl).toMatch(new RegExp(`/p/${project.id}/findings/${finding.id}$`));
    const quotes = finding.evidence.flatMap(({ location }) => location.quotes);
    expect(quotes.length).toBeGreaterThan(0);
    for (const { quote, field, messageIndex, startChar = 0, endChar = 0 } of quotes) {
      expect({ field, messageIndex, length: endChar - startChar }).toEqual({
        ...{ field: 'content', messageIndex: expect.any(Number), length: quote.length },
      });
    }
  });
});

describe('what a page shows beside the list', () => {
  it('is counts of what the list holds, exact while there are few', async () => {
    const listed = await project.findings();
    const { body } = await project.call<FindingCounts>('/diagnostics/findings/counts?by=severity,assignee');
    expect(body).toMatchObject({ total: listed.length, atLeast: false });
    const sum = body.counts.severity?.reduce((total, { count }) => total + count, 0);
    expect(sum).toBe(listed.length);
    expect(body.counts.assignee).toContainEqual({ value: 'usr_ada', count: 1 });
    const none = await project.call<FindingCounts>('/diagnostics/findings/counts?by=severity&snoozed=true');
    expect(none.body.total).toBe(0);
  });

  it('is a series of occurrences by the hour in which their conversations started', async () => {
    const nowMs = Date.now();
    const startMs = nowMs - (nowMs % HOUR_MS) - 24 * HOUR_MS;
    const query = `startMs=${startMs}&endMs=${startMs + 48 * HOUR_MS}&intervalMs=${HOUR_MS}&by=severity`;
    const { body } = await project.call<{ series: { occurrences: number }[] }>(`/diagnostics/findings/series?${query}`);
    const total = body.series.reduce((sum, { occurrences }) => sum + occurrences, 0);
    expect(total).toBe((await project.findings()).reduce((sum, { occurrenceCount }) => sum + occurrenceCount, 0));
  });
});

describe('the jobs of diagnostics', () => {
  it('are backfills, listed with their state and cancelled, which is safe to repeat', async () => {
    const { ruleId } = finding.metadata.diagnosticRule;
    const requested = await project.call<RequestedRuleBackfill>(`/diagnostics/rules/${ruleId}/backfill-requests`, {
      body: { startMs: 0, endMs: Date.now() },
    });
    const { backfillId } = requested.body;
    const path = `/diagnostics/backfill-requests`;
    const cancel = () => project.call<RuleBackfill>(`${path}/${backfillId}/cancel`, { method: 'POST' });
    const first = await cancel();
    expect(['cancelled', 'completed']).toContain(first.body.state);
    expect((await cancel()).body).toEqual(first.body);
    const list = await project.call<{ backfills: RuleBackfill[] }>(
      `${path}?ruleId=${ruleId}&state=${first.body.state}`,
    );
    expect(list.body.backfills.map((each) => each.backfillId)).toEqual([backfillId]);
  });

  it('are Analysis Runs, by conversation and alone', async () => {
    const query = `conversationId=${encodeURIComponent(finding.conversationId)}`;
    const analysisRuns = await eventually(async () => {
      const { body } = await project.call<{ analysisRuns: AnalysisRuns[] }>(`/diagnostics/analysis-runs?${query}`);
      if (body.analysisRuns.every(({ endedAt }) => endedAt === null)) throw new Error('no snapshot has been run yet');
      return body.analysisRuns;
    });
    const found = analysisRuns.flatMap(({ runs }) => runs.flatMap(({ findingIds }) => findingIds));
    expect(found).toContain(finding.id);
    const [{ analysisId } = { analysisId: '' }] = analysisRuns;
    expect(await project.call(`/diagnostics/analysis-runs/${analysisId}`)).toMatchObject({
      ...{ status: 200, body: { analysisId, conversationId: finding.conversationId } },
    });
  });
});
