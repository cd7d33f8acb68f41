import { operations, pathsOf, type OperationId } from '@helioport/contract';
import { afterAll, beforeAll } from 'vitest';
import { authenticateCollector } from '../../packages/server/src/fleet/collectors/authenticate.ts';
import {
  addClient,
  createRunning,
  type CodeTerms,
  type RunningOauth,
  type TestClient,
} from '../oauth/fixture.ts';
import { startOauth, type TestOauth } from '../oauth/listener.ts';
import { credentials } from '../support/credentials.ts';
import { describeEngines, type TestDatabase } from '../support/engines.ts';
import {
  addKey,
  signed,
  startUserApi,
  withHeaders,
  type TestUserApi,
} from '../user-api/fixture.ts';
import { createControlScene, type Home } from './scene.ts';
import { operationsOn } from '../support/operations.ts';

type Key = Awaited<ReturnType<typeof addKey>>;
type Body = Readonly<Record<string, unknown>>;

export interface WireAnswer {
  readonly status: number;
  readonly body: {
    success: boolean;
    code: string;
    msg: string;
    data: any;
    time?: string;
    orderId?: string;
    csrfToken?: string;
  };
}

export interface ControlWire extends ReturnType<typeof createControlScene> {
  readonly database: () => TestDatabase;
  readonly running: RunningOauth;
  /** Signs a request of an account, by a spelling of the path. */
  call(
    key: Key,
    id: OperationId,
    body: Body,
    prefix?: '/v1/api/' | '/v2/api/',
    headers?: Record<string, string>,
  ): Promise<WireAnswer>;
  callAs(
    accountId: string,
    id: OperationId,
    body: Body,
    prefix?: '/v1/api/' | '/v2/api/',
  ): Promise<WireAnswer>;
  key(terms: NonNullable<Parameters<typeof addKey>[1]>): Promise<Key>;
  /** Calls with a Bearer token. */
  bear(token: string, id: OperationId, body: Body): Promise<WireAnswer>;
  pair(
    ownerId: string,
    terms?: Omit<CodeTerms, 'owner'>,
  ): Promise<{
    readonly client: TestClient;
    readonly access_token: string;
    readonly refresh_token: string;
  }>;
  /** While it works, the collector of a home fetches, does and reports. */
  whileObeying<T>(here: Home, work: () => Promise<T>): Promise<T>;
}

interface ControlSuite {
  /** How long callers wait at most. */
  readonly patienceMs?: number;
  /** Whether control clients may log in with a digest. */
  readonly legacyLogin?: boolean;
  /** On which engines it runs. */
  readonly engines?: typeof describeEngines;
}

/** A suite against both interfaces. */
export function describeControl(
  name: string,
  suite: (wire: ControlWire) => void,
  { patienceMs = 5_000, legacyLogin = false, engines = describeEngines }: ControlSuite = {},
): void {
  engines(name, (database) => {
    const scene = createControlScene(database);
    const { clock } = scene;
    let api: TestUserApi;
    let oauth: TestOauth;
    const running = createRunning({ clock, world: scene, database, oauth: () => oauth });
    beforeAll(async () => {
      const { db, wakeUps } = database();
      const handlers = operationsOn(db, clock, scene.newId, {
        credentials: { ...credentials, legacyLogin },
        patience: { wakeUps, limitMs: patienceMs },
      }) as never;
      const served = { operations: Object.values(operations) as never, handlers };
      api = await startUserApi({ db }, clock, served);
      oauth = await startOauth({ db }, clock, served);
    });
    afterAll(async () => {
      await api.close();
      await oauth.close();
    });

    const call: ControlWire['call'] = async (key, id, body, prefix = '/v2/api/', headers = {}) => {
      // No two have the same signature.
      clock.at += 1000;
      const request = signed({ key, at: clock.at, path: prefix + id, body: JSON.stringify(body) });
      const { status, body: answer } = await api.send(withHeaders(request, headers));
      return { status, body: answer };
    };
    const keys = new Map<string, Promise<Key>>();

    suite({
      ...scene,
      database,
      running,
      call,
      key: (terms) => addKey(scene, terms),
      async callAs(accountId, id, body, prefix) {
        if (!keys.has(accountId)) keys.set(accountId, addKey(scene, { accountId }));
        return call((await keys.get(accountId))!, id, body, prefix);
      },
      async bear(token, id, body) {
        const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
        const response = await fetch(oauth.url + pathsOf(operations[id], 'oauth')[0]!, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        return { status: response.status, body: (await response.json()) as WireAnswer['body'] };
      },
      async pair(ownerId, terms = {}) {
        const client = await addClient(scene);
        return {
          client,
          ...(await running.pair(client, { ...terms, owner: { id: ownerId } as never })),
        };
      },
      async whileObeying(here, work) {
        const state = { working: true };
        const obey = async (): Promise<void> => {
          while (state.working) {
            const collector = await authenticateCollector(database().db, here.token, clock.now());
            const handed = await scene
              .exchange()
              .instructions(collector, 200, new AbortController().signal);
            if (handed.length > 0) await here.box.report(...handed.map(here.box.carryOut));
          }
        };
        const obeyed = obey();
        try {
          return await work();
        } finally {
          state.working = false;
          await obeyed;
        }
      },
    });
  });
}
