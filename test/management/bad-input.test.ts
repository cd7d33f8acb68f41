import { expect, test } from 'vitest';
import { describeManagement, minimal } from './fixture.ts';

const RTL = '\u202eسقف مدرسة';
const FAMILY = '👨‍👩‍👧‍👦';

describeManagement('what management refuses', ({ fleet, person, call, collector }) => {
  test.each([
    ['stationName', '   ', 'I0000'],
    ['stationName', null, 'I0000'],
    ['stationName', 'x'.repeat(101), 'H0001'],
    ['stationName', 'x'.repeat(1000), 'H0001'],
    ['stationName', 'line\nfeed', 'H0001'],
    ['stationName', 'nul\u0000', 'H0001'],
    ['stationName', 'next\u0085line', 'H0001'],
    ['stationName', '\ud83d', 'H0001'],
    ['stationName', ['x'], 'H0001'],
    ['capacity', -1, 'H0001'],
    ['capacity', '-0.1', 'H0001'],
    ['capacity', 10_000_001, 'H0001'],
    ['capacity', 'NaN', 'H0001'],
    ['capacity', '', 'I0000'],
    ['capacity', true, 'H0001'],
    ['money', 'EURO', 'H0001'],
    ['money', '€', 'H0001'],
    ['addr', 'x'.repeat(301), 'H0001'],
    ['price', -0.01, 'H0001'],
    ['price', 'free', 'H0001'],
    ['latitude', 91, 'H0001'],
    ['latitude', '-90.0001', 'H0001'],
    ['longitude', 180.5, 'H0001'],
    ['dip', 91, 'H0001'],
    ['azimuth', 361, 'H0001'],
    ['module', 1.5, 'H0001'],
    ['module', -1, 'H0001'],
    ['type', 12, 'H0001'],
    ['synchronizationType', 3, 'H0001'],
    ['nmiCode', 'no spaces', 'H0001'],
    ['nmiCode', 'x'.repeat(21), 'H0001'],
    ['timeZoneId', 'Mars/Olympus', 'H0001'],
    ['timeZoneId', '+01:00', 'H0001'],
    ['userId', 'me', 'H0001'],
    ['offset', -1, 'H0001'],
    ['mobile', 'x'.repeat(41), 'H0001'],
    ['installerEmail', `${'x'.repeat(255)}@example.com`, 'H0001'],
  ] as const)(
    'addStation with %s %j: %s with the name of the field',
    async (field, value, code) => {
      const owner = await person();
      const answer = await call(owner, 'addStation', { ...minimal, [field]: value });
      expect(answer).toMatchObject({ success: false, code, data: { field } });
      if (code === 'H0001') expect(answer.data.expected).toEqual(expect.any(String));
      expect((await call(owner, 'userStationList')).data.page.total).toBe(0);
    },
  );

  test.each([
    ['latitude', 'longitude'],
    ['longitude', 'latitude'],
  ])(
    'half a position, %s alone, is refused with the name of the other half, and nothing is changed',
    async (given, missing) => {
      const owner = await person();
      const { data } = await call(owner, 'addStation', {
        ...minimal,
        latitude: 52.5,
        longitude: 13.4,
      });
      const before = (await call(owner, 'stationDetail', { id: data.id })).data;
      for (const [id, body] of [
        ['addStation', {}],
        ['addStationBindCollector', {}],
        ['stationUpdate', { id: data.id, stationName: 'Half' }],
      ] as const) {
        const answer = await call(owner, id, {
          ...minimal,
          ...body,
          [given]: 40.7,
          [missing]: ' ',
        });
        expect([id, answer]).toMatchObject([
          id,
          { code: 'I0000', data: { field: missing, expected: `sent together with ${given}` } },
        ]);
      }
      expect((await call(owner, 'stationDetail', { id: data.id })).data).toEqual(before);
      expect((await call(owner, 'userStationList')).data.page.total).toBe(1);
    },
  );

  test.each([
    ['emoji', FAMILY],
    ['a hundred of them', '😀'.repeat(100)],
    ['text from right to left with its mark', RTL],
    ['markup', '<script>alert(1)</script> & "quotes" \'; drop table plant; --'],
    ['a backslash and a percent sign', '50 % \\ %s ${x}'],
  ])('a name may be %s, and comes back to the letter', async (_, stationName) => {
    const owner = await person();
    const { data } = await call(owner, 'addStation', {
      ...minimal,
      stationName: ` ${stationName} `,
      addr: stationName,
    });
    expect((await call(owner, 'stationDetail', { id: data.id })).data).toMatchObject({
      stationName,
      addr: stationName,
    });
    await call(owner, 'stationUpdate', { ...minimal, id: data.id, stationName: 'plain' });
    await call(owner, 'stationUpdate', { ...minimal, id: data.id, stationName });
    expect((await call(owner, 'stationDetail', { id: data.id })).data.stationName).toBe(
      stationName,
    );
  });

  test('values at their ends are taken', async () => {
    const owner = await person();
    const ends = {
      capacity: 0,
      price: 0,
      latitude: -90,
      longitude: 180,
      dip: 90,
      azimuth: -360,
      module: 0,
      type: 11,
      offset: 0,
      stationName: 'x'.repeat(100),
    };
    expect((await call(owner, 'addStation', { ...minimal, ...ends })).code).toBe('0');
  });

  test('the same device twice in one call is refused, whatever the operation', async () => {
    const owner = await person();
    const plantId = await fleet.plant(owner.id);
    const [device, box] = [await fleet.device(null), await collector()];
    for (const [id, field, body] of [
      ['addDevice', 'sn', { id: plantId, sn: `${device.sn},${device.sn}` }],
      ['addStation', 'inverterSn', { ...minimal, inverterSn: [device.sn, ` ${device.sn} `] }],
      ['addStation', 'collectorSn', { ...minimal, collectorSn: `${box.sn}, ${box.sn}` }],
      ['addStationBindCollector', 'sn', { ...minimal, sn: [box.sn, box.sn] }],
      ['delCollector', 'sn', { sn: [box.sn, box.sn] }],
      ['unbindDevice', 'sn', { sn: [device.sn, device.sn] }],
    ] as const) {
      expect(await call(owner, id, body)).toMatchObject({
        code: 'H0001',
        data: { field, expected: expect.stringContaining('each once') },
      });
    }
  });

  test('lists end at a thousand, and need something in them', async () => {
    const owner = await person();
    const id = await fleet.plant(owner.id);
    const many = Array.from({ length: 1001 }, (_, i) => `SN${i}`).join(',');
    expect(await call(owner, 'addDevice', { id, sn: many })).toMatchObject({
      code: 'H0001',
      data: { field: 'sn' },
    });
    for (const sn of ['', '  ', null])
      expect(await call(owner, 'addDevice', { id, sn })).toMatchObject({
        code: 'I0000',
        data: { field: 'sn' },
      });
    for (const sn of [[], ',', [' ']])
      expect(await call(owner, 'addDevice', { id, sn })).toMatchObject({
        code: 'I0000',
        data: { field: 'sn' },
      });
    expect(await call(owner, 'addDevice', { sn: 'X' })).toMatchObject({
      code: 'I0000',
      data: { field: 'id' },
    });
  });

  test('inverters or collectors, not both', async () => {
    const owner = await person();
    const [device, box] = [await fleet.device(null), await collector()];
    expect(
      await call(owner, 'addStation', { ...minimal, inverterSn: device.sn, collectorSn: box.sn }),
    ).toMatchObject({
      code: 'H0001',
      data: { field: 'collectorSn', expected: 'one of inverterSn, collectorSn' },
    });
  });

  test('id and meter of two plants are no plant', async () => {
    const owner = await person();
    const [a, b] = [
      await fleet.plant(owner.id, { nmiCode: 'NMIA' }),
      await fleet.plant(owner.id, { nmiCode: 'NMIB' }),
    ];
    const { sn } = await fleet.device(null);
    expect((await call(owner, 'addDevice', { id: a, nmiCode: 'NMIB', sn })).code).toBe('R0000');
    expect((await call(owner, 'addDevice', { id: b, nmiCode: 'NMIB', sn })).code).toBe('0');
  });

  test('serial numbers count to the letter', async () => {
    const owner = await person();
    const id = await fleet.plant(owner.id);
    const { sn } = await fleet.device(null, { sn: 'CaseCounts-1' });
    for (const other of [sn.toLowerCase(), `${sn}\u200b`, 'x'.repeat(10_000), '😀'])
      expect((await call(owner, 'addDevice', { id, sn: other })).code).toBe('R0000');
    expect((await call(owner, 'addDevice', { id, sn: ` ${sn} ` })).code).toBe('0');
  });
});
