import type { Egress } from '../../../platform/egress/egress.ts';
import type { Random } from '../../delivery/schedule.ts';
import type { SinkDeps } from '../../sinks/sink.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { IdSource } from '../../../platform/kernel/ids.ts';
import type { SecretBox } from '../../../platform/kernel/secrets.ts';
import type { Outbox } from '../../../identity/mail/outbox.ts';
import type { Selectable } from 'kysely';
import type { Db, NewsMessageTable } from '../../../platform/storage/database.ts';

/** A message to one browser or program. */
export type Message = Selectable<NewsMessageTable>;

/** What is needed to tell people and programs of their plants. */
export interface NotificationDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly secretBox: SecretBox;
  readonly egress: Egress;
  readonly logger: SinkDeps['logger'];
  /** Null: the operator has set no mail server. */
  readonly outbox: Outbox | null;
  /** Address of the portal, without a slash at its end. */
  readonly portalUrl: string;
  readonly random?: Random;
}

/** Whom push services can ask about our messages. RFC 8292 2.1 */
export const contactOf = ({ portalUrl }: Pick<NotificationDeps, 'portalUrl'>): string =>
  portalUrl.startsWith('https://') ? portalUrl : `mailto:helioport@${new URL(portalUrl).hostname}`;
