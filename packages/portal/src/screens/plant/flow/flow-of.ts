import type { WireData } from '@helioport/contract';
import { ofAllLoads } from '../../../parts/loads.ts';

/** Powers of a plant at one moment, W; undefined = not measured. */
export interface Flow {
  readonly roofW: number | undefined;
  /** Of all loads. */
  readonly houseW: number | undefined;
  /** + charging, - discharging. */
  readonly batteryW: number | undefined;
  readonly batteryPercent: number | undefined;
  /** + export, - import. */
  readonly gridW: number | undefined;
}

/** Below this, devices measure noise rather than a flow. */
const STILL_W = 10;

export type Direction = 'in' | 'out' | 'still';

/** Whether power flows into a node of the drawing or out of it. `intoW`: what flows into it, W. */
export const directionOf = (intoW: number | undefined): Direction =>
  intoW === undefined || Math.abs(intoW) < STILL_W ? 'still' : intoW > 0 ? 'in' : 'out';

export const flowOf = ({ values }: WireData<'plant/show'>): Flow => ({
  roofW: values.acPowerW,
  houseW: ofAllLoads(values.loadPowerW, values.backupPowerW),
  batteryW: values.batteryPowerW,
  batteryPercent: values.batterySocPercent,
  gridW: values.gridPowerW,
});
