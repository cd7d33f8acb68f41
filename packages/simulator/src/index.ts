export { createCollector, type Acknowledgement, type Collector, type CollectorOptions } from './collector.ts';
export { inventoryOf, type DeviceDescription } from './inventory.ts';
export { createPlant, STEP_MS, type Plant, type PlantState } from './plant.ts';
export { readingsOf, type Reading } from './readings.ts';
export { backfill, reportLive, type Backfill, type LiveSurroundings, type ReportingPlant } from './reporting.ts';
export type { BatterySpecification, InverterSpecification, LoadSpecification, PlantSpecification, StringSpecification } from './specification.ts';
export type { Place } from './sun.ts';
