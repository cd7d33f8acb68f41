import { hasDoor, operations, type OperationId } from '@helioport/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Failure } from '../../packages/server/src/platform/kernel/failure.ts';
import {
  decideApplication,
  disableApplication,
  enableApplication,
} from '../../packages/server/src/identity/oauth/applications.ts';
import type { RouteHandler } from '../../packages/server/src/interfaces/edges/http/mount.ts';
import { inputOf } from '../../packages/server/src/interfaces/operations/input.ts';
import { addClient } from '../oauth/fixture.ts';
import { describeEngines } from '../support/engines.ts';
import { operationsOn } from '../support/operations.ts';
import { userCaller } from '../support/world.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { createForwardingScene } from './scene.ts';

const watched = Object.values(operations).filter(
  ({ family, doors }) => family === 'forwarding' && hasDoor({ doors }, 'portal'),
);

test('developers watch destinations at the portal, but what sends events elsewhere needs the application’s credentials', () => {
  const closed = Object.values(operations).filter(
    ({ family, doors }) => family === 'forwarding' && !hasDoor({ doors }, 'portal'),
  );
  expect(closed.map(({ id }) => id)).toEqual([
    'forwarding/add',
    'forwarding/remove',
    'forwarding/rotate',
  ]);
});

describeEngines('destinations, for the developer of their application', (database) => {
  const scene = createForwardingScene(database);
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  const ask = async (
    id: OperationId,
    accountId: string,
    body: Record<string, unknown> = {},
  ): Promise<any> => {
    const handlers = operationsOn(database().db, scene.clock, scene.newId, {
      outbound: { egress: scene.egress, logger: scene.logger },
    });
    return (handlers[id] as unknown as RouteHandler)(
      userCaller(accountId),
      inputOf(operations[id], body) as never,
    );
  };
  const refusal = (asked: Promise<unknown>) =>
    asked.then(
      (answer) => ({ code: 'done', answer }),
      ({ code, message, data }: Failure) => ({ code, message, data }),
    );
  const developed = async () => {
    const { id: ownerId } = await scene.person({ role: 'developer' });
    const { application } = await addClient(scene, { ownerId });
    return { ownerId, application, id: await scene.destination(application, receiver.url) };
  };

  test('are listed, tested, paused, resumed, replayed and watched', async () => {
    const { ownerId, application, id } = await developed();
    const { application: second } = await addClient(scene, { ownerId });
    const other = await scene.destination(second, receiver.url);
    const ids = async (body = {}) =>
      (await ask('forwarding/list', ownerId, body)).map((shown: { id: string }) => shown.id);
    expect(await ids()).toEqual([id, other]);
    expect(await ids({ application: application.clientId })).toEqual([id]);
    expect(await ask('forwarding/show', ownerId, { id })).toMatchObject({
      id,
      application: application.name,
      state: 'active',
    });
    expect(await ask('forwarding/test', ownerId, { id })).toMatchObject({ delivered: true });
    expect(await ask('forwarding/pause', ownerId, { id })).toEqual({ id, state: 'paused' });
    expect(await ask('forwarding/resume', ownerId, { id })).toEqual({ id, state: 'active' });
    expect(await ask('forwarding/replay', ownerId, { id, deadLetters: 1 })).toEqual({ replays: 0 });
    expect(await ask('forwarding/deadLetters', ownerId, { id })).toEqual([]);
    expect(await ask('forwarding/gaps', ownerId, { id })).toMatchObject({ behindSeconds: 0 });
    expect(await ask('forwarding/tail', ownerId, { id })).toMatchObject({ events: [] });
    const trail = await database()
      .db.selectFrom('auditEvent')
      .select(['kind', 'actor'])
      .where('data', 'like', `%${id}%`)
      .orderBy('id')
      .execute();
    expect(trail.slice(1)).toEqual([
      { kind: 'destination.paused', actor: `account:${ownerId}` },
      { kind: 'destination.resumed', actor: `account:${ownerId}` },
    ]);
  });

  test.each(watched.map((operation) => operation.id))(
    '%s: those of another developer are like none',
    async (operation) => {
      const { application, id } = await developed();
      const { ownerId: stranger } = await developed();
      if (operation === 'forwarding/list') {
        const [foreign, unknown] = [
          await refusal(ask(operation, stranger, { application: application.name })),
          await refusal(ask(operation, stranger, { application: 'None' })),
        ];
        expect(foreign).toMatchObject({ code: 'invalidValue', data: { field: 'application' } });
        expect(foreign).toEqual(unknown);
        return;
      }
      const [foreign, unknown] = [
        await refusal(ask(operation, stranger, { id, from: 1 })),
        await refusal(ask(operation, stranger, { id: '1300000000000000009', from: 1 })),
      ];
      expect(foreign).toMatchObject({ code: 'noPermission' });
      expect(foreign).toEqual(unknown);
      expect(
        (
          await database()
            .db.selectFrom('destination')
            .select('state')
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
        ).state,
      ).toBe('active');
    },
  );

  test.each(watched.map((operation) => operation.id))(
    '%s: while the application may not act, it has none',
    async (operation) => {
      const { ownerId, application, id } = await developed();
      const body =
        operation === 'forwarding/list' ? { application: application.name } : { id, from: 1 };
      const refused = { code: operation === 'forwarding/list' ? 'invalidValue' : 'noPermission' };
      await scene.write((trx) => disableApplication(trx, scene.act(), application.id));
      expect(await refusal(ask(operation, ownerId, body))).toMatchObject(refused);
      expect(await ask('forwarding/list', ownerId)).toEqual([]);
      await scene.write((trx) => enableApplication(trx, scene.act(), application.id));
      await scene.write((trx) => decideApplication(trx, scene.act(), application.id, 'rejected'));
      expect(await refusal(ask(operation, ownerId, body))).toMatchObject(refused);
    },
  );
});
