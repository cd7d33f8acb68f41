import { expect, test } from 'vitest';
import { makeVerifiers } from '../../packages/server/src/identity/accounts/passwords.ts';
import { legacyDigest } from '../../packages/server/src/platform/kernel/passwords/password.ts';
import type { Home } from './scene.ts';
import { describeControl, type WireAnswer } from './wire.ts';

type Ask = (
  id: 'control' | 'atRead' | 'atReadBatch',
  body: Record<string, unknown>,
) => Promise<WireAnswer>;

/** What clients find in an inverter with six slots. */
const SIX_SLOTS = {
  6798: '43605',
  636: '96',
  5916: '0',
  5946: '00:00-00:00',
  5928: '80',
  5948: '20',
  6962: '0',
  103: '0',
};

describeControl(
  'what existing clients do',
  (wire) => {
    const { home, callAs, bear, whileObeying } = wire;
    const withSlots = async (): Promise<Home> => {
      const here = await home({ facts: { displayVersion: '4b00' } });
      Object.assign(here.box.values, SIX_SLOTS);
      return here;
    };
    /** As clients test it: the outer code, a list, and the code of each item as text. */
    const isDone = ({ status, body: { code, data } }: WireAnswer): boolean =>
      status === 200 &&
      code === '0' &&
      Array.isArray(data) &&
      (data as { code: unknown }[]).every((item) => String(item.code) === '0');

    test('a battery scheduler reads, writes with what it has read as the old value, reads again and compares the texts', async () => {
      const here = await withSlots();
      const { access_token: token } = await wire.pair(here.ownerId);
      const ask: Ask = (id, body) => bear(token, id, { inverterSn: here.sn, ...body });
      await whileObeying(here, async () => {
        for (const [cid, value] of [
          [157, '25'],
          ['5946', '02:30-05:00'],
          [5928, '95'],
          ['5948', '50'],
          [5916, '1'],
          ['636', '35'],
        ] as const) {
          const { msg: before } = (await ask('atRead', { cid })).body.data;
          expect(isDone(await ask('control', { cid, value, yuanzhi: before }))).toBe(true);
          expect((await ask('atRead', { cid })).body.data.msg).toBe(value);
        }
      });
    });

    test('a home-automation integration logs in, sends the token along, writes slots with a comma, and reads them with a hyphen', async () => {
      const here = await withSlots();
      await wire
        .database()
        .db.updateTable('account')
        .set(await makeVerifiers('meadow lane in june', true))
        .where('id', '=', here.ownerId)
        .execute();
      const key = await wire.key({ accountId: here.ownerId });
      const { csrfToken } = (
        await wire.call(key, 'login', {
          userInfo: here.ownerEmail,
          passWord: legacyDigest('meadow lane in june'),
        })
      ).body;
      expect(csrfToken).toMatch(/./);
      const ask: Ask = (id, body) => wire.call(key, id, body, '/v2/api/', { token: csrfToken! });
      await whileObeying(here, async () => {
        const { body } = await ask('control', {
          inverterId: here.deviceId,
          cid: '5946',
          value: '01:00,04:00',
        });
        expect(String(body.data[0].code)).toBe('0');
        expect(
          (await ask('atRead', { inverterId: here.deviceId, cid: '5946' })).body.data,
        ).toMatchObject({ msg: '01:00-04:00', needLoop: 'false' });
      });
    });

    test('a control integration reads in batches, and sends old values for switches alone: the mask of all of them, or a number of its own', async () => {
      const here = await withSlots();
      const ask: Ask = (id, body) =>
        callAs(here.ownerId, id, { inverterSn: here.sn, language: '2', ...body });
      await whileObeying(here, async () => {
        const { data } = (await ask('atReadBatch', { cids: '157,158,6798,5916,5946' })).body;
        for (const item of (data as { cid: unknown; msg: unknown }[][]).flat())
          expect([typeof item.cid, typeof item.msg]).toEqual(['string', 'string']);
        expect(data[0].map(({ msg }: { msg: string }) => msg)).toEqual([
          '30',
          '10',
          '43605',
          '0',
          '00:00-00:00',
        ]);
        expect((await ask('control', { cid: '5916', value: '1' })).body).toMatchObject({
          success: false,
          code: 'B0218',
        });
        expect(
          isDone(
            await ask('control', { cid: '5916', value: '1', yuanzhi: String(0b0000_0100_0000) }),
          ),
        ).toBe(true);
        expect(isDone(await ask('control', { cid: '6962', value: '1', yuanzhi: '88' }))).toBe(true);
        expect(isDone(await ask('control', { cid: 5948, value: 30 }))).toBe(true);
      });
      expect(here.box.values).toMatchObject({ 5916: '1', 6962: '1', 5948: '30' });
    });

    test('a firmware that clears a bit is found out, though the write was answered well', async () => {
      const here = await withSlots();
      const { carryOut } = here.box;
      const stubborn: Home = {
        ...here,
        box: {
          ...here.box,
          carryOut: (instruction) => {
            const answer = carryOut(instruction);
            // Feed-in priority with times of use becomes feed-in priority alone.
            if (here.box.values['636'] === '98') here.box.values['636'] = '96';
            return answer;
          },
        },
      };
      await whileObeying(stubborn, async () => {
        const { body } = await callAs(here.ownerId, 'control', {
          inverterSn: here.sn,
          cid: '636',
          value: '98',
          yuanzhi: '96',
        });
        expect(isDone({ status: 200, body })).toBe(true);
        const { orderId } = body.data[0];
        // The clock moves on while it is read back.
        const results = async () => {
          wire.clock.at += 2_000;
          return (await callAs(here.ownerId, 'result', { orderId })).body.data;
        };
        await expect
          .poll(results)
          .toMatchObject([
            { code: 'B0600', state: 'failed', msg: expect.stringContaining('it has 96') },
          ]);
      });
    });
  },
  { legacyLogin: true },
);
