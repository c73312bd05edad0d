import type { Connection, mongo } from 'mongoose';
import { nativeDb, type AnyOutboxMessage, type DueFields } from '@clew/persistence';

/** A command to analyse snapshots, which is due until it is its project's turn: it names them, and holds no words. */
export interface HeldCommandDocument extends Omit<AnyOutboxMessage, 'spec' | 'data'>, DueFields {
  _id: string;
  data: CommandData;
}

/** As the message has it. */
export interface CommandData {
  snapshots: readonly unknown[];
}

export function heldCommandCollection(connection: Connection): mongo.Collection<HeldCommandDocument> {
  return nativeDb(connection).collection('held_commands');
}
