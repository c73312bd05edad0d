import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readDomains, type Domain } from '../labelled/domains.ts';
import { readTauBench } from '../labelled/labelled-conversations.ts';
import { featuredDomains, leaveOneDomainOut } from './leave-one-domain-out.ts';

/**
 * Fits the score on the domains of a folder, or of its folder `domains`, and on tau-bench if it is there. Only domains
 * whose labels are outcomes of both kinds count.
 */
export function evaluateFit(dataFolder: string): object {
  const below = join(dataFolder, 'domains');
  const tauBench = readTauBench(dataFolder);
  const domains: Domain[] = [
    ...readDomains(existsSync(below) ? below : dataFolder),
    ...(tauBench.length === 0
      ? []
      : [{ name: 'tau-bench-airline', labels: 'outcome' as const, conversations: tauBench }]),
  ];
  return leaveOneDomainOut(featuredDomains(domains.filter(hasBothOutcomes)));
}

function hasBothOutcomes({ labels, conversations }: Domain): boolean {
  return labels === 'outcome' && new Set(conversations.map(({ succeeded }) => succeeded)).size === 2;
}
