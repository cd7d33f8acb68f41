import type { Db, Instant } from '../../../platform/storage/database.ts';
import type { StoredReading, Telemetry } from '../../../measurements/telemetry/telemetry.ts';
import type { DueDevice } from '../due-devices.ts';
import { gridVoltagesIn } from '../grid-voltages.ts';
import { learn, observedPeaks, type Learned } from './learned.ts';
import { quantileOf } from '../../../measurements/expected/median.ts';
import { createNeighbours, wantsNeighbours } from './neighbours.ts';
import type { Observation } from '../rule.ts';
import { findWeatherStations } from './weather-stations.ts';

/** The observation of a device, and the facts known about it after these samples. */
export interface ObservedDevice {
  readonly observation: Observation;
  readonly learned: Learned | null;
}

/** How far back from the new samples the rules may look: the longest time that any rule waits. */
const LOOK_BACK_MS = 3 * 3_600_000;
/** Samples older than this are history: they raise and end no alarms. */
export const NEWS_MS = 86_400_000;
/** How long a weather station's sample is valid. */
const WEATHER_HOLDS_MS = 1_800_000;

/** Observes devices that have new samples; a weather station's samples are read once for its whole plant. */
export function createObservations({
  db,
  telemetry,
  now,
}: {
  db: Db;
  telemetry: Pick<Telemetry, 'readingsBetween'>;
  now: Instant;
}) {
  const fromAt = now - NEWS_MS - LOOK_BACK_MS;
  const weather = new Map<string, StoredReading[]>();
  const neighboursOf = createNeighbours({ db, telemetry });

  /** Reads the weather at the plants of some devices. */
  async function readWeather(devices: readonly DueDevice[]): Promise<void> {
    const plantIds = devices.flatMap(({ plantId, kind }) =>
      plantId !== null && kind === 'inverter' ? [plantId] : [],
    );
    for (const [plantId, seriesId] of await findWeatherStations(db, [...new Set(plantIds)])) {
      weather.set(plantId, await telemetry.readingsBetween(db, seriesId, fromAt, now + 1));
    }
  }

  async function observe(device: DueDevice, lastAt: Instant): Promise<ObservedDevice> {
    // Samples from another plant are left out.
    const since = Math.max(
      Math.max(device.evaluatedAt, now - NEWS_MS) - LOOK_BACK_MS,
      device.binding?.fromAt ?? 0,
    );
    const samples = await telemetry.readingsBetween(db, device.seriesId, since, lastAt + 1);
    const measured = weather.get(device.plantId ?? '') ?? [];
    const seen = {
      kind: device.kind,
      ratedPowerW: device.ratedPowerW,
      expectedSeconds: paceOf(samples) ?? device.sampleSeconds,
      dcInputs: device.facts.dcInputs ?? null,
      site: device.site,
      gridVoltages: gridVoltagesIn(device.timeZone),
      samples,
      irradianceAt(at: Instant) {
        const sample = measured.findLast((each) => each.at <= at);
        if (!sample || at - sample.at > WEATHER_HOLDS_MS) return undefined;
        return sample.values.irradianceWm2 ?? sample.values.globalIrradianceWm2;
      },
      neighboursAt: wantsNeighbours(device, samples)
        ? await neighboursOf(device, since, lastAt)
        : () => [],
    };
    const learned = device.binding && learn(device.learned, device.binding.no, seen);
    return { observation: observedPeaks(seen, learned), learned };
  }

  return { readWeather, observe };
}

const SECONDS_AT_LEAST = 60;
const SECONDS_AT_MOST = 3600;
const SAMPLES_AT_LEAST = 3;

/** The interval between a device's samples, in seconds: the lower quartile, so that lost samples do not look like a slower pace. */
export function paceOf(samples: readonly StoredReading[]): number | undefined {
  if (samples.length < SAMPLES_AT_LEAST) return undefined;
  const distances = samples.slice(1).map(({ at }, i) => at - samples[i]!.at);
  return Math.min(
    SECONDS_AT_MOST,
    Math.max(SECONDS_AT_LEAST, Math.round(quantileOf(distances, 0.25) / 1000)),
  );
}
