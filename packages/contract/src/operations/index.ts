import { alarmList, alarmNote, alarmProcess, alarmsListed, alarmReopen } from './alarms.ts';
import { ammeterDetail, ammeterList } from './ammeters.ts';
import { collectorDay, collectorDetail, collectorList } from './collectors.ts';
import { epmAll, epmDayOperation, epmDetail, epmList, epmMonth, epmYear } from './epm.ts';
import {
  inverterAll,
  inverterDetailList,
  inverterMonth,
  inverterShelfTime,
  inverterYear,
} from './inverter-energy.ts';
import { inverterDay, inverterDetail, inverterList } from './inverters.ts';
import {
  addDevice,
  addStation,
  addStationBindCollector,
  archiveStation,
  delCollector,
  stationUpdate,
  unbindDevice,
} from './management.ts';
import { deviceEdit, deviceReplace } from './devices/installing.ts';
import { discoveryBind, discoveryList } from './devices/discoveries.ts';
import { deviceDay, deviceShow } from './devices/device.ts';
import { plantDay, plantEnergy, plantShow } from './plants/plant.ts';
import { deviceRanking } from './devices/ranking.ts';
import {
  invitationList,
  invitationOpen,
  invitationAccept,
  invitationDecline,
  invitationWithdraw,
} from './accounts/invitations.ts';
import { shareList, shareGive, shareWithdraw } from './accounts/shares.ts';
import {
  companyAccept,
  companyDecline,
  companyDissolve,
  companyEnd,
  companyFound,
  companyGive,
  companyInvite,
  companyList,
  companyPlants,
  companyRemove,
  companyLogo,
  companyRename,
  companyRole,
  companyShow,
  companyWithdraw,
} from './accounts/companies.ts';
import { tariffList, tariffSet, tariffRemove, plantRecalculate } from './tariffs.ts';
import {
  accountClose,
  accountClosing,
  accountLanguage,
  accountTimeZone,
} from './accounts/account.ts';
import {
  userAdd,
  userList,
  userClose,
  userReopen,
  userDisable,
  userEnable,
  userPassword,
  userResetFactors,
  userResetLink,
  userRole,
  userEvents,
  passwordChange,
} from './accounts/users.ts';
import { keyCreate, keyList, keyDisable } from './accounts/keys.ts';
import {
  grantActivity,
  grantList,
  grantNarrow,
  grantRevoke,
  grantUses,
} from './accounts/grants.ts';
import {
  factorList,
  passkeyAdd,
  passkeyBegin,
  passkeyRemove,
  passkeyRename,
  recoveryRenew,
  totpBegin,
  totpConfirm,
  totpRemove,
} from './accounts/factors.ts';
import { supportAllow, supportEnd, supportList, supportOpen } from './accounts/support.ts';
import { sessionEnd, sessionEndOthers, sessionList } from './accounts/sessions.ts';
import {
  applicationCreate,
  applicationList,
  applicationShow,
  applicationApprove,
  applicationReject,
  applicationDisable,
  applicationEnable,
  applicationChange,
  applicationRotateSecret,
  applicationErrors,
} from './applications.ts';
import {
  developerAmend,
  developerApply,
  developerEndSecret,
  developerErrors,
  developerList,
  developerAddDestination,
  developerRotateSecret,
  developerShow,
  developerWithdraw,
} from './developer.ts';
import {
  forwardingAdd,
  forwardingDeadLetters,
  forwardingGaps,
  forwardingList,
  forwardingPause,
  forwardingSnapshot,
  forwardingRemove,
  forwardingReplay,
  forwardingResume,
  forwardingRotate,
  forwardingShow,
  forwardingTail,
  forwardingTest,
} from './forwarding/destinations.ts';
import {
  setNotifications,
  notificationSettings,
  notificationTest,
} from './notifications/settings.ts';
import { weekOfPlants } from './notifications/week.ts';
import {
  pushList,
  pushRemove,
  pushSubscribe,
  webhookAdd,
  webhookList,
  webhookRemove,
  webhookRotate,
} from './notifications/targets.ts';
import { plantList, plantAdd, plantEdit, plantTransfer } from './installation-plants.ts';
import { deviceList, deviceAdd, deviceMove } from './installation-devices.ts';
import {
  collectorsKnown,
  collectorShow,
  collectorAdd,
  collectorCreate,
  collectorReplaceToken,
  collectorRotate,
  collectorRevoke,
} from './installation-collectors.ts';
import {
  atRead,
  atReadBatch,
  atReadSAPN,
  controlOperation,
  login,
  result,
} from './control/control.ts';
import {
  commandByOthers,
  commandCancel,
  commandList,
  commandSeen,
  commandSend,
  commandShow,
  commandUndo,
  controlRelease,
  controlStop,
} from './control/commands.ts';
import { commandParameters, controlPowerLimits, controlState } from './control/parameters.ts';
import { serviceAccounts, serviceCollectors, serviceHealth, serviceTrail } from './console.ts';
import { quantityList } from './quantities.ts';
import {
  strategyAmend,
  strategyCancel,
  strategyCreate,
  strategyDispatch,
  strategyHeartbeat,
  strategyValidate,
} from './strategies/dispatch.ts';
import { strategyDelivery } from './strategies/delivery.ts';
import {
  strategyDetail,
  strategyLimits,
  strategyList,
  strategySetLimits,
  strategyResume,
  strategyStop,
} from './strategies/views.ts';
import {
  hasDoor,
  type Door,
  type Operation,
  type OperationData,
  type OperationInput,
  type OperationOutput,
} from '../operation.ts';
import type { RequestOf } from '../parameters.ts';
import {
  stationAll,
  stationDay,
  stationDayEnergyList,
  stationDetailList,
  stationMonth,
  stationMonthEnergyList,
  stationYear,
  stationYearEnergyList,
} from './plant-energy.ts';
import { exportCancel, exportList, exportStart } from './accounts/exports.ts';
import {
  plantEnded,
  plantArchived,
  plantOffer,
  plantRestore,
  plantZone,
} from './plants/ownership.ts';
import { plantArrays, plantSetArrays } from './plants/arrays.ts';
import { plantCurves } from './plants/curves.ts';
import { plantYearBefore } from './plants/year-before.ts';
import { plantOverview, plantPositions, plantRanking } from './plants/overview.ts';
import {
  performanceDay,
  performanceEnergy,
  performanceLosses,
  performanceVisits,
} from './plants/performance.ts';
import { plantReport } from './plants/report.ts';
import { stationDetail, userStationList } from './plants.ts';
import { weatherDetail, weatherList } from './weather.ts';

