import { collectorPublishes, collectorReceives, collectorTopic } from '@helioport/contract';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { withRightToReport } from './authenticate.ts';
import { brokerHash } from './broker-hash.ts';

/** A user of an external broker: a token of a collector. */
export interface BrokerUser {
  /** Public id of the token. */
  readonly tokenId: string;
  readonly collectorId: string;
  readonly sn: string;
  /** Null for tokens issued before there were such hashes, which the broker cannot check. */
  readonly brokerHash: string | null;
}

/** All valid tokens of collectors that may report, in id order. */
export const listBrokerUsers = (db: Db, now: Instant): Promise<BrokerUser[]> =>
  withRightToReport(db, now)
    .select(['token.id as tokenId', 'device.id as collectorId', 'device.sn', 'token.brokerHash'])
    .orderBy('token.id')
    .execute();

/** The user with which the server itself connects. */
export interface BrokerServer {
  readonly name: string;
  readonly password: string;
}

/** Mosquitto’s password file. Users without a hash are left out. */
export const mosquittoPasswords = (server: BrokerServer, users: readonly BrokerUser[]): string =>
  [
    `${server.name}:${brokerHash(server.password)}`,
    ...users.flatMap((user) =>
      user.brokerHash === null ? [] : [`${user.tokenId}:${user.brokerHash}`],
    ),
    '',
  ].join('\n');

/** Mosquitto’s access list: each collector can use its own topics, and the server those of all collectors. */
export const mosquittoAccess = (server: BrokerServer, users: readonly BrokerUser[]): string =>
  [
    `user ${server.name}`,
    ...collectorPublishes.map((message) => `topic read ${collectorTopic('+', message)}`),
    ...collectorReceives.map((message) => `topic write ${collectorTopic('+', message)}`),
    ...users.flatMap(({ tokenId, collectorId }) => [
      '',
      `user ${tokenId}`,
      ...collectorPublishes.map((message) => `topic write ${collectorTopic(collectorId, message)}`),
      ...collectorReceives.map((message) => `topic read ${collectorTopic(collectorId, message)}`),
    ]),
    '',
  ].join('\n');
