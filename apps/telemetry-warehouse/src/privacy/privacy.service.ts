import { MAX_PRIVATE_PROJECTS, privacyChanged, type MaskingChange, type ProjectPrivacy } from '@clew/contracts';
import { AppError, newId, type Clock } from '@clew/kernel';
import type { Outbox, Transaction } from '@clew/persistence';
import { createProtector, maskingPatternProblem, type Protector } from '@clew/privacy';
import type { PrivacyChange, PrivacyStore } from './privacy.store.ts';

export interface PrivacyDependencies {
  privacy: PrivacyStore;
  outbox: Outbox;
  clock: Clock;
}

export type PrivacyService = ReturnType<typeof createPrivacyService>;

/** Settings of privacy, and what is written here by callers under them. */
export function createPrivacyService({ privacy, outbox, clock }: PrivacyDependencies) {
  return {
    /** Changes settings, and tells every process that takes content, in the same transaction. */
    async change(tx: Transaction, projectId: string, change: PrivacyChange, requestId: string): Promise<void> {
      requirePatterns(change.masking);
      const nowMs = clock.now();
      await privacy.change(tx, projectId, change, nowMs);
      await outbox.append(tx, privacyChanged, {
        ...{ key: newId('evt'), projectId, requestId, occurredAt: nowMs },
        data: {},
      });
    },

    async list(query: { after?: string | undefined; projectId?: string | undefined }) {
      if (query.projectId !== undefined) {
        const { projectId } = query;
        const found = await privacy.find(projectId);
        return { projects: found === undefined ? [] : [{ projectId, privacy: found }], next: null };
      }
      const projects: ProjectPrivacy[] = await privacy.list(query.after, MAX_PRIVATE_PROJECTS);
      const next = projects.length < MAX_PRIVATE_PROJECTS ? null : (projects.at(-1)?.projectId ?? null);
      return { projects, next };
    },

    /** Returns the protector of a project; undefined if nothing is masked or left out. */
    async protectorOf(projectId: string): Promise<Protector | undefined> {
      const found = await privacy.find(projectId);
      return found === undefined ? undefined : createProtector(found);
    },
  };
}

function requirePatterns(masking: MaskingChange | undefined): void {
  const details = (masking?.patterns ?? []).flatMap(({ pattern }, index) => {
    const message = maskingPatternProblem(pattern);
    return message === undefined ? [] : [{ path: `body.masking.patterns.${index}.pattern`, message }];
  });
  const [first] = details;
  if (first === undefined) return;
  throw new AppError('VALIDATION_FAILED', `${first.path}: ${first.message}`, { details });
}