/** Every operation that is served: routes, access tests, reference and SDK are derived from this table. */
export const operations = {
  userStationList,
  stationDetail,
  stationDetailList,
  stationDay,
  stationMonth,
  stationYear,
  stationAll,
  stationDayEnergyList,
  stationMonthEnergyList,
  stationYearEnergyList,
  inverterList,
  inverterDetail,
  inverterDetailList,
  inverterDay,
  inverterMonth,
  inverterYear,
  inverterAll,
  'inverter/shelfTime': inverterShelfTime,
  collectorList,
  collectorDetail,
  'collector/day': collectorDay,
  epmList,
  epmDetail,
  'epm/day': epmDayOperation,
  'epm/month': epmMonth,
  'epm/year': epmYear,
  'epm/all': epmAll,
  weatherList,
  weatherDetail,
  ammeterList,
  ammeterDetail,
  alarmList,
  'alarm/list': alarmsListed,
  'alarm/process': alarmProcess,
  'alarm/reopen': alarmReopen,
  'alarm/note': alarmNote,
  control: controlOperation,
  atRead,
  atReadBatch,
  atReadSAPN,
  result,
  login,
  'command/send': commandSend,
  'command/list': commandList,
  'command/parameters': commandParameters,
  'command/show': commandShow,
  'command/cancel': commandCancel,
  'command/undo': commandUndo,
  'command/byOthers': commandByOthers,
  'command/seen': commandSeen,
  'control/stop': controlStop,
  'control/release': controlRelease,
  'control/powerLimits': controlPowerLimits,
  'control/state': controlState,
  'strategy/create': strategyCreate,
  'strategy/validate': strategyValidate,
  'strategy/dispatch': strategyDispatch,
  'strategy/list': strategyList,
  'strategy/detail': strategyDetail,
  'strategy/delivery': strategyDelivery,
  'strategy/amend': strategyAmend,
  'strategy/heartbeat': strategyHeartbeat,
  'strategy/cancel': strategyCancel,
  'strategy/resume': strategyResume,
  'strategy/stop': strategyStop,
  'strategy/limits': strategyLimits,
  'strategy/setLimits': strategySetLimits,
  addStation,
  addStationBindCollector,
  stationUpdate,
  addDevice,
  delCollector,
  unbindDevice,
  archiveStation,
  'discovery/list': discoveryList,
  'device/edit': deviceEdit,
  'device/replace': deviceReplace,
  'discovery/bind': discoveryBind,
  'invitation/list': invitationList,
  'invitation/open': invitationOpen,
  'invitation/accept': invitationAccept,
  'invitation/decline': invitationDecline,
  'invitation/withdraw': invitationWithdraw,
  'share/list': shareList,
  'share/give': shareGive,
  'share/withdraw': shareWithdraw,
  'company/show': companyShow,
  'company/found': companyFound,
  'company/logo': companyLogo,
  'company/rename': companyRename,
  'company/invite': companyInvite,
  'company/accept': companyAccept,
  'company/decline': companyDecline,
  'company/withdraw': companyWithdraw,
  'company/role': companyRole,
  'company/remove': companyRemove,
  'company/dissolve': companyDissolve,
  'company/give': companyGive,
  'company/end': companyEnd,
  'company/plants': companyPlants,
  'company/list': companyList,
  'tariff/list': tariffList,
  'tariff/set': tariffSet,
  'tariff/remove': tariffRemove,
  'plant/recalculate': plantRecalculate,
  'account/language': accountLanguage,
  'account/timeZone': accountTimeZone,
  'account/closing': accountClosing,
  'account/close': accountClose,
  'user/add': userAdd,
  'user/list': userList,
  'user/close': userClose,
  'user/reopen': userReopen,
  'user/disable': userDisable,
  'user/enable': userEnable,
  'user/password': userPassword,
  'user/events': userEvents,
  'password/change': passwordChange,
  'user/resetFactors': userResetFactors,
  'user/role': userRole,
  'user/resetLink': userResetLink,
  'factor/list': factorList,
  'totp/begin': totpBegin,
  'totp/confirm': totpConfirm,
  'totp/remove': totpRemove,
  'recovery/renew': recoveryRenew,
  'passkey/begin': passkeyBegin,
  'passkey/add': passkeyAdd,
  'passkey/rename': passkeyRename,
  'passkey/remove': passkeyRemove,
  'support/allow': supportAllow,
  'support/end': supportEnd,
  'support/list': supportList,
  'support/open': supportOpen,
  'session/list': sessionList,
  'session/end': sessionEnd,
  'session/endOthers': sessionEndOthers,
  'export/start': exportStart,
  'export/list': exportList,
  'export/cancel': exportCancel,
  'key/create': keyCreate,
  'key/list': keyList,
  'key/disable': keyDisable,
  'grant/list': grantList,
  'grant/uses': grantUses,
  'grant/activity': grantActivity,
  'grant/narrow': grantNarrow,
  'grant/revoke': grantRevoke,
  'application/create': applicationCreate,
  'application/list': applicationList,
  'application/show': applicationShow,
  'application/approve': applicationApprove,
  'application/reject': applicationReject,
  'application/disable': applicationDisable,
  'application/enable': applicationEnable,
  'application/change': applicationChange,
  'application/rotateSecret': applicationRotateSecret,
  'application/errors': applicationErrors,
  'developer/apply': developerApply,
  'developer/amend': developerAmend,
  'developer/withdraw': developerWithdraw,
  'developer/list': developerList,
  'developer/show': developerShow,
  'developer/addDestination': developerAddDestination,
  'developer/rotateSecret': developerRotateSecret,
  'developer/endSecret': developerEndSecret,
  'developer/errors': developerErrors,
  'forwarding/add': forwardingAdd,
  'forwarding/list': forwardingList,
  'forwarding/show': forwardingShow,
  'forwarding/test': forwardingTest,
  'forwarding/pause': forwardingPause,
  'forwarding/resume': forwardingResume,
  'forwarding/remove': forwardingRemove,
  'forwarding/rotate': forwardingRotate,
  'forwarding/replay': forwardingReplay,
  'forwarding/snapshot': forwardingSnapshot,
  'forwarding/deadLetters': forwardingDeadLetters,
  'forwarding/gaps': forwardingGaps,
  'forwarding/tail': forwardingTail,
  'plant/offer': plantOffer,
  'plant/restore': plantRestore,
  'plant/archived': plantArchived,
  'plant/ended': plantEnded,
  'plant/zone': plantZone,
  'plant/overview': plantOverview,
  'plant/ranking': plantRanking,
  'device/ranking': deviceRanking,
  'device/day': deviceDay,
  'device/show': deviceShow,
  'plant/show': plantShow,
  'plant/day': plantDay,
  'plant/energy': plantEnergy,
  'plant/positions': plantPositions,
  'plant/curves': plantCurves,
  'plant/yearBefore': plantYearBefore,
  'notifications/settings': notificationSettings,
  'notifications/set': setNotifications,
  'notifications/test': notificationTest,
  'notifications/week': weekOfPlants,
  'performance/day': performanceDay,
  'performance/energy': performanceEnergy,
  'performance/losses': performanceLosses,
  'performance/visits': performanceVisits,
  'plant/report': plantReport,
  'plant/arrays': plantArrays,
  'plant/setArrays': plantSetArrays,
  'push/subscribe': pushSubscribe,
  'push/list': pushList,
  'push/remove': pushRemove,
  'webhook/add': webhookAdd,
  'webhook/list': webhookList,
  'webhook/rotate': webhookRotate,
  'webhook/remove': webhookRemove,
  'plant/list': plantList,
  'plant/add': plantAdd,
  'plant/edit': plantEdit,
  'plant/transfer': plantTransfer,
  'device/list': deviceList,
  'device/add': deviceAdd,
  'device/move': deviceMove,
  'collector/list': collectorsKnown,
  'collector/show': collectorShow,
  'collector/add': collectorAdd,
  'collector/create': collectorCreate,
  'collector/replaceToken': collectorReplaceToken,
  'collector/rotate': collectorRotate,
  'collector/revoke': collectorRevoke,
  'service/accounts': serviceAccounts,
  'service/collectors': serviceCollectors,
  'service/health': serviceHealth,
  'service/trail': serviceTrail,
  'quantity/list': quantityList,
} as const;

