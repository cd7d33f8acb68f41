import type { Kysely, Transaction } from 'kysely';
import type {
  AccountClosingTable,
  AccountTable,
  AuditEventTable,
  KeyPairTable,
  KnownBrowserTable,
  LogInAttemptTable,
  MailTokenRequestTable,
  MailTokenTable,
  OnceMarkTable,
  SessionTable,
  SupportLookTable,
  SupportPermissionTable,
} from './tables/accounts.ts';
import type { AlarmTable } from './tables/alarms.ts';
import type { CommandTable } from './tables/commands.ts';
import type {
  CompanyFormerTable,
  CompanyInvitationTable,
  CompanyMemberTable,
  CompanyPlantTable,
  CompanyTable,
} from './tables/companies.ts';
import type {
  EventLogTable,
  LogReaderTable,
  EventStreamTable,
  EventTable,
  SequenceBlockTable,
} from './tables/events.ts';
import type {
  DeadLetterTable,
  DestinationProgressTable,
  DestinationTable,
  LostStretchTable,
  SnapshotTable,
  ReplayTable,
  WaitingDeviceTable,
} from './tables/forwarding.ts';
import type { MailTable } from './tables/mail.ts';
import type { AccountExportTable, ExportChunkTable, ExportEntryTable } from './tables/exports.ts';
import type {
  NewsItemTable,
  NewsMessageTable,
  NewsSettingTable,
  NewsWebhookTable,
  PushSubscriptionTable,
} from './tables/news.ts';
import type { PageEndTable } from './tables/page-ends.ts';
import type {
  BindingStartTable,
  BindingTable,
  CollectorConnectionTable,
  CollectorRefusalTable,
  WaitingReadingTable,
  CollectorTokenTable,
  DeviceTable,
  HistoryMonthTable,
} from './tables/devices.ts';
import type {
  ApplicationTable,
  ApplicationRefusalTable,
  ApplicationUseTable,
  ApplicationSecretTable,
  ConsentTicketTable,
  OauthGrantTable,
  TokenAnswerTable,
  TokenFamilyTable,
} from './tables/oauth.ts';
import type { PasskeyTable, RecoveryCodeTable, TotpTable } from './tables/factors.ts';
import type { InstallationTable } from './tables/installation.ts';
import type { RecalculationTable, TaskTable } from './tables/work.ts';
import type {
  InvitationTable,
  PlantTable,
  EndedAccessTable,
  PlantAccessTable,
  PlantStandingTable,
  PlantZoneTable,
  VisibleCountTable,
} from './tables/plants.ts';
import type {
  StrategyDeviceTable,
  StrategyLimitsTable,
  StrategyPauseTable,
  StrategySettingTable,
  StrategyShareTable,
  StrategyTable,
  StrategyVersionTable,
} from './tables/strategies.ts';
import type { WeatherCellTable, WeatherDayTable } from './tables/weather.ts';
import type {
  InverterDayTable,
  LearnedInverterTable,
  PerformanceDayTable,
  PerformanceLossTable,
} from './tables/performance.ts';
import type { SeriesComparisonTable, SeriesHomeTable } from './tables/series.ts';
import type {
  DeviceDayTable,
  DeviceMonthTable,
  FieldListTable,
  SampleTable,
  SeriesClaimTable,
} from './tables/telemetry.ts';

export type * from './columns.ts';
export type * from './tables/accounts.ts';
export type * from './tables/plants.ts';
export type * from './tables/devices.ts';
export type * from './tables/performance.ts';
export type * from './tables/weather.ts';
export type * from './tables/series.ts';
export type * from './tables/telemetry.ts';
export type * from './tables/alarms.ts';
export type * from './tables/commands.ts';
export type * from './tables/companies.ts';
export type * from './tables/strategies.ts';
export type * from './tables/factors.ts';
export type * from './tables/installation.ts';
export type * from './tables/mail.ts';
export type * from './tables/work.ts';
export type * from './tables/oauth.ts';
export type * from './tables/events.ts';
export type * from './tables/forwarding.ts';
export type * from './tables/exports.ts';
export type * from './tables/news.ts';

