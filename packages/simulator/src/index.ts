export type { Setting } from './devices/device-access.ts';
export type { DeviceParameter, SimulatedParameterForm, ParametersOf } from './devices/parameter.ts';
export { inventoryOf, modelOf } from './inventory.ts';
export { createPlant, STEP_MS, type Plant, type SimulatedPlantState } from './plant.ts';
export { readingsOf } from './readings.ts';
export { backfill, reportLive, type Backfill, type LiveSurroundings } from './reporting.ts';
export { readScenario, ScenarioFault } from './scenarios/read-scenario.ts';
export { scenarioKinds, type Scenario, type ScenarioKind } from './scenarios/scenario.ts';
export { createSite, type Site, type SiteOptions, type SiteReport } from './site.ts';
export type {
  BatterySpecification,
  InverterSpecification,
  LoadSpecification,
  PlantSpecification,
  StringSpecification,
} from './specification.ts';
export type { SunPlace } from './sun.ts';
