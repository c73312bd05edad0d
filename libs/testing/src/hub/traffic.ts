/** Request that the hub or its CDN received. */
export interface HubRequest {
  origin: 'hub' | 'cdn';
  method: string;
  path: string;
  authorization: string | undefined;
  range: string | undefined;
  status: number;
  /** Bytes of a file sent so far. */
  bytesSent: number;
}

export interface Faults {
  /** Ends the next bodies of the CDN, and their connections, after this many bytes. */
  cutBodies(afterBytes: number, times?: number): void;
  /** Flips a bit of this byte of a file in the next bodies that contain it. */
  flipByte(path: string, offset: number, times?: number): void;
  /** Answers the next requests with this status. */
  refuse(origin: HubRequest['origin'], status: number, options?: { times?: number; retryAfterSeconds?: number }): void;
  /** Makes the CDN answer range requests with the whole file. */
  ignoreRanges(on: boolean): void;
  /** Omits the sizes of files from all answers. */
  hideSizes(on: boolean): void;
  /** Makes the links to the CDN expire that were given out so far. */
  expireLinks(): void;
  /** Limits each connection of the CDN to this many bytes per second; 0 for unlimited. */
  throttle(bytesPerSecond: number): void;
  reset(): void;
}

interface Refusal {
  origin: HubRequest['origin'];
  status: number;
  retryAfterSeconds: number | undefined;
  times: number;
}

/** Plan of the next faults. */
export class FaultPlan implements Faults {
  rangesIgnored = false;
  sizesHidden = false;
  linkGeneration = 1;
  bytesPerSecond = 0;
  #cut = { afterBytes: 0, times: 0 };
  #flips: { path: string; offset: number; times: number }[] = [];
  #refusals: Refusal[] = [];

  cutBodies(afterBytes: number, times = 1): void {
    this.#cut = { afterBytes, times };
  }

  flipByte(path: string, offset: number, times = 1): void {
    this.#flips.push({ path, offset, times });
  }

  refuse(origin: HubRequest['origin'], status: number, options: Parameters<Faults['refuse']>[2] = {}): void {
    this.#refusals.push({ origin, status, retryAfterSeconds: options.retryAfterSeconds, times: options.times ?? 1 });
  }

  ignoreRanges(on: boolean): void {
    this.rangesIgnored = on;
  }

  hideSizes(on: boolean): void {
    this.sizesHidden = on;
  }

  expireLinks(): void {
    this.linkGeneration += 1;
  }

  throttle(bytesPerSecond: number): void {
    this.bytesPerSecond = bytesPerSecond;
  }

  reset(): void {
    this.rangesIgnored = false;
    this.sizesHidden = false;
    this.bytesPerSecond = 0;
    this.#cut = { afterBytes: 0, times: 0 };
    this.#flips = [];
    this.#refusals = [];
  }

  /** Takes the number of bytes after which the next body is cut. */
  takeCut(): number | undefined {
    if (this.#cut.times === 0) return undefined;
    this.#cut.times -= 1;
    return this.#cut.afterBytes;
  }

  takeRefusal(origin: HubRequest['origin']): Refusal | undefined {
    const refusal = this.#refusals.find((each) => each.origin === origin && each.times > 0);
    if (refusal !== undefined) refusal.times -= 1;
    return refusal;
  }

  /** Returns a part of a file with its planned damage. */
  damaged(path: string, start: number, bytes: Buffer): Buffer {
    const hits = this.#flips.filter(
      (flip) => flip.path === path && flip.times > 0 && flip.offset >= start && flip.offset < start + bytes.length,
    );
    if (hits.length === 0) return bytes;
    const changed = Buffer.from(bytes);
    for (const hit of hits) {
      hit.times -= 1;
      const at = hit.offset - start;
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    }
    return changed;
  }
}
