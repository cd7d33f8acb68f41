import type { Measurements } from '../../operations/fleet.ts';

const FIVE_MINUTES_MS = 300_000;

/** Readings of a house with a battery, every five minutes until `until`: the sun rises at 8 and is highest at noon, in hours since `midnight`. */
export function sunnyDay(midnight: string, until: string): (readonly [number, Measurements])[] {
  const from = Date.parse(midnight);
  const count = Math.floor((Date.parse(until) - from) / FIVE_MINUTES_MS) + 1;
  let [produced, bought, sold, consumed] = [0, 0, 0, 0];
  return Array.from({ length: count }, (_, i) => {
    const at = from + i * FIVE_MINUTES_MS;
    const hour = (i * 5) / 60;
    const acPowerW = Math.max(
      0,
      Math.round(4000 * Math.sin(((hour - 8) / 8) * Math.PI)) * Number(hour > 8 && hour < 16),
    );
    const loadPowerW = 500;
    const gridPowerW = acPowerW - loadPowerW;
    produced += acPowerW / 12_000;
    consumed += loadPowerW / 12_000;
    bought += Math.max(0, -gridPowerW) / 12_000;
    sold += Math.max(0, gridPowerW) / 12_000;
    return [
      at,
      {
        acPowerW,
        gridPowerW,
        loadPowerW,
        batteryPowerW: 0,
        batterySocPercent: 64,
        energyTodayKwh: produced,
        energyTotalKwh: 1000 + produced,
        gridImportTotalKwh: 500 + bought,
        gridExportTotalKwh: 300 + sold,
        loadTotalKwh: 900 + consumed,
      },
    ] as const;
  });
}
