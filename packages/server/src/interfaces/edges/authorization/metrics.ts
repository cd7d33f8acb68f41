import { Counter, type Registry } from 'prom-client';
import type { OauthErrorName } from '@helioport/contract';

export interface OauthMetrics {
  /** Counts an issued code, or an issued token pair by its grant type. */
  issued(what: 'code' | 'authorization_code' | 'refresh_token'): void;
  refused(endpoint: string, reason: OauthErrorName): void;
  revoked(): void;
}

/** Create only one per process: the metrics are registered on `registry`. */
export function createOauthMetrics(registry: Registry): OauthMetrics {
  const registers = [registry];
  const issued = new Counter({
    name: 'helioport_oauth_issued_total',
    help: 'Codes and token pairs issued, by what was presented',
    labelNames: ['grant'],
    registers,
  });
  const refused = new Counter({
    name: 'helioport_oauth_refused_total',
    help: 'Refusals of the authorization endpoints',
    labelNames: ['endpoint', 'reason'],
    registers,
  });
  const reused = new Counter({
    name: 'helioport_oauth_reuse_detected_total',
    help: 'Codes and refresh tokens presented again so late that the tokens from their first use were revoked',
    registers,
  });
  const revoked = new Counter({
    name: 'helioport_oauth_revoked_total',
    help: 'Tokens ended by their application',
    registers,
  });
  return {
    issued: (grant) => issued.inc({ grant }),
    refused(endpoint, reason) {
      refused.inc({ endpoint, reason });
      if (reason === 'codeReused' || reason === 'refreshTokenReused') reused.inc();
    },
    revoked: () => revoked.inc(),
  };
}
