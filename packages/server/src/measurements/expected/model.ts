import { sunPosition, type SunObserver, type SunPosition } from '../../fleet/devices/sun.ts';
import { acPower, dcPower, moduleTemperature, temperatureFactor } from './array-power.ts';
import { onPlane, type Orientation } from './plane.ts';
import { divideGlobal, extraterrestrial } from './sky.ts';
import { MEANS_STEP_MS, type MeansSteps } from './step-means.ts';

/** An array as the model takes it. */
export interface ModelArray {
  readonly plane: Orientation;
  readonly capacityW: number;
}

/** An inverter with its arrays. */
export interface ModelUnit {
  /** Serial number; undefined: it is not known which arrays feed which inverter. */
  readonly sn: string | undefined;
  readonly arrays: readonly ModelArray[];
  /** Of all inverters of the unit; null = unknown. */
  readonly ratedW: number | null;
}

/** What a weather station saw in a step, W/m², °C and m/s; undefined = not measured. */
export interface StationStep {
  readonly plane?: number | undefined;
  readonly global?: number | undefined;
  readonly direct?: number | undefined;
  readonly diffuse?: number | undefined;
  readonly ambientC?: number | undefined;
  readonly moduleC?: number | undefined;
  readonly windMs?: number | undefined;
}

/** What the light in the planes of the modules is calculated from. */
export type LightSource = 'plane' | 'global';

/** What is expected in a step. */
export interface ExpectedStep {
  readonly at: number;
  /** Whether the sun is up; without it, nothing is expected. */
  readonly isDay: boolean;
  /** Undefined if it is day and the irradiance is not known. */
  readonly light:
    | {
        /** Mean irradiance in the planes of the modules, by capacity, W/m²; undefined = what is expected follows from no irradiance. */
        readonly planeWm2: number | undefined;
        /** IEC 61724-1: C_k, by which the temperature-corrected performance ratio is weighted. */
        readonly temperatureFactor: number;
        /** AC power of each unit, W. */
        readonly unitsW: readonly number[];
        /** What the inverters of each unit cut off, W. */
        readonly clippedW: readonly number[];
      }
    | undefined;
}

/** Taken where no temperature is measured. The uncertainty says so. */
const AMBIENT_C = 20;

/** What units should deliver in each step, from what a station saw. */
export function expectedSteps(
  place: SunObserver,
  units: readonly ModelUnit[],
  { startAt, count }: MeansSteps,
  source: LightSource,
  seen: (step: number) => StationStep,
): ExpectedStep[] {
  return Array.from({ length: count }, (_, step) => {
    const at = startAt + step * MEANS_STEP_MS;
    const middle = at + MEANS_STEP_MS / 2;
    const sun = sunPosition(place, middle);
    if (sun.elevation <= 0) return { at, isDay: false, light: nothing(units) };
    const station = seen(step);
    const lightOn = lightOf(station, source, sun, middle);
    return { at, isDay: true, light: lightOn && expectedLight(units, station, lightOn) };
  });
}

const nothing = (units: readonly ModelUnit[]): NonNullable<ExpectedStep['light']> => ({
  planeWm2: 0,
  temperatureFactor: 1,
  unitsW: units.map(() => 0),
  clippedW: units.map(() => 0),
});

type LightOn = (plane: Orientation) => number;

/** The irradiance in a plane, W/m²; undefined if it is not known. */
function lightOf(
  { plane, global, direct, diffuse }: StationStep,
  source: LightSource,
  sun: SunPosition,
  at: number,
): LightOn | undefined {
  if (source === 'plane') return plane === undefined ? undefined : () => Math.max(0, plane);
  if (global === undefined) return undefined;
  const above = extraterrestrial(at);
  const [whole, beam, rest] = [global, direct, diffuse].map((each) => each && Math.max(0, each));
  const light =
    beam !== undefined && rest !== undefined
      ? { global: whole!, direct: beam, diffuse: rest }
      : divideGlobal(whole!, sun.elevation, above);
  return (orientation) => onPlane(light, sun, orientation, above);
}

function expectedLight(
  units: readonly ModelUnit[],
  { ambientC = AMBIENT_C, moduleC, windMs }: StationStep,
  lightOn: LightOn,
): NonNullable<ExpectedStep['light']> {
  let [capacityW, light, corrected] = [0, 0, 0];
  const clipped: number[] = [];
  const unitsW = units.map(({ arrays, ratedW }) => {
    let [dcW, ofUnit] = [0, 0];
    for (const array of arrays) {
      const irradiance = lightOn(array.plane);
      const temperature = moduleC ?? moduleTemperature(irradiance, ambientC, windMs);
      dcW += dcPower(array.capacityW, irradiance, temperature);
      ofUnit += array.capacityW;
      light += array.capacityW * irradiance;
      corrected += array.capacityW * irradiance * temperatureFactor(temperature);
    }
    capacityW += ofUnit;
    const { powerW, clippedW } = acPower(dcW, ratedW ?? ofUnit);
    clipped.push(clippedW);
    return powerW;
  });
  return {
    planeWm2: light / capacityW,
    temperatureFactor: light > 0 ? corrected / light : 1,
    unitsW,
    clippedW: clipped,
  };
}
