/** A request that the hub or its CDN took. */
export interface HubRequest {
  origin: 'hub' | 'cdn';
  method: string;
  path: string;
  authorization: string | undefined;
  range: string | undefined;
  status: number;
  /** Of a file, so far. */
  bytesSent: number;
}

export interface Faults {
  /** The next bodies of the CDN end after so many bytes, and the connection with them. */
  cutBodies(afterBytes: number, times?: number): void;
  /** The next bodies that hold this byte of a file carry it with a bit turned. */
  flipByte(path: string, offset: number, times?: number): void;
  /** The next requests are answered with this status. */
  refuse(origin: HubRequest['origin'], status: number, options?: { times?: number; retryAfterSeconds?: number }): void;
  /** The CDN answers ranges with everything. */
  ignoreRanges(on: boolean): void;
  /** Nobody says how large a file is. */
  hideSizes(on: boolean): void;
  /** The links to the CDN that were given out so far have run out. */
  expireLinks(): void;
  /** Each connection of the CDN sends so many bytes a second; 0 for as fast as it can. */
  throttle(bytesPerSecond: number): void;
  /** From now on nothing goes wrong. */
  reset(): void;
}

interface Refusal {
  origin: HubRequest['origin'];
  status: number;
  retryAfterSeconds: number | undefined;
  times: number;
}

/** What goes wrong next. */
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

  /** After how many bytes the next body is to be cut. */
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

  /** A part of a file as it is to be sent. */
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
