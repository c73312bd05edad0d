import { canonicalJson, normalised, sha256Hex } from '@clew/kernel';
import { maskVariables, WILDCARD } from './mask-variables.ts';

/** Scheme of the fingerprint; a later scheme gets another name and keeps ids through aliases. */
export const FINGERPRINT_VERSION = 'finding-cluster-v1';

/** Signature that distinguishes one problem of a Rule from another. */
export interface ClusterSignature {
  /** Names that belong to the application: tools, agents, finish reasons. Kept, except for generated ids in them. */
  readonly names: readonly string[];
  /** Free text, masked before hashing; empty if the names suffice. */
  readonly text: string;
}

export interface ClusterIdentity {
  readonly projectId: string;
  readonly ruleKey: string;
  readonly categoryKey: string;
  readonly signature: ClusterSignature;
}

/** Limits for names and texts, so that a hostile conversation cannot make hashing expensive. */
const MAX_PART_LENGTH = 400;
const MAX_TEXT_LENGTH = 4000;
const MAX_NAMES = 12;

const GENERATED_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8,}|\d{4,}/gi;

/** Identity of a cluster under `finding-cluster-v1`: SHA-256 in hex of project, Rule, category and signature. */
export function clusterFingerprint(identity: ClusterIdentity): string {
  const { projectId, ruleKey, categoryKey, signature } = identity;
  const { names, text } = signature;
  // Conversations of a project have the same problems again and again.
  const key = JSON.stringify([projectId, ruleKey, categoryKey, names, text]);
  const known = knownFingerprints.get(key);
  if (known !== undefined) return known;
  const fingerprint = fingerprintOf(identity);
  if (knownFingerprints.size >= MAX_KNOWN) knownFingerprints.clear();
  if (key.length <= MAX_KNOWN_LENGTH) knownFingerprints.set(key, fingerprint);
  return fingerprint;
}

const MAX_KNOWN = 2_000;
const MAX_KNOWN_LENGTH = 1_000;
const knownFingerprints = new Map<string, string>();

function fingerprintOf({ projectId, ruleKey, categoryKey, signature }: ClusterIdentity): string {
  const names = signature.names.slice(0, MAX_NAMES).map(maskName);
  const text = maskVariables(signature.text.slice(0, MAX_TEXT_LENGTH).toWellFormed())
    .slice(0, MAX_PART_LENGTH)
    .toLowerCase();
  return sha256Hex(canonicalJson([FINGERPRINT_VERSION, projectId, ruleKey, categoryKey, names, text]));
}

/** Masks generated ids: `worker-550e8400-...` is one of many workers; `search_v2` is a tool's name. */
function maskName(name: string): string {
  const bounded = normalised(name.slice(0, MAX_PART_LENGTH).toWellFormed(), 'NFC');
  return bounded.replace(GENERATED_ID, WILDCARD).trim().toLowerCase();
}
