import { operations, type OperationId } from '@helioport/contract';
import { allowSupport, endSupport } from '../../packages/server/src/identity/accounts/support.ts';
import { addApp } from '../accounts/factors/fixture.ts';
import { addClient, createRunning, type CodeTerms } from '../oauth/fixture.ts';
import { startOauth, type TestOauth } from '../oauth/listener.ts';
import type { createFleet } from '../operations/fleet.ts';
import type { TestDatabase } from '../support/engines.ts';
import type { SettableClock } from '../support/world.ts';
import { addKey, signed, startUserApi, type TestUserApi } from '../user-api/fixture.ts';
import type { Body } from './questions.ts';
import { operationsOn } from '../support/operations.ts';
import { startPortal, visitAs, type TestPortal } from '../support/portal.ts';

/** A caller by key pair, by token, by session, or an operator with the permission of an account. */
export type Credentials =
  | { readonly key: NonNullable<Parameters<typeof addKey>[1]>; readonly of: string }
  | { readonly token: Omit<CodeTerms, 'owner'>; readonly of: string; readonly revoked?: true }
  | { readonly session: 'open' | 'ended'; readonly of: string }
  | { readonly support: 'open' | 'ended'; readonly of: string };

export interface Answer {
  readonly status: number;
  /** Without the time and the id of the request. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: { readonly success: boolean; readonly code: string; readonly data: any };
  /** The body as it was sent, by the signed and OAuth interfaces. */
  readonly text?: string;
}

/** Asks over the real listener of the interface that takes the credentials. */
export type Ask = (id: OperationId, body: Body | string) => Promise<Answer>;

export interface Interfaces {
  readonly userApi: TestUserApi;
  readonly oauth: TestOauth;
  readonly portal: TestPortal;
  askAs(credentials: Credentials): Promise<Ask>;
  close(): Promise<void>;
}

/** Text is sent as it is. */
const textOf = (body: Body | string): string =>
  typeof body === 'string' ? body : JSON.stringify(body);

const comparable = (headers: Record<string, unknown>): Record<string, unknown> => {
  const { date: _, 'x-request-id': __, ...others } = headers;
  return others;
};

/** All interfaces with all operations, over one database. */
export async function startInterfaces(
  database: () => TestDatabase,
  clock: SettableClock,
  fleet: ReturnType<typeof createFleet>,
): Promise<Interfaces> {
  const { db } = database();
  const served = {
    operations: Object.values(operations) as never,
    handlers: operationsOn(db, clock, fleet.newId) as never,
  };
  const userApi = await startUserApi({ db }, clock, served);
  const oauth = await startOauth({ db }, clock, served);
  const portal = await startPortal(database(), clock, served);
  return {
    userApi,
    oauth,
    portal,
    async askAs(requester) {
      if ('key' in requester) {
        const pair = await addKey(fleet, { ...requester.key, accountId: requester.of });
        return async (id, body) => {
          const request = signed({
            key: pair,
            at: clock.at,
            path: `/v1/api/${id}`,
            body: textOf(body),
          });
          const answer = await userApi.send(request);
          return { ...answer, headers: comparable(answer.headers) };
        };
      }
      if ('session' in requester) {
        const { visitor, end } = await visitAs(fleet, portal.url, requester.of);
        if (requester.session === 'ended') await end();
        return async (id, body) => {
          const { status, headers, body: answer } = await visitor.call(id, body);
          return { status, headers: comparable(Object.fromEntries(headers)), body: answer };
        };
      }
      if ('support' in requester) {
        const { id: operatorId } = await fleet.person({ role: 'operator' });
        await addApp(fleet, db, operatorId);
        const { visitor } = await visitAs(fleet, portal.url, operatorId);
        const permission = await fleet.write((trx) => allowSupport(trx, fleet.act(), requester.of));
        if (requester.support === 'ended')
          await fleet.write((trx) => endSupport(trx, fleet.act(), permission.id, requester.of));
        return async (id, body) => {
          const {
            status,
            headers,
            body: answer,
          } = await visitor.post(`/portal/support/${id}`, body, {
            'X-Helioport-Support': permission.id,
          });
          return { status, headers: comparable(Object.fromEntries(headers)), body: answer };
        };
      }
      const running = createRunning({ clock, world: fleet, database, oauth: () => oauth });
      const client = await addClient(fleet);
      const pair = await running.pair(client, {
        ...requester.token,
        owner: { id: requester.of } as never,
      });
      if (requester.revoked) await running.revoke(client, pair.access_token);
      return async (id, body) => {
        const headers = {
          Authorization: `Bearer ${pair.access_token}`,
          'Content-Type': 'application/json',
        };
        const response = await fetch(
          `${oauth.url}/api/${operations[id]?.scope ?? 'access_data'}/${id}`,
          {
            method: 'POST',
            headers,
            body: textOf(body),
          },
        );
        const text = await response.text();
        return {
          status: response.status,
          headers: comparable(Object.fromEntries(response.headers)),
          text,
          body: JSON.parse(text) as Answer['body'],
        };
      };
    },
    async close() {
      await userApi.close();
      await oauth.close();
      await portal.close();
    },
  };
}
