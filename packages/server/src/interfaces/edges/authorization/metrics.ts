import type { Registry } from 'prom-client';
import type { OauthErrorName } from '@helioport/contract';
import { declareCounter } from '../http/metrics/declared.ts';

export interface OauthMetrics {
  /** Counts an issued code, or an issued token pair by its grant type. */
  issued(what: 'code' | 'authorization_code' | 'refresh_token'): void;
  refused(endpoint: string, reason: OauthErrorName): void;
  revoked(): void;
}

/** Create only one per process: the metrics are registered on `registry`. */
export function createOauthMetrics(registry: Registry): OauthMetrics {
  const issued = declareCounter(registry, 'helioport_oauth_issued_total');
  const refused = declareCounter(registry, 'helioport_oauth_refused_total');
  const reused = declareCounter(registry, 'helioport_oauth_reuse_detected_total');
  const revoked = declareCounter(registry, 'helioport_oauth_revoked_total');
  return {
    issued: (grant) => issued.inc({ grant }),
    refused(endpoint, reason) {
      refused.inc({ endpoint, reason });
      if (reason === 'codeReused' || reason === 'refreshTokenReused') reused.inc();
    },
    revoked: () => revoked.inc(),
  };
}
