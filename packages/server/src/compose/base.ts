import { passkeySiteOf, type FactorSources } from '../identity/accounts/factors/factor-sources.ts';
import { createOutbox, type Outbox } from '../identity/mail/outbox.ts';
import type {
  CredentialSources,
  OperationDependencies,
} from '../interfaces/operations/dependencies.ts';
import { createFigureCaches, type FigureCaches } from '../measurements/figures/sources.ts';
import type { Series } from '../measurements/series/port.ts';
import { createTelemetry } from '../measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../measurements/ingest/settled-reads.ts';
import type { Telemetry } from '../measurements/telemetry/telemetry.ts';
import { readingsKeptOf, type Config } from '../platform/config/load.ts';
import { createEgress, type Egress } from '../platform/egress/egress.ts';
import type { Clock } from '../platform/kernel/clock.ts';
import type { IdSource } from '../platform/kernel/ids.ts';
import type { Logger } from '../platform/kernel/logger.ts';
import type { SecretBox } from '../platform/kernel/secrets.ts';
import type { Db } from '../platform/storage/database.ts';

/** What is given to a process that works on an installation. */
export interface GivenParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ids: IdSource;
  readonly db: Db;
  /** One per database: it caches the field lists. */
  readonly series: Series;
  readonly secretBox: SecretBox;
}

/** What everything in such a process is built from: one of each. */
export interface Base extends GivenParts {
  readonly telemetry: Telemetry;
  readonly caches: FigureCaches;
  readonly factors: FactorSources;
  readonly credentials: CredentialSources;
  readonly egress: Egress;
  /** Null: the operator has set no mail server. */
  readonly outbox: Outbox | null;
  readonly portalUrl: string;
}

export function composeBase(given: GivenParts): Base {
  const { config, db, series, ids, secretBox } = given;
  const { legacyLogin, defaultTimeZone, smtpUrl, portalUrl, egressAllow } = config;
  const passkeys = passkeySiteOf(config);
  return {
    ...given,
    telemetry: createTelemetry(settledReads(db, series)),
    caches: createFigureCaches(),
    factors: { secretBox, passkeys },
    credentials: { secretBox: async () => secretBox, passkeys, legacyLogin, defaultTimeZone },
    egress: createEgress({ allow: egressAllow }),
    outbox: smtpUrl === null ? null : createOutbox({ ids, secretBox }),
    portalUrl,
  };
}

/** What the operations are built from, but for what only a process that serves has. */
export const operationSourcesOf = (base: Base): OperationDependencies => ({
  ...base,
  outbound: base,
  notifications: base,
  gatewayUrl: base.config.gatewayUrl,
  closedRetention: base.config.closedRetention,
  readingsKept: readingsKeptOf(base.config),
});
