import { labelledDomains, type Domain } from '../labelled/domains.ts';
import { featuredDomains, leaveOneDomainOut } from './leave-one-domain-out.ts';

/** Fits the score on all domains below a folder whose labels are outcomes of both kinds. */
export function evaluateFit(dataFolder: string): object {
  return leaveOneDomainOut(featuredDomains(labelledDomains(dataFolder).filter(hasBothOutcomes)));
}

function hasBothOutcomes({ labels, conversations }: Domain): boolean {
  return labels === 'outcome' && new Set(conversations.map(({ succeeded }) => succeeded)).size === 2;
}
