import type { OperationId } from '@helioport/contract';
import { createAlarmOperations } from './alarms.ts';
import { createAmmeterOperations } from './devices/ammeters.ts';
import { createCollectorOperations } from './devices/collectors.ts';
import type { HandlersOf, OperationDependencies } from './dependencies.ts';
import { createDeviceManagement } from './devices/device-management.ts';
import { createDeviceOperations } from './devices/device.ts';
import { createDeviceRanking } from './devices/device-ranking.ts';
import { createDiscoveryOperations } from './devices/discoveries.ts';
import { createEpmOperations } from './devices/epm.ts';
import { createInverterEnergy } from './devices/inverter-energy.ts';
import { createInverterOperations } from './devices/inverters.ts';
import { createArrayOperations } from './plants/arrays.ts';
import { createPlantCharts } from './plants/plant-charts.ts';
import { createPerformanceOperations } from './plants/performance.ts';
import { createPlantEnergyLists } from './plants/plant-energy-lists.ts';
import { createPlantManagement } from './plants/plant-management.ts';
import { createPlantOwnership } from './plants/ownership.ts';
import { createPlantOverview } from './plants/plant-overview.ts';
import { createPlantOperations } from './plants/plants.ts';
import { createWeatherOperations } from './devices/weather.ts';
import { createGrantOperations } from './accounts/grants.ts';
import { createInvitationOperations } from './accounts/invitations.ts';
import { createFactorOperations } from './accounts/factors.ts';
import { createKeyOperations } from './accounts/keys.ts';
import { createClosingOperations } from './accounts/closing.ts';
import { createSessionOperations } from './accounts/sessions.ts';
import { createCompanyOperations } from './accounts/companies.ts';
import { createShareOperations } from './accounts/shares.ts';
import { createExportOperations } from './accounts/exports.ts';
import { createSupportOperations } from './accounts/support.ts';
import { createUserOperations } from './accounts/users.ts';
import { createApplicationOperations } from './applications.ts';
import { createDeveloperOperations } from './developer.ts';
import { createForwardingOperations } from './forwarding.ts';
import { createNotificationOperations } from './notifications.ts';
import { createInstallationCollectors } from './installation/collectors.ts';
import { createInstallationDevices } from './installation/devices.ts';
import { createCommandOperations } from './control/commands.ts';
import { createControlOperations } from './control/control.ts';
import { createLogIn } from './control/log-in.ts';
import { createParameterOperations } from './control/parameters.ts';
import { createReading } from './control/reading.ts';
import { createInstallationPlants } from './installation/plants.ts';
import { createQuantityOperations } from './installation/quantities.ts';
import { createConsoleOperations } from './console.ts';
import { createStrategyDelivery } from './strategies/delivery.ts';
import { createStrategyDispatch } from './strategies/dispatch.ts';
import { createStrategyViews } from './strategies/views.ts';
import { createTariffOperations } from './plants/tariffs.ts';
import { withReadTurns } from './account-turns.ts';
import { atTheirDoors } from './door-check.ts';

export type { OperationDependencies } from './dependencies.ts';

/** A handler for every operation of the contract; a missing one is a type error. */
export type Operations = HandlersOf<OperationId>;

export const createOperations = (deps: OperationDependencies): Operations =>
  atTheirDoors(withReadTurns(deps.db, handlersOf(deps)));

const handlersOf = (deps: OperationDependencies): Operations => ({
  ...createPlantOperations(deps),
  ...createPlantOverview(deps),
  ...createPlantOwnership(deps),
  ...createPlantCharts(deps),
  ...createArrayOperations(deps),
  ...createPerformanceOperations(deps),
  ...createPlantEnergyLists(deps),
  ...createInverterOperations(deps),
  ...createInverterEnergy(deps),
  ...createCollectorOperations(deps),
  ...createEpmOperations(deps),
  ...createWeatherOperations(deps),
  ...createAmmeterOperations(deps),
  ...createAlarmOperations(deps),
  ...createControlOperations(deps),
  ...createReading(deps),
  ...createLogIn(deps),
  ...createCommandOperations(deps),
  ...createParameterOperations(deps),
  ...createStrategyDelivery(deps),
  ...createStrategyDispatch(deps),
  ...createStrategyViews(deps),
  ...createPlantManagement(deps),
  ...createDeviceManagement(deps),
  ...createDeviceRanking(deps),
  ...createDeviceOperations(deps),
  ...createDiscoveryOperations(deps),
  ...createInvitationOperations(deps),
  ...createShareOperations(deps),
  ...createCompanyOperations(deps),
  ...createTariffOperations(deps),
  ...createUserOperations(deps),
  ...createClosingOperations(deps),
  ...createSessionOperations(deps),
  ...createSupportOperations(deps),
  ...createExportOperations(deps),
  ...createFactorOperations(deps),
  ...createKeyOperations(deps),
  ...createGrantOperations(deps),
  ...createApplicationOperations(deps),
  ...createDeveloperOperations(deps),
  ...createForwardingOperations(deps),
  ...createNotificationOperations(deps),
  ...createInstallationPlants(deps),
  ...createInstallationDevices(deps),
  ...createInstallationCollectors(deps),
  ...createConsoleOperations(deps),
  ...createQuantityOperations(),
});
