import { expect, test } from 'vitest';
import { controlsOf } from '../../packages/simulator/src/devices/controls.ts';
import { describeStrategies, type Battery } from './scene.ts';

const MINUTE_MS = 60_000;

describeStrategies('a set point', (scene) => {
  const { clock, database, divide } = scene;
  const batteries = (amount: number): Promise<Battery[]> => scene.batteries(amount, 8000);

  /** What they measure: a house that takes a kilowatt, and a battery at a state of charge that does nothing yet. */
  const report = async (all: readonly Battery[], socPercent = 80): Promise<void> => {
    for (const { sn } of all)
      await scene.report(sn, [
        [
          clock.at,
          { gridPowerW: -1000, batteryPowerW: 0, batterySocPercent: socPercent, dcPowerW: 0 },
        ],
      ]);
  };
  const pass = async (all: readonly Battery[], ms: number): Promise<void> => {
    clock.at += ms;
    await report(all.filter(({ isOnline }) => isOnline));
    await divide();
    await scene.settle(...all);
  };
  /** The power that the settings of each make its battery give now, W. */
  const powersOf = (all: readonly Battery[], socPercent = 80): number[] =>
    all.map(({ memory }) => {
      const minute = Math.floor((clock.at % 86_400_000) / MINUTE_MS);
      return -(
        controlsOf(
          memory,
          { capacityKwh: 10, maxPowerW: 8000, reservePercent: 5 },
          minute,
          socPercent,
        ).battery!.scheduledW ?? 0
      );
    });
  const sumOf = (powers: readonly number[]): number => powers.reduce((a, b) => a + b, 0);

  test('is measured by the same meter as its delivery: an EPM unit comes before an ammeter, and both before the inverter', async () => {
    const all = await batteries(1);
    const { plantId, ownerId, sn } = all[0]!;
    const partner = await scene.partner(ownerId);
    const meters = [
      await scene.device(plantId, { kind: 'ammeter' }),
      await scene.device(plantId, { kind: 'epm' }),
    ];
    await report(all);
    for (const [i, gridPowerW] of [-2000, -3000].entries())
      await scene.report(meters[i]!.sn, [[clock.at, { gridPowerW }]]);
    await partner.dispatch({ sn: [sn], powerKw: 1 });
    await divide();
    await scene.settle(...all);
    expect(sumOf(powersOf(all))).toBeGreaterThan(3800);
  });

  test('is divided over the batteries, measured at the connections of the plants', async () => {
    const all = await batteries(3);
    const before = all.map((one) => one.registers());
    const partner = await scene.partner(all[0]!.ownerId);
    await report(all);
    const id = await partner.dispatch({ sn: all.map(({ sn }) => sn), powerKw: 3 });
    await divide();
    await scene.settle(...all);
    // 3 kW at the connections, and 3 kW for the houses: 2 kW each. Currents are those of the nominal voltage, which a charged battery exceeds a little.
    expect(sumOf(powersOf(all))).toBeGreaterThan(6000 * 0.95);
    expect(sumOf(powersOf(all))).toBeLessThanOrEqual(6000 * 1.05);
    expect(Math.max(...powersOf(all))).toBeLessThanOrEqual(2000 * 1.05);
    expect((await partner.ask('strategy/detail', { id })).body.data).toMatchObject({
      state: 'active',
      powerKw: 3,
      devices: { active: 3 },
    });
    clock.at += MINUTE_MS;
    const { rows } = (await partner.ask('strategy/delivery', { id })).body.data as {
      rows: { askedKw: number; payload: string; measuredAt: string }[];
    };
    expect(new Set(rows.map(({ payload, measuredAt }) => `${payload} ${measuredAt}`))).toEqual(
      new Set(['setPoint battery']),
    );
    expect(sumOf(rows.slice(0, 3).map(({ askedKw }) => askedKw))).toBeCloseTo(6, 0);
    await partner.ask('strategy/cancel', { id });
    await scene.settle(...all);
    expect(all.map((one) => one.registers())).toEqual(before);
  });

  test('is held while one drops out, by what the others can give, and nothing is written without need', async () => {
    const all = await batteries(3);
    const partner = await scene.partner(all[0]!.ownerId);
    await report(all);
    await partner.dispatch({ sn: all.map(({ sn }) => sn), powerKw: 3 });
    await pass(all, 1000);
    const writes = (): number => all.reduce((sum, { written }) => sum + written.length, 0);
    const written = writes();
    await pass(all, MINUTE_MS);
    expect(writes()).toBe(written);
    const [gone, ...left] = all as [Battery, Battery, Battery];
    gone.isOnline = false;
    await database()
      .db.updateTable('device')
      .set({ state: 2 })
      .where('id', '=', gone.deviceId)
      .execute();
    await pass(all, MINUTE_MS);
    // It does nothing any more that could be counted on; the others give what all three should.
    expect(sumOf(powersOf(left))).toBeGreaterThan(6000 * 0.95);
    expect(sumOf(powersOf(left))).toBeLessThanOrEqual(6000 * 1.05);
  });

  test('leaves the reserve, and batteries of which nothing is known, alone', async () => {
    const all = await batteries(3);
    const [empty, unknown, full] = all as [Battery, Battery, Battery];
    const partner = await scene.partner(empty.ownerId);
    await report([empty], 25);
    await report([full]);
    for (const { plantId } of all)
      await scene.callAs(empty.ownerId, 'strategy/setLimits', { plantId, reserveSocPercent: 30 });
    await partner.dispatch({ sn: all.map(({ sn }) => sn), powerKw: 1 });
    await divide();
    await scene.settle(...all);
    const [a, b, c] = powersOf(all);
    expect([Math.abs(a!), Math.abs(b!)]).toEqual([0, 0]);
    // A kilowatt at the connections, and two for the houses that are measured.
    expect(c).toBeGreaterThan(3000 * 0.95);
    expect(full.memory.get('5965')).toBe('30');
    expect(unknown.memory.get('5922')).toBe('0');
  });

  const reportVoltage = (sn: string, batteryVoltageV: number, batteryPowerW = 0): Promise<void> =>
    scene.report(sn, [
      [
        clock.at,
        {
          gridPowerW: -batteryPowerW,
          batteryPowerW,
          batterySocPercent: 80,
          batteryVoltageV,
          dcPowerW: 0,
        },
      ],
    ]);
  const DISCHARGE_AMPS = '5967';

  test('becomes currents by the voltage that is measured; they are set anew when it has changed them by more than 2 %, once in ten minutes', async () => {
    const all = await batteries(1);
    const [{ sn, memory, ownerId }] = all as [Battery];
    const partner = await scene.partner(ownerId);
    await reportVoltage(sn, 400);
    await partner.dispatch({ sn: [sn], powerKw: 4 });
    const after = async (ms: number, batteryVoltageV: number): Promise<string | undefined> => {
      clock.at += ms;
      await reportVoltage(sn, batteryVoltageV, -4000);
      await divide();
      await scene.settle(...all);
      return memory.get(DISCHARGE_AMPS);
    };
    expect(await after(1000, 400)).toBe('10');
    // Within the power of one ampere, which is the least that can be changed.
    expect(await after(11 * MINUTE_MS, 370)).toBe('10');
    expect(await after(11 * MINUTE_MS, 350)).toBe('11');
    expect(await after(MINUTE_MS, 450)).toBe('11');
    expect(await after(10 * MINUTE_MS, 450)).toBe('9');
  });

  test('counts what a falling voltage leaves of the powers of many', async () => {
    const all = await batteries(5);
    const partner = await scene.partner(all[0]!.ownerId);
    const each = async (volts: number, batteryPowerW: number): Promise<number> => {
      for (const { sn } of all) await reportVoltage(sn, volts, batteryPowerW);
      await divide();
      await scene.settle(...all);
      return sumOf(all.map(({ memory }) => Number(memory.get(DISCHARGE_AMPS)))) * volts;
    };
    await each(54, 0);
    await partner.dispatch({ sn: all.map(({ sn }) => sn), powerKw: 20 });
    expect(await each(54, 0)).toBeCloseTo(20_000, -2);
    clock.at += 11 * MINUTE_MS;
    expect(await each(51, -20_000 / 5)).toBeCloseTo(20_000, -2);
  });

  test('goes by the nominal voltage where none is measured, or what is measured is no battery', async () => {
    const all = await batteries(2);
    const [dead, silent] = all as [Battery, Battery];
    const partner = await scene.partner(dead.ownerId);
    await reportVoltage(dead.sn, 0);
    await scene.report(silent.sn, [
      [clock.at, { gridPowerW: 0, batteryPowerW: 0, batterySocPercent: 80, dcPowerW: 0 }],
    ]);
    await partner.dispatch({ sn: all.map(({ sn }) => sn), powerKw: 2 * 20 * 0.0512 });
    await divide();
    await scene.settle(...all);
    expect(all.map(({ memory }) => memory.get(DISCHARGE_AMPS))).toEqual(['20', '20']);
  });

  test.each([
    { volts: 400, powerKw: 3, amps: '7' },
    { volts: 48, powerKw: 8, amps: '166' },
    // The highest current of a slot gives 15.3 kW at the nominal voltage.
    { volts: 44, powerKw: 15, amps: '300' },
  ])(
    'a day plan of $powerKw kW is $amps A at $volts V, as measured at its beginning',
    async ({ volts, powerKw, amps }) => {
      const all = await scene.batteries(1, 20_000);
      const [{ sn, memory, ownerId }] = all as [Battery];
      const partner = await scene.partner(ownerId);
      await reportVoltage(sn, volts);
      await partner.dispatch({
        sn: [sn],
        intervals: [
          { start: '00:00', end: '24:00', payload: { type: 'discharge', socPercent: 20, powerKw } },
        ],
      });
      await scene.settle(...all);
      expect(memory.get(DISCHARGE_AMPS)).toBe(amps);
      clock.at += MINUTE_MS;
      await reportVoltage(sn, volts * 1.1);
      await scene.wait(60 * MINUTE_MS, ...all);
      expect(memory.get(DISCHARGE_AMPS)).toBe(amps);
    },
  );

  test('is refused for a device without a battery', async () => {
    const here = await scene.home({ model: 'SIM-5K' });
    const partner = await scene.partner(here.ownerId);
    expect(
      (await partner.ask('strategy/create', scene.request({ sn: here.sn, powerKw: 1 }))).body,
    ).toMatchObject({ code: 'H0001', data: { field: 'sn' } });
  });
});
