import type { DeviceMatter } from './en.ts';

/** Codes of devices, each family's own, by what is the matter; where the cause is not clear, there is no advice. */
const CODES: Readonly<Record<DeviceMatter, string>> = {
  grid: '1010 1011 1012 1013 1015 1016 1017 F35 F42 F47 F48 ID001 ID002 ID003 ID004 AC_OVER_VOLT AC_UNDER_VOLT OVER_FREQUENCY UNDER_FREQUENCY GRID_DISCONNECT',
  insulation: '1033 1034 F16 F23 F24 ID005 ID042 GROUND_FAULT',
  arc: '1041 F63 ARC_DETECTION',
  heat: '1032 F64 ID050 ID057 ID113 OVER_TEMP',
  battery: '1054 1055 2012 F56 ID157 ID158 ID159 ID160',
  meter: '2011 ID105',
  fan: 'f011 W02 ID169 ID170 ID171 ID172 ID173 ID174 ID175',
  clock: 'device-clock',
  sign: 'sign-gridPowerW sign-batteryPowerW',
  reverted: '',
};

/** The codes with their matter. */
export const deviceMatters: ReadonlyMap<string, DeviceMatter> = new Map(
  (Object.entries(CODES) as [DeviceMatter, string][]).flatMap(([matter, codes]) =>
    codes
      .split(' ')
      .filter((code) => code !== '')
      .map((code) => [code, matter] as const),
  ),
);

/** What is the matter, by the code of a device or of the on-site collector; undefined if nobody knows. */
export const matterOf = (code: string): DeviceMatter | undefined =>
  /^(reverted|not-held)-/.test(code) ? 'reverted' : deviceMatters.get(code);

/** What to do about an alarm that a device or the on-site collector reports; undefined if nobody knows. */
export function deviceAdviceOf(
  advice: Readonly<Record<DeviceMatter, string>>,
  code: string,
): string | undefined {
  const matter = matterOf(code);
  return matter && advice[matter];
}