/** An operation's id: its public path after the prefix. */
export type OperationId = keyof typeof operations;

/** The ids of operations that may be called through a door. */
export type OperationIdBy<D extends Door> = {
  [Id in OperationId]: D extends (typeof operations)[Id]['doors'][number] ? Id : never;
}[OperationId];

/** Those of them that change something. */
export type WriteIdBy<D extends Door> = {
  [Id in OperationIdBy<D>]: (typeof operations)[Id]['write'] extends true ? Id : never;
}[OperationIdBy<D>];

/** The operations that may be called through a door. */
export const operationsBy = <D extends Door>(
  door: D,
): (Operation & { readonly id: OperationIdBy<D> })[] =>
  (
    Object.values(operations) as unknown as (Operation & { readonly id: OperationIdBy<D> })[]
  ).filter((operation) => hasDoor(operation, door));

/** The input and output of a handler, under our own names. */
export type InputOfOperation<Id extends OperationId> = OperationInput<(typeof operations)[Id]>;
export type OutputOfOperation<Id extends OperationId> = OperationOutput<(typeof operations)[Id]>;

/** The request as a caller sends it, under wire names. */
export type WireRequest<Id extends OperationId> = RequestOf<(typeof operations)[Id]['request']>;

/** The `data` in the envelope of the answer. */
export type WireData<Id extends OperationId> = OperationData<(typeof operations)[Id]>;
