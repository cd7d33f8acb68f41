export { auditKinds, plantlessKinds, type AuditKind } from './audit/kinds.ts';
export * from './collector-topics.ts';
export * from './describe.ts';
export * from './envelope.ts';
export * from './error-codes.ts';
export * from './errors.ts';
export * from './events.ts';
export * from './example-values.ts';
export * from './families.ts';
export {
  avoidedCo2Kg,
  CO2_KG_PER_KWH,
  CO2_KG_PER_TREE,
  consumedByAll,
  fullHours,
  notFedIn,
} from './compat/field-kinds/derived.ts';
export { epmSeriesNames, type EpmSeriesName } from './compat/epm-series.ts';
export * from './json-schema.ts';
export * from './money.ts';
export * from './oauth.ts';
export * from './operation.ts';
export * from './operations/index.ts';
export type {
  ControlState,
  ParameterForm,
  ParameterOption,
  ParameterRecord,
  PowerLimitRecord,
} from './operations/control/parameters.ts';
export type { DiscoveryRecord } from './operations/devices/discoveries.ts';
export type { ShownDevice } from './operations/devices/device.ts';
export type { Activity } from './operations/accounts/grants.ts';
export type { ShownPlant } from './operations/plants/plant.ts';
export type { DeviceOrder, DeviceRanking, RankedDevice } from './operations/devices/ranking.ts';
export { measuringKinds } from './operations/installation-devices.ts';
export type {
  ApplicationDetail,
  ApplicationShown,
  RefusalShown,
} from './operations/applications.ts';
export type { ConsentCounts, OwnApplication } from './operations/developer.ts';
export type {
  DeadLetterShown,
  DestinationShown,
  GapReport,
  Tail,
  TestResult,
} from './operations/forwarding/destinations.ts';
export type { PlantReport, ReportTable } from './operations/plants/report.ts';
export { companyRoles, LOGO_BYTES, LOGO_PIXELS } from './operations/accounts/companies.ts';
export type {
  CompanyInvitation,
  CompanyMember,
  CompanyOffer,
  CompanyPlant,
  CompanyRole,
  CompanyView,
} from './operations/accounts/companies.ts';
export type {
  InvitationKind,
  InvitationRecord,
  InvitationState,
} from './operations/accounts/invitations.ts';
export {
  FEW_PLANTS,
  plantOrders,
  type PlantMark,
  type PlantOrder,
  type PlantOverview,
  type RankedPlant,
  type WorthSums,
} from './operations/plants/overview.ts';
export type { YearBefore } from './operations/plants/year-before.ts';
export { lossCauses } from './records/losses.ts';
export type { Loss, LossCause, Losses, LossConfidence, PlantVisit } from './records/losses.ts';
export type { DevicePerformance, Performance, PerformanceDay } from './records/performance.ts';
export type { PlantArray } from './operations/plants/arrays.ts';
export type { RecentCurve } from './operations/plants/curves.ts';
export { shareLevels, type Share, type ShareLevel } from './operations/accounts/shares.ts';
export type { ExportFormat, ExportRecord } from './operations/accounts/exports.ts';
export {
  tariffUses,
  weekDays,
  type TariffUse,
  type TariffWindow,
  type WeekDay,
} from './operations/tariffs.ts';
export {
  isLanguage,
  languages,
  languageTags,
  type ClosingConsequences,
  type Language,
} from './operations/accounts/account.ts';
export { accountRoles, type AccountRole } from './operations/accounts/users.ts';
export type { PastSupport, SupportLook } from './operations/accounts/support.ts';
export {
  accountStates,
  collectorStates,
  type CollectorState,
  type ForwardingHealth,
  type LaneHealth,
  type LimitInForce,
} from './operations/console.ts';
export * from './parameters.ts';
export type { ExplorerOperation } from './portal/explorer.ts';
export type { PlantUpdate, LiveUpdate } from './portal/live-update.ts';
export {
  portalLogIn,
  portalPasskey,
  portalReset,
  portalMailRequest,
  portalOutcome,
  portalSecondStep,
  portalSignUp,
  type PortalOutcome,
  type PortalSession,
} from './portal/session.ts';
export * from './quantities.ts';
export * from './records/plant-connection.ts';
export * from './records/index.ts';
export * from './signature/index.ts';
export type {
  NotificationsShown,
  NotificationTestResult,
} from './operations/notifications/settings.ts';
export type { WeekShown } from './operations/notifications/week.ts';
export type { PushShown, WebhookShown } from './operations/notifications/targets.ts';
export * from './spreadsheets/spreadsheet-text.ts';
export * from './strategies.ts';
export * from './strategy-delivery.ts';
export { DELIVERY_DEVICES_AT_MOST } from './operations/strategies/delivery.ts';
export * from './time/time-zone.ts';
export * from './units.ts';
