import type { Connection, mongo } from 'mongoose';
import { nativeDb, type AnyOutboxMessage, type ScheduleFields } from '@clew/persistence';

/**
 * Held command to analyse snapshots, due until it is its project's turn. It names the snapshots and holds no text of
 * them.
 */
export interface HeldCommandDocument extends Omit<AnyOutboxMessage, 'spec' | 'data'>, ScheduleFields {
  _id: string;
  data: CommandData;
}

/** Data as in the message. */
export interface CommandData {
  snapshots: readonly unknown[];
}

export function heldCommandCollection(connection: Connection): mongo.Collection<HeldCommandDocument> {
  return nativeDb(connection).collection('held_commands');
}
