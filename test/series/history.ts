import { bindDevice, endBinding } from '../../packages/server/src/fleet/plants/bindings.ts';
import { setTariff } from '../../packages/server/src/fleet/plants/tariffs/prices.ts';
import { userCaller } from '../support/world.ts';
import type { createFleet, Measurements } from '../operations/fleet.ts';
import { createRichScene, questions, type QueryId, type Scene } from '../operations/scene.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A scene with some history, and a plant to which its inverter has gone. */
export interface History {
  readonly scene: Scene;
  readonly elsewhere: string;
}

/** An installation with some history: late and corrected readings, a price, a device that moved. */
export async function makeHistory(fleet: ReturnType<typeof createFleet>): Promise<History> {
  const { clock } = fleet;
  const scene = await createRichScene(fleet);
  const now = clock.now();
  const { sn, id } = scene.devices.inverter;
  const hourly = (from: number, count: number, values: (i: number) => Measurements) =>
    Array.from({ length: count }, (_, i) => [from + i * HOUR, values(i)] as const);
  await fleet.report(
    sn,
    hourly(now - 70 * DAY, 60, (i) => ({ acPowerW: (i % 24) * 100, gridExportTotalKwh: i })),
  );
  await fleet.report(
    sn,
    hourly(now - 3 * DAY, 30, (i) => ({ acPowerW: 700, batteryPowerW: i % 2 ? 50 : -50 })),
  );
  await fleet.report(sn, [[now - 69 * DAY, { acPowerW: 5000, temperatureC: 30 }]]);
  await fleet.write((trx) =>
    setTariff(trx, fleet.act(), scene.plantId, 'production', {
      fromAt: now - 69 * DAY,
      pricePerKwh: 0.3,
    }),
  );
  await fleet.runWork();
  const elsewhere = await fleet.plant(scene.owner);
  await fleet.write(async (trx) => {
    await endBinding(trx, fleet.act(), id, scene.plantId);
    await bindDevice(trx, fleet.act(), id, elsewhere);
  });
  clock.at += HOUR;
  await fleet.report(sn, [
    [now - 2 * DAY, { acPowerW: 4000 }],
    [now + HOUR / 2, { acPowerW: 300, energyTotalKwh: 200 }],
  ]);
  await fleet.watch();
  return { scene, elsewhere };
}

/** Every answer that there is about it. */
export async function askAll(
  fleet: ReturnType<typeof createFleet>,
  { scene, elsewhere }: History,
): Promise<[question: string, answer: string][]> {
  const answers: [string, string][] = [];
  for (const [question, asks] of Object.entries(questions) as [
    QueryId,
    (typeof questions)[QueryId],
  ][]) {
    for (const ask of asks) {
      for (const plantId of [scene.plantId, elsewhere]) {
        const body = ask({ ...scene, plantId });
        const answer = await fleet
          .wire(question, userCaller(scene.owner), body)
          .catch((error: unknown) => String(error));
        answers.push([`${question} ${JSON.stringify(body)}`, JSON.stringify(answer)]);
      }
    }
  }
  return answers;
}
