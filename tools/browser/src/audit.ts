import axe from 'axe-core';
import type { Page } from 'playwright-core';

export const AUDIT_SCHEMES = ['light', 'dark'] as const;

export interface AuditOptions {
  /** Name of what is audited, for the report. */
  readonly name: string;
}

/** WCAG 2.2, levels A and AA, and what the makers of axe call best practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const RUN = `axe.run(document, { runOnly: ${JSON.stringify(TAGS)}, resultTypes: ['violations'] })
  .then(({ violations }) => violations.map(({ id, help, nodes }) => ({ id, help,
    nodes: nodes.slice(0, 5).map(({ target, failureSummary }) => ({ target: target.join(' '), failureSummary })) })))`;

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: string; readonly failureSummary: string }[];
}

/** Examines the accessibility of a page as it is; resolves with its violations in lines. */
export async function auditPage(page: Page, { name }: AuditOptions): Promise<string[]> {
  // The browser itself adds the script, so the policy of the page is not asked.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const violations = await page.evaluate<Violation[]>(RUN);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${name}: ${id}, ${help}, at ${target}: ${failureSummary.replaceAll(/\s+/g, ' ').slice(0, 240)}`,
    ),
  );
}
