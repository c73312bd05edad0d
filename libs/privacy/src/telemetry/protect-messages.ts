import type { PrivacySettings, TelemetryGroup } from '@clew/contracts';
import { readJson } from '@clew/kernel';
import { createProtector, type Protector } from './protector.ts';

/** JSON of a message with telemetry (`telemetry.spans.received`), and the settings of its project. */
export interface ProtectionQuestion {
  body: Uint8Array;
  privacy: PrivacySettings;
}

/** Takes out of a message what its project does not want to be stored. */
export type ProtectMessage = (question: ProtectionQuestion) => Uint8Array<ArrayBuffer>;

interface Message {
  data: { groups: TelemetryGroup[] };
}

/** Projects whose protectors are kept, those of the latest messages: each remembers texts, which spans repeat. */
const MAX_KEPT = 8;

export function createProtectMessage(): ProtectMessage {
  const kept = new Map<string, Protector>();
  const protectorOf = (privacy: PrivacySettings): Protector => {
    const key = JSON.stringify(privacy);
    const protector = kept.get(key) ?? createProtector(privacy);
    kept.delete(key);
    kept.set(key, protector);
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? '');
    return protector;
  };
  return ({ body, privacy }) => {
    const message = readJson(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()) as Message;
    const { group } = protectorOf(privacy);
    const data = { ...message.data, groups: message.data.groups.map(group) };
    return new Uint8Array(Buffer.from(JSON.stringify({ ...message, data })));
  };
}
