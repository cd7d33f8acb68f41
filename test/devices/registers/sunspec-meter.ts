import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What a meter shows, by the names of the standard's points, and by ours. Bought power is positive unless it is SolarEdge's. */
export const SUNSPEC_SHOWN: Readonly<Record<string, readonly [number, string]>> = {
  AphA: [1.23, 'acCurrent1A'],
  AphB: [2.34, 'acCurrent2A'],
  AphC: [3.45, 'acCurrent3A'],
  PhVphA: [230.1, 'acVoltage1V'],
  PhVphB: [231.2, 'acVoltage2V'],
  PhVphC: [232.3, 'acVoltage3V'],
  Hz: [49.98, 'gridFrequencyHz'],
  W: [-1500, 'gridPowerW'],
  WphA: [-900, 'acPower1W'],
  WphB: [-800, 'acPower2W'],
  WphC: [200, 'acPower3W'],
  VA: [1710, 'apparentPowerVa'],
  VAphA: [910, 'acApparentPower1Va'],
  VAphB: [820, 'acApparentPower2Va'],
  VAphC: [230, 'acApparentPower3Va'],
  TotWhExp: [7_654_320, 'gridExportTotalKwh'],
  TotWhImp: [1_234_560, 'gridImportTotalKwh'],
};
const FACTORS = {
  A_SF: -2,
  V_SF: -1,
  Hz_SF: -2,
  W_SF: 1,
  VA_SF: 1,
  TotWh_SF: 1,
  VAR_SF: 0,
  PF_SF: 0,
  TotVAh_SF: 0,
  TotVArh_SF: 0,
};
const FACTOR_OF = (name: string): number =>
  name.startsWith('A') || name === 'Hz' ? -2 : name.startsWith('PhV') ? -1 : 1;

/** The registers of such a meter from 40000 on, by somebody else's program (pysunspec2). */
export async function sunspecMeter(
  python: string,
  maker: string,
  model: number,
): Promise<number[]> {
  const isFloat = model > 210;
  const points = Object.fromEntries(
    Object.entries(SUNSPEC_SHOWN).map(([name, [value]]) => [
      name,
      isFloat ? value : Math.round(value / 10 ** FACTOR_OF(name)),
    ]),
  );
  const common = {
    ID: 1,
    L: 66,
    Mn: maker,
    Md: 'Meter',
    Opt: '',
    Vr: '1',
    SN: 'M1',
    DA: 1,
    Pad: 0,
  };
  const meter = { ID: model, L: isFloat ? 124 : 105, ...points, ...(!isFloat && FACTORS) };
  return encodeSunSpec(python, [common, meter]);
}

/** The registers of a device from 40000 on, by somebody else's program (pysunspec2). @param models raw values by the names of points */
export async function encodeSunSpec(
  python: string,
  models: readonly Readonly<Record<string, unknown>>[],
): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-sunspec-'));
  const file = join(folder, 'device.json');
  writeFileSync(file, JSON.stringify({ name: 'device', models }));
  const script = `
import json, sys, sunspec2.file.client as client
device = client.FileClientDevice(sys.argv[1])
device.scan()
print(json.dumps([[model.model_id, list(model.get_mb())] for model in device.model_list]))
`;
  const { stdout } = await promisify(execFile)(python, ['-c', script, file]);
  rmSync(folder, { recursive: true });
  const words = (JSON.parse(stdout) as [number, number[]][]).flatMap(([, bytes]) =>
    Array.from({ length: bytes.length / 2 }, (_, i) => (bytes[2 * i]! << 8) | bytes[2 * i + 1]!),
  );
  return [0x5375, 0x6e53, ...words, 0xffff, 0];
}
