import { HOUR_MS, MINUTE_MS } from '@helioport/contract/durations';

/** What a weather service says of a moment: means of an interval around it, W/m², and °C. */
export interface ServiceSample {
  readonly at: number;
  readonly globalWm2: number;
  readonly directWm2?: number;
  readonly diffuseWm2?: number;
  readonly ambientC?: number;
}

/** An answer that is not what was asked for. */
export class WeatherFault extends Error {}

const STEPS_MS: readonly number[] = [15 * MINUTE_MS, HOUR_MS];
const ROWS_AT_MOST = 100 * 96;
const QUANTITIES = {
  globalWm2: ['shortwave_radiation', 'W/m²', -10, 1_600],
  directWm2: ['direct_normal_irradiance', 'W/m²', -10, 1_600],
  diffuseWm2: ['diffuse_radiation', 'W/m²', -10, 1_600],
  ambientC: ['temperature_2m', '°C', -90, 70],
} as const;
type Quantity = keyof typeof QUANTITIES;

/**
 * Reads an answer in the form of Open-Meteo: `minutely_15`, otherwise `hourly`, with times of GMT in seconds or as ISO 8601. Radiation is the mean of the interval
 * that ends at its time (open-meteo.com/en/docs). Samples stand at the middle of their intervals. Throws WeatherFault.
 */
export function readWeather(text: string): ServiceSample[] {
  const answer = objectOf(parsed(text), 'the answer');
  const name = answer['minutely_15'] === undefined ? 'hourly' : 'minutely_15';
  const block = objectOf(answer[name], name);
  const units = answer[`${name}_units`];
  if (answer['utc_offset_seconds'] !== undefined && answer['utc_offset_seconds'] !== 0)
    throw new WeatherFault('the times are not of GMT: ask with timezone=GMT');
  const times = timesOf(block['time']);
  const step = stepOf(times);
  const columns = (Object.keys(QUANTITIES) as Quantity[]).map(
    (quantity) => [quantity, columnOf(block, units, quantity, times.length)] as const,
  );
  if (columns[0]![1] === undefined) throw new WeatherFault('shortwave_radiation is missing');
  return times.flatMap((time, i): ServiceSample[] => {
    const known = columns.flatMap(([quantity, values]) => {
      const value = values?.[i];
      return typeof value === 'number'
        ? [[quantity, quantity === 'ambientC' ? value : Math.max(0, value)] as const]
        : [];
    });
    const sample = { at: time - step / 2, ...Object.fromEntries(known) } as ServiceSample;
    return (sample.globalWm2 as number | undefined) === undefined ? [] : [sample];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WeatherFault('the answer is no JSON');
  }
}

function objectOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new WeatherFault(`${name} is missing or no object`);
  return value as Record<string, unknown>;
}

function timesOf(times: unknown): number[] {
  if (!Array.isArray(times) || times.length === 0 || times.length > ROWS_AT_MOST)
    throw new WeatherFault(`time is no list of 1 to ${ROWS_AT_MOST} times`);
  return times.map((time) => {
    const at =
      typeof time === 'number'
        ? time * 1000
        : typeof time === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(time)
          ? Date.parse(`${time}Z`)
          : Number.NaN;
    if (!Number.isSafeInteger(at) || at < 0 || at > 4e12)
      throw new WeatherFault('time holds what is no time');
    return at;
  });
}

/** The time between all of them. */
function stepOf(times: readonly number[]): number {
  const step = times.length > 1 ? times[1]! - times[0]! : HOUR_MS;
  const isEven = times.every((at, i) => i === 0 || step === at - times[i - 1]!);
  if (!STEPS_MS.includes(step) || !isEven)
    throw new WeatherFault('the times are not 15 minutes or an hour apart');
  return step;
}

/** The values of a quantity; undefined if there are none. */
function columnOf(
  block: Readonly<Record<string, unknown>>,
  units: unknown,
  quantity: Quantity,
  count: number,
): readonly (number | null)[] | undefined {
  const [name, unit, least, most] = QUANTITIES[quantity];
  const values = block[name];
  if (values === undefined) return undefined;
  const said = units === undefined ? unit : (objectOf(units, 'the units')[name] ?? unit);
  if (said !== unit) throw new WeatherFault(`${name} is not in ${unit}`);
  if (!Array.isArray(values) || values.length !== count)
    throw new WeatherFault(`${name} has not as many values as there are times`);
  for (const value of values)
    if (value !== null && !(typeof value === 'number' && value >= least && value <= most))
      throw new WeatherFault(`${name} holds what cannot be`);
  return values as (number | null)[];
}