/** All tables by name; the files in tables/ describe them, feature by feature. */
export interface Tables {
  account: AccountTable;
  keyPair: KeyPairTable;
  auditEvent: AuditEventTable;
  mailToken: MailTokenTable;
  mailTokenRequest: MailTokenRequestTable;
  plant: PlantTable;
  plantZone: PlantZoneTable;
  invitation: InvitationTable;
  endedAccess: EndedAccessTable;
  plantAccess: PlantAccessTable;
  company: CompanyTable;
  companyMember: CompanyMemberTable;
  companyFormer: CompanyFormerTable;
  companyInvitation: CompanyInvitationTable;
  companyPlant: CompanyPlantTable;
  plantStanding: PlantStandingTable;
  weatherCell: WeatherCellTable;
  weatherDay: WeatherDayTable;
  performanceDay: PerformanceDayTable;
  performanceLoss: PerformanceLossTable;
  inverterDay: InverterDayTable;
  learnedInverter: LearnedInverterTable;
  device: DeviceTable;
  binding: BindingTable;
  bindingStart: BindingStartTable;
  historyMonth: HistoryMonthTable;
  collectorRefusal: CollectorRefusalTable;
  waitingReading: WaitingReadingTable;
  collectorToken: CollectorTokenTable;
  collectorConnection: CollectorConnectionTable;
  sample: SampleTable;
  seriesClaim: SeriesClaimTable;
  fieldList: FieldListTable;
  deviceDay: DeviceDayTable;
  deviceMonth: DeviceMonthTable;
  seriesHome: SeriesHomeTable;
  seriesComparison: SeriesComparisonTable;
  onceMark: OnceMarkTable;
  accountClosing: AccountClosingTable;
  supportPermission: SupportPermissionTable;
  supportLook: SupportLookTable;
  accountExport: AccountExportTable;
  exportEntry: ExportEntryTable;
  exportChunk: ExportChunkTable;
  application: ApplicationTable;
  applicationSecret: ApplicationSecretTable;
  applicationRefusal: ApplicationRefusalTable;
  applicationUse: ApplicationUseTable;
  oauthGrant: OauthGrantTable;
  tokenFamily: TokenFamilyTable;
  tokenAnswer: TokenAnswerTable;
  session: SessionTable;
  consentTicket: ConsentTicketTable;
  logInAttempt: LogInAttemptTable;
  knownBrowser: KnownBrowserTable;
  installation: InstallationTable;
  mail: MailTable;
  totp: TotpTable;
  recoveryCode: RecoveryCodeTable;
  passkey: PasskeyTable;
  task: TaskTable;
  recalculation: RecalculationTable;
  visibleCount: VisibleCountTable;
  alarm: AlarmTable;
  command: CommandTable;
  pageEnd: PageEndTable;
  strategy: StrategyTable;
  strategyDevice: StrategyDeviceTable;
  strategyPause: StrategyPauseTable;
  strategySetting: StrategySettingTable;
  event: EventTable;
  eventStream: EventStreamTable;
  sequenceBlock: SequenceBlockTable;
  eventLog: EventLogTable;
  logReader: LogReaderTable;
  destination: DestinationTable;
  destinationProgress: DestinationProgressTable;
  waitingDevice: WaitingDeviceTable;
  deadLetter: DeadLetterTable;
  replay: ReplayTable;
  lostStretch: LostStretchTable;
  snapshot: SnapshotTable;
  newsSetting: NewsSettingTable;
  pushSubscription: PushSubscriptionTable;
  newsWebhook: NewsWebhookTable;
  newsItem: NewsItemTable;
  newsMessage: NewsMessageTable;
  strategyVersion: StrategyVersionTable;
  strategyShare: StrategyShareTable;
  strategyLimits: StrategyLimitsTable;
}

export type Trx = Transaction<Tables>;
/** A database or a transaction: the first argument of everything that reads or writes. */
export type Db = Kysely<Tables>;

/** A database or a transaction, for statements whose tables are known only when they run. */
export type UntypedDb = Kysely<any>;
