const NORTH_AMERICAN = [120, 208, 240, 277, 347, 480, 600];
const AMERICAN = [110, 120, 127, 208, 220, 240, 277, 380, 400, 440, 480];
const ANDEAN = [220, 380];
const EUROPEAN = [230, 400, 690, 800];

/** Nominal voltages by country (ISO 3166), V, both between phase and neutral and between phases. All other countries have the European ones. */
const NOMINALS: readonly (readonly [countries: string, voltages: readonly number[]])[] = [
  ['US CA PR GU MP AS VI', NORTH_AMERICAN],
  ['MX', [120, 127, 208, 220, 240, 277, 440, 480]],
  ['BR', [127, 220, 380, 440]],
  ['AR CL PE PY', ANDEAN],
  ['BO UY', [220, 230, 380, 400]],
  ['JP', [100, 200, 400]],
  ['TW', [110, 220, 380]],
  ['SA', [127, 220, 380, ...EUROPEAN]],
];

const canonical = (timeZone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;

// getTimeZones belongs to ECMAScript's Intl.Locale info, for which TypeScript has no types yet.
const zonesIn = (country: string): readonly string[] =>
  (new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones(): string[] }).getTimeZones();

const zonesAndVoltages = () =>
  new Map(
    NOMINALS.flatMap(([countries, voltages]) =>
      countries
        .split(' ')
        .flatMap((country) => zonesIn(country).map((zone) => [canonical(zone), voltages] as const)),
    ),
  );

let byZone: ReturnType<typeof zonesAndVoltages> | undefined;

/** Nominal voltages of the country that a time zone belongs to. */
export function gridVoltagesIn(timeZone: string): readonly number[] {
  const zone = canonical(timeZone);
  byZone ??= zonesAndVoltages();
  return byZone.get(zone) ?? (zone.startsWith('America/') ? AMERICAN : EUROPEAN);
}
