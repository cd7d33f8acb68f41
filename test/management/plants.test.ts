import { expect, test } from 'vitest';
import { disableOwner } from '../../packages/server/src/fleet/plants/owners.ts';
import { unsharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { describeManagement, minimal, type Person } from './fixture.ts';

describeManagement(
  'plants over the signed interface',
  ({ clock, fleet, database, person, call, trail }) => {
    const zoneOf = async (id: string): Promise<string> =>
      (
        await database()
          .db.selectFrom('plant')
          .select('timeZone')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).timeZone;

    test('addStation makes a plant of the caller that tells what was said of it', async () => {
      const owner = await person();
      const { data, ...envelope } = await call(owner, 'addStation', {
        ...minimal,
        latitude: 52.52,
        longitude: '13.405',
        dip: 35,
        azimuth: 0,
        gdAreaCode: '110000',
        country: 276,
        countryStr: 'Germany',
        regionStr: 'Berlin',
        cityStr: 'Berlin',
        module: 24,
        offset: 12.5,
        picName: 'roof.jpg',
        mobile: '+49 30 1234',
        installerMobile: '+49 30 5678',
        nmiCode: '4102012345',
        language: 'de',
        unknown: 'ignored',
      });
      expect(envelope).toEqual({ success: true, code: '0', msg: 'success' });
      expect(data).toEqual({ id: expect.stringMatching(/^\d{19}$/) });
      const detail = await call(owner, 'stationDetail', { id: data.id });
      expect(detail.data).toMatchObject({
        id: data.id,
        userId: owner.id,
        stationName: minimal.stationName,
        addr: minimal.addr,
        capacity1: 9.84,
        price: 0.082,
        money: 'EUR',
        dip: 35,
        azimuth: 0,
        country: '276',
        countryStr: 'Germany',
        module: 24,
        offset: 12.5,
        picName: 'roof.jpg',
        installerMobile: '+49 30 5678',
        nmiCode: '4102012345',
        timeZoneId: 'Europe/Berlin',
        createDate: clock.at - 1000,
      });
      expect(
        (await call(owner, 'userStationList', { nmiCode: '4102012345' })).data.page.records.map(
          ({ id }: { id: string }) => id,
        ),
      ).toEqual([data.id]);
      expect(await trail(owner.id)).toEqual([
        { kind: 'plant.created', actor: `key:${owner.key.keyId}`, address: '127.0.0.1' },
      ]);
    });

    test('the zone is the one that is named, else that of the position, else that of the account', async () => {
      const owner = await person({ timeZone: 'Asia/Kathmandu' });
      for (const [where, zone] of [
        [
          { latitude: -33.87, longitude: 151.2, timeZoneId: 'Pacific/Kiritimati' },
          'Pacific/Kiritimati',
        ],
        [{ latitude: -33.87, longitude: 151.2 }, 'Australia/Sydney'],
        [{ latitude: 1.87, longitude: -157.4 }, 'Pacific/Kiritimati'],
        [{ latitude: -9, longitude: -139.5 }, 'Pacific/Marquesas'],
        [{ latitude: 0, longitude: 0 }, 'Asia/Kathmandu'],
        [{ latitude: 90, longitude: -180 }, 'Asia/Kathmandu'],
        [{}, 'Asia/Kathmandu'],
      ] as const) {
        const { data } = await call(owner, 'addStation', { ...minimal, ...where });
        expect([where, await zoneOf(data.id)]).toEqual([where, zone]);
      }
    });

    const invitationsOf = async (
      who: Person,
    ): Promise<
      { id: string; state: string; kind: string; plantId: string; to: string; direction: string }[]
    > => (await call(who, 'invitation/list')).data.records;

    test('an installer’s e-mail invites; on acceptance the plant is shared for control, under either spelling of the key', async () => {
      const [owner, installer] = [await person(), await person({ role: 'installer' })];
      for (const key of ['installerEmail', 'installerEmail ']) {
        const { data } = await call(owner, 'addStation', {
          ...minimal,
          [key]: ` ${installer.email.toUpperCase()} `,
        });
        expect((await call(installer, 'stationDetail', { id: data.id })).code).toBe('R0000');
        const [invitation] = await invitationsOf(installer);
        expect(invitation).toMatchObject({
          kind: 'installer',
          plantId: data.id,
          state: 'open',
          direction: 'received',
        });
        expect(await call(installer, 'invitation/accept', { id: invitation!.id })).toMatchObject({
          code: '0',
          data: null,
        });
        const seen = await call(installer, 'stationDetail', { id: data.id });
        expect(seen.data).toMatchObject({
          userId: owner.id,
          installerId: installer.id,
          installerEmail: installer.email,
        });
        const levels = await database()
          .db.selectFrom('plantAccess')
          .select(['accountId', 'level'])
          .where('plantId', '=', data.id)
          .orderBy('accountId')
          .execute();
        expect(levels).toEqual([
          { accountId: owner.id, level: 'owner' },
          { accountId: installer.id, level: 'control' },
        ]);
      }
      expect((await call(installer, 'userStationList')).data.stationStatusVo.all).toBe(2);
      const { data } = await call(owner, 'addStation', { ...minimal, installerEmail: owner.email });
      expect((await call(owner, 'stationDetail', { id: data.id })).data).toMatchObject({
        userId: owner.id,
        installerId: owner.id,
      });
    });

    test('stationUpdate and addStation answer alike for an installer with an account, without one and with a disabled one', async () => {
      const [owner, installer, gone] = [
        await person(),
        await person({ role: 'installer' }),
        await person({ role: 'installer' }),
      ];
      await fleet.write((trx) => disableOwner(trx, fleet.act(), gone.id));
      const { data } = await call(owner, 'addStation', minimal);
      for (const [id, request] of [
        ['addStation', minimal],
        ['addStationBindCollector', minimal],
        ['stationUpdate', { ...minimal, id: data.id }],
      ] as const) {
        const answers = [];
        for (const installerEmail of [
          installer.email,
          'nobody@example.com',
          'ä@例え.jp',
          gone.email,
        ]) {
          const answer = await call(owner, id, { ...request, installerEmail });
          answers.push(JSON.stringify(answer).replace(/\d{19}/g, 'ID'));
        }
        expect([id, new Set(answers).size, answers[0]]).toEqual([
          id,
          1,
          expect.stringContaining('"code":"0"'),
        ]);
        expect(
          await call(owner, id, { ...request, installerEmail: 'not an address' }),
        ).toMatchObject({ code: 'H0001', data: { field: 'installerEmail' } });
      }
      const sent = await invitationsOf(owner);
      expect(new Set(sent.map(({ direction }) => direction))).toEqual(new Set(['sent']));
      // One installer at a time is invited to a plant.
      expect(
        sent
          .filter(({ plantId, state }) => plantId === data.id && state === 'open')
          .map(({ to }) => to),
      ).toEqual([gone.email]);
    });

    test('an installer may make a plant for another account, which is theirs when they accept it; the installer stays its installer', async () => {
      const [owner, installer] = [
        await person({ timeZone: 'America/Denver' }),
        await person({ role: 'installer' }),
      ];
      const made = await call(installer, 'addStation', { ...minimal, userId: owner.id });
      expect((await call(owner, 'stationDetail', { id: made.data.id })).code).toBe('R0000');
      expect((await call(installer, 'stationDetail', { id: made.data.id })).data.userId).toBe(
        installer.id,
      );
      const [invitation] = await invitationsOf(owner);
      expect(invitation).toMatchObject({
        kind: 'owner',
        plantId: made.data.id,
        state: 'open',
        to: owner.id,
      });
      expect((await call(owner, 'invitation/accept', { id: invitation!.id })).code).toBe('0');
      expect((await call(owner, 'stationDetail', { id: made.data.id })).data).toMatchObject({
        userId: owner.id,
        installerId: installer.id,
      });
      expect((await call(installer, 'stationDetail', { id: made.data.id })).code).toBe('0');
      // The owner manages.
      expect((await call(installer, 'archiveStation', { id: made.data.id })).code).toBe('R0000');
      const own = await call(installer, 'addStation', minimal);
      expect((await call(installer, 'stationDetail', { id: own.data.id })).data.userId).toBe(
        installer.id,
      );
      expect((await call(owner, 'addStation', { ...minimal, userId: owner.id })).code).toBe('0');
    });

    test('a plant for another account takes over that account’s zone when it accepts, unless its zone was named or is that of its position', async () => {
      const [owner, installer] = [
        await person({ timeZone: 'America/Denver' }),
        await person({ role: 'installer', timeZone: 'Europe/Berlin' }),
      ];
      for (const [where, later, zone] of [
        [{}, undefined, 'America/Denver'],
        [{ timeZoneId: 'Europe/Berlin' }, undefined, 'Europe/Berlin'],
        [{ latitude: -33.87, longitude: 151.2 }, undefined, 'Australia/Sydney'],
        [{ latitude: 0, longitude: 0 }, undefined, 'America/Denver'],
        [{}, 'Europe/Berlin', 'Europe/Berlin'],
        [{}, 'Asia/Kathmandu', 'Asia/Kathmandu'],
      ] as const) {
        const { data } = await call(installer, 'addStation', {
          ...minimal,
          ...where,
          userId: owner.id,
        });
        // Until then nothing of the account shows.
        expect(await zoneOf(data.id)).toBe(
          'latitude' in where && where.latitude !== 0 ? zone : 'Europe/Berlin',
        );
        if (later !== undefined)
          await call(installer, 'stationUpdate', { ...minimal, id: data.id, timeZoneId: later });
        const invitation = (await invitationsOf(owner)).find(({ plantId }) => plantId === data.id)!;
        expect((await call(owner, 'invitation/accept', { id: invitation.id })).code).toBe('0');
        expect([where, later, await zoneOf(data.id)]).toEqual([where, later, zone]);
      }
    });

    test('a plant of one’s own keeps the zone that was assumed, and says nothing of it', async () => {
      const installer = await person({ role: 'installer', timeZone: 'Europe/Berlin' });
      const { data } = await call(installer, 'addStation', { ...minimal, userId: installer.id });
      const { facts } = await database()
        .db.selectFrom('plant')
        .select('facts')
        .where('id', '=', data.id)
        .executeTakeFirstOrThrow();
      expect([await zoneOf(data.id), JSON.parse(facts)]).toEqual(['Europe/Berlin', {}]);
    });

    test('B0011 no longer tells which user ids there are: it refuses a person who is no installer, whatever they name', async () => {
      const [owner, installer] = [await person(), await person({ role: 'installer' })];
      for (const userId of [installer.id, '1300000000000000009']) {
        expect(await call(owner, 'addStation', { ...minimal, userId })).toMatchObject({
          code: 'B0011',
          data: null,
        });
      }
      for (const userId of [owner.id, '1300000000000000009']) {
        expect(await call(installer, 'addStation', { ...minimal, userId })).toMatchObject({
          code: '0',
          data: { id: expect.stringMatching(/^\d{19}$/) },
        });
      }
    });

    test('addStationBindCollector asks for a name and a capacity alone, and answers the id as text', async () => {
      const owner = await person();
      const { code, data } = await call(owner, 'addStationBindCollector', {
        stationName: 'Barn',
        capacity: '30',
        type: 1,
        synchronizationType: 1,
        installTime: '2023-5-6',
        contribution: 1,
        daylightSwitch: 1,
      });
      expect([code, data]).toEqual(['0', expect.stringMatching(/^\d{19}$/)]);
      expect((await call(owner, 'stationDetail', { id: data })).data).toMatchObject({
        stationName: 'Barn',
        stationTypeNew: 1,
        synchronizationType: 1,
        money: 'EUR',
      });
      const { facts } = await database()
        .db.selectFrom('plant')
        .select('facts')
        .where('id', '=', data)
        .executeTakeFirstOrThrow();
      expect(JSON.parse(facts)).toEqual({ feedIn: 1, installedOn: '2023-05-06' });
    });

    test('stationUpdate changes what is sent and leaves the rest', async () => {
      const owner = await person();
      const { data } = await call(owner, 'addStation', {
        ...minimal,
        module: 24,
        cityStr: 'Berlin',
        dip: 30,
        latitude: 52.5,
        longitude: 13.4,
      });
      const change = {
        id: data.id,
        stationName: 'Renamed',
        capacity: 10.25,
        price: 0.079,
        addr: 'Elsewhere',
      };
      expect(await call(owner, 'stationUpdate', { ...change, money: 'chf', module: 26 })).toEqual({
        success: true,
        code: '0',
        msg: 'success',
        data: null,
      });
      expect((await call(owner, 'stationDetail', { id: data.id })).data).toMatchObject({
        stationName: 'Renamed',
        capacity1: 10.25,
        price: 0.079,
        addr: 'Elsewhere',
        money: 'CHF',
        module: 26,
        cityStr: 'Berlin',
        dip: 30,
        timeZoneId: 'Europe/Berlin',
      });
      expect((await trail(owner.id)).map(({ kind }) => kind)).toEqual([
        'plant.created',
        'plant.changed',
      ]);
    });

    test('a plant’s zone changes from now on, and not by its position', async () => {
      const owner = await person();
      const { data } = await call(owner, 'addStation', {
        ...minimal,
        latitude: 52.5,
        longitude: 13.4,
      });
      const change = { ...minimal, id: data.id };
      await call(owner, 'stationUpdate', { ...change, latitude: 40.7, longitude: -74 });
      expect(await zoneOf(data.id)).toBe('Europe/Berlin');
      await call(owner, 'stationUpdate', { ...change, timeZoneId: 'America/New_York' });
      const zones = await database()
        .db.selectFrom('plantZone')
        .select(['fromAt', 'timeZone'])
        .where('plantId', '=', data.id)
        .orderBy('fromAt')
        .execute();
      expect(zones).toEqual([
        { fromAt: 0, timeZone: 'Europe/Berlin' },
        { fromAt: clock.at, timeZone: 'America/New_York' },
      ]);
    });

    test('another installer takes the place of the former one; a share that the owner withdrew stays withdrawn', async () => {
      const [owner, first, second] = [await person(), await person(), await person()];
      const { data } = await call(owner, 'addStation', { ...minimal, installerEmail: first.email });
      const change = { ...minimal, id: data.id };
      const sees = async (): Promise<string[]> => [
        (await call(first, 'stationDetail', { id: data.id })).code,
        (await call(second, 'stationDetail', { id: data.id })).code,
      ];
      const accepts = async (who: Person): Promise<void> => {
        const [{ id } = { id: '' }] = await invitationsOf(who);
        expect((await call(who, 'invitation/accept', { id })).code).toBe('0');
      };
      expect(await sees()).toEqual(['R0000', 'R0000']);
      await accepts(first);
      expect(await sees()).toEqual(['0', 'R0000']);
      await call(owner, 'stationUpdate', { ...change, installerEmail: second.email });
      expect(await sees()).toEqual(['0', 'R0000']);
      await accepts(second);
      expect(await sees()).toEqual(['R0000', '0']);
      expect((await call(first, 'userStationList')).data.stationStatusVo.all).toBe(0);
      await fleet.write((trx) => unsharePlant(trx, fleet.act(), data.id, second.email));
      await call(owner, 'stationUpdate', { ...change, installerEmail: second.email });
      expect(await sees()).toEqual(['R0000', 'R0000']);
      expect(
        await call(owner, 'stationUpdate', {
          ...change,
          stationName: 'Never',
          installerEmail: 'not an address',
        }),
      ).toMatchObject({ code: 'H0001' });
      expect((await call(owner, 'stationDetail', { id: data.id })).data.stationName).toBe(
        minimal.stationName,
      );
    });

    test('archiveStation ends a plant for everybody and frees its devices', async () => {
      const [owner, installer] = [await person(), await person()];
      const { sn } = await fleet.device(null);
      const { data } = await call(owner, 'addStation', {
        ...minimal,
        inverterSn: sn,
        installerEmail: installer.email,
      });
      expect((await call(owner, 'userStationList')).data.stationStatusVo.all).toBe(1);
      expect(await call(owner, 'archiveStation', { id: data.id })).toMatchObject({
        code: '0',
        data: null,
      });
      for (const who of [owner, installer]) {
        expect((await call(who, 'stationDetail', { id: data.id })).code).toBe('R0000');
        expect((await call(who, 'userStationList')).data).toMatchObject({
          stationStatusVo: { all: 0 },
          page: { total: 0 },
        });
      }
      expect((await call(owner, 'addStation', { ...minimal, inverterSn: sn })).code).toBe('0');
      expect(await call(owner, 'archiveStation', { id: data.id })).toMatchObject({ code: 'R0000' });
    });
  },
);
