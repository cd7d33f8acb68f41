import type { OperatorDoor } from '../interfaces/operations/operator-door.ts';
import type { Series } from '../measurements/series/port.ts';
import { readingsKeptOf, type Config } from '../platform/config/load.ts';
import type { Clock } from '../platform/kernel/clock.ts';
import type { IdSource } from '../platform/kernel/ids.ts';
import { createLogger } from '../platform/kernel/logger.ts';
import type { SecretBox } from '../platform/kernel/secrets.ts';
import type { Db } from '../platform/storage/database.ts';
import { isStorageAway } from '../platform/storage/away.ts';

/** What a command opens when it needs it. */
export interface CommandLineSources {
  readonly config: Config;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly db: Db;
  /** Not opened: most operations need none, and an engine that is away must not keep operators from their work. */
  readonly series: Series;
  /** Opened when first needed. */
  secretBox(): Promise<SecretBox>;
}

/** The door through which commands call the operator's operations. */
export async function composeCommandLine({
  config,
  secretBox,
  ...given
}: CommandLineSources): Promise<OperatorDoor> {
  const [
    { createOperatorDoor },
    { createTelemetry },
    { settledReads },
    { createFigureCaches },
    { createEgress },
    { createOutbox },
  ] = await Promise.all([
    import('../interfaces/operations/operator-door.ts'),
    import('../measurements/telemetry/create-telemetry.ts'),
    import('../measurements/ingest/settled-reads.ts'),
    import('../measurements/figures/sources.ts'),
    import('../platform/egress/egress.ts'),
    import('../identity/mail/outbox.ts'),
  ]);
  const { legacyLogin, defaultTimeZone, portalUrl, smtpUrl } = config;
  const { ids } = given;
  return createOperatorDoor({
    ...given,
    telemetry: createTelemetry(settledReads(given.db, given.series)),
    caches: createFigureCaches(),
    credentials: { secretBox, legacyLogin, defaultTimeZone },
    gatewayUrl: config.gatewayUrl,
    closedRetention: config.closedRetention,
    readingsKept: readingsKeptOf(config),
    notifications: {
      outbox: smtpUrl === null ? null : createOutbox({ ids, secretBox: await secretBox() }),
      portalUrl,
    },
    outbound: {
      egress: createEgress({ allow: config.egressAllow }),
      logger: createLogger(config.logLevel, isStorageAway),
    },
  });
}
