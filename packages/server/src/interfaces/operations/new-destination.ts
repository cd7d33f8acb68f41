import type { InputOfOperation } from '@helioport/contract';
import type { Act } from '../../identity/accounts/audit.ts';
import { admitSending } from '../../identity/accounts/sending.ts';
import type { Application } from '../../identity/oauth/applications.ts';
import {
  getDestination,
  insertDestination,
} from '../../outbound/forwarding/destinations/destinations.ts';
import {
  openDestination,
  settingPartsOf,
} from '../../outbound/forwarding/destinations/settings.ts';
import { beginSnapshot } from '../../outbound/forwarding/snapshots/snapshots.ts';
import { checkDestination } from '../../outbound/sinks/check.ts';
import type { Db } from '../../platform/storage/database.ts';
import type { OperationDependencies } from './dependencies.ts';

type NewDestination = Pick<InputOfOperation<'forwarding/add'>, 'url'> &
  Partial<Omit<InputOfOperation<'forwarding/add'>, 'application' | 'url'>>;

/** A destination whose address has been checked. */
interface Prepared {
  /** Signing secret of an HTTP destination. */
  readonly secret: string | null;
  /** Adds it to a locked application; returns its id. */
  insert(trx: Db, act: Act, application: Application): Promise<string>;
}

/** Checks a destination, which looks its name up, so before any transaction. `by`: who is counted; null = nobody. Throws invalidValue, tooManyRequests. */
export async function prepareDestination(
  { db, clock, credentials, outbound }: OperationDependencies,
  by: string | null,
  { kinds, plantIds, deviceSns, snapshot, ...settings }: NewDestination,
): Promise<Prepared> {
  const parts = settingPartsOf(settings);
  const { url } = settings;
  await admitSending(db, clock.now(), 'addressCheck', { by, to: [] });
  await checkDestination(
    openDestination({ id: '', url, options: parts.options }, parts.secrets, clock.now()),
    outbound.egress,
  );
  const box = await credentials.secretBox();
  return {
    secret: parts.secrets.signing[0]?.text ?? null,
    async insert(trx, act, application) {
      const about = { ...parts, url, kinds, plantIds, deviceSns };
      const id = await insertDestination(trx, act, box, application, about);
      if (snapshot) await beginSnapshot(trx, act, await getDestination(trx, id, null), 'snapshot');
      return id;
    },
  };
}
