import type { ColumnType, Generated, GeneratedAlways, Kysely, Transaction } from 'kysely';

/** Epoch milliseconds. */
export type Instant = number;
/** 0 or 1: neither engine's own booleans, so that rows look the same on both. */
export type Flag = 0 | 1;
/** Bytes: written as Buffer, read as Uint8Array (node:sqlite) or Buffer (pg). */
export type Bytes = ColumnType<Uint8Array, Uint8Array, Uint8Array>;
/** JSON text; parsed and written by the feature that owns the column. */
export type Json = string;

export interface AccountTable {
  id: string;
  email: string;
  name: string;
  role: 'owner' | 'installer' | 'developer' | 'operator';
  passwordHash: string;
  /** argon2id over the md5 hex of the password, for the log-in of existing control clients. */
  legacyHash: string | null;
  timeZone: string;
  createdAt: Instant;
  disabledAt: Instant | null;
}

export interface KeyPairTable {
  id: string;
  accountId: string;
  label: string;
  secret: Bytes;
  canControl: Flag;
  /** JSON array of plant ids; null = every plant the account may see. */
  plantIds: Json | null;
  /** JSON array of CIDRs; null = any address. */
  cidrs: Json | null;
  /** Pending until the owner's next log-in. */
  pending: Flag;
  createdAt: Instant;
  expiresAt: Instant | null;
  disabledAt: Instant | null;
  lastUsedAt: Instant | null;
  lastUsedAddress: string | null;
  lastUsedPath: string | null;
}

export interface AuditEventTable {
  id: string;
  at: Instant;
  kind: string;
  /** The account that the event concerns and that may read it. */
  accountId: string | null;
  /** Who did it: `account:<id>`, `key:<id>`, `application:<id>`, `operator`, `service`. */
  actor: string;
  address: string | null;
  data: Json;
}

export interface PlantTable {
  id: string;
  ownerId: string;
  name: string;
  type: number;
  capacityKwp: number;
  currency: string;
  /** Income per kWh produced, in `currency`. */
  pricePerKwh: number | null;
  address: string | null;
  latitude: number | null;
  longitude: number | null;
  tiltDegrees: number | null;
  azimuthDegrees: number | null;
  nmiCode: string | null;
  installerId: string | null;
  /** The zone in force now; its history is in plantZone. */
  timeZone: string;
  /** Further facts that no query filters by; shape `PlantFacts`. */
  facts: Json;
  createdAt: Instant;
  updatedAt: Instant;
  archivedAt: Instant | null;
  /** 1 online, 2 offline, 3 alarm, 4 building; follows from the counts below, which plants/presence.ts keeps. */
  state: Generated<number>;
  stateSince: Generated<Instant>;
  deviceCount: Generated<number>;
  onlineDevices: Generated<number>;
  alarmDevices: Generated<number>;
  /** Devices that are offline when they should not be. */
  abnormalDevices: Generated<number>;
}

export interface PlantZoneTable {
  plantId: string;
  fromAt: Instant;
  timeZone: string;
}

/** Who may see a plant: its owner (one row) and those it is shared with. Kept by plants/access.ts alone. */
export interface PlantAccessTable {
  accountId: string;
  plantId: string;
  level: 'owner' | 'control' | 'read';
  createdAt: Instant;
}

export interface DeviceTable {
  id: string;
  sn: string;
  kind: 'inverter' | 'collector' | 'epm' | 'weather' | 'ammeter';
  name: string | null;
  model: string | null;
  /** Short number of the device's series in the telemetry engine. */
  series: GeneratedAlways<number>;
  ratedPowerW: number | null;
  /** The collector that reports for this device; null for collectors themselves. */
  collectorId: string | null;
  /** The plant it stands in now; history is in binding. */
  plantId: string | null;
  /** SHA-256 of a collector's token. */
  tokenHash: Bytes | null;
  /** Further facts that no query filters by; shape `DeviceFacts`. */
  facts: Json;
  createdAt: Instant;
  removedAt: Instant | null;
  /** 1 online, 2 offline, 3 alarm. Kept, like what follows, by devices/states.ts. */
  state: Generated<number>;
  stateSince: Generated<Instant>;
  /** Offline when it should not be: not just night. */
  offlineAbnormal: Generated<Flag>;
  /** How often it is expected to report. */
  expectedSeconds: Generated<number>;
  /** When the watch looks at it next; null = not before it reports. */
  checkAt: Generated<Instant | null>;
  /** Collectors: their last post, to the minute. */
  reportedAt: Generated<Instant | null>;
  /** The newest sample that the alarm rules have seen. */
  evaluatedAt: Generated<Instant>;
  /** Open alarms that put a reporting device into the state alarm. */
  openAlarms: Generated<number>;
}

export interface BindingTable {
  /** Short number: roll-ups are kept per binding, so that each plant keeps its own history of a device. */
  no: GeneratedAlways<number>;
  deviceId: string;
  plantId: string;
  fromAt: Instant;
  toAt: Instant | null;
}

export interface CollectorRefusalTable {
  collectorId: string;
  sn: string;
  reason: string;
  firstAt: Instant;
  lastAt: Instant;
  count: number;
}

export interface SampleTable {
  series: number;
  at: Instant;
  fields: number;
  /** float64 little-endian, one per field of the field list. */
  values: Bytes;
}

export interface FieldListTable {
  id: GeneratedAlways<number>;
  /** Comma-separated quantity names in the order of the values. */
  names: string;
}

export interface DeviceDayTable {
  binding: number;
  /** Local calendar day as yyyymmdd. */
  day: number;
  /** Time of the last sample of that day. */
  lastAt: Instant;
  state: Bytes;
}

export interface DeviceMonthTable {
  binding: number;
  /** Local calendar month as yyyymm. */
  month: number;
  state: Bytes;
}

export interface ReplayTable {
  keyId: string;
  digest: Bytes;
  expiresAt: Instant;
}

/** Work to be done at a time, by whichever instance claims it first. */
export interface JobTable {
  kind: string;
  key: string;
  dueAt: Instant;
  /** How often it was armed. */
  revision: Generated<number>;
  /** Until then it is the claimer's; 0 = nobody's. */
  claimedUntil: Generated<Instant>;
  claimedBy: Generated<string | null>;
  /** Failed runs since the last good one. */
  failures: Generated<number>;
}

/** How many things of a kind and state an account may see: the sum of the rows. Appended to, folded by a job. */
export interface VisibleCountTable {
  no: GeneratedAlways<number>;
  accountId: string;
  /** In plants of the account's own. */
  owned: Flag;
  kind: DeviceTable['kind'] | 'plant' | 'alarm';
  state: number;
  amount: number;
  folded: Flag;
}

export interface AlarmTable {
  id: string;
  deviceId: string;
  /** Where the device stood when it was raised. */
  plantId: string;
  sn: string;
  kind: DeviceTable['kind'];
  code: string;
  /** 1 tip, 2 general, 3 emergency. */
  level: number;
  message: string;
  beginAt: Instant;
  /** The plant's local day of the beginning, yyyymmdd. */
  beginDay: number;
  endAt: Instant | null;
  /** 0 pending, 1 processed, 2 restored. */
  state: number;
  processedAt: Instant | null;
}

/** Where a reader's page of alarms ended. */
export interface AlarmPageTable {
  reader: string;
  filter: string;
  pageNo: number;
  lastId: string;
  at: Instant;
}

/** Facts about this installation as a whole. */
export interface InstallationTable {
  name: string;
  value: Bytes;
}

export interface ApplicationTable {
  id: string;
  clientId: string;
  /** Unique, so that an operator can name it. */
  name: string;
  /** The developer's account; null for one that the operator made for nobody in particular. */
  ownerId: string | null;
  purpose: string;
  homePage: string | null;
  /** The registered callback address, compared byte for byte. */
  redirectUri: string;
  /** Bits of the contract's scopes that it may ask for. */
  scopes: number;
  status: 'submitted' | 'approved' | 'rejected';
  challengeRequired: Flag;
  /** May introspect any token. */
  resourceServer: Flag;
  createdAt: Instant;
  decidedAt: Instant | null;
  disabledAt: Instant | null;
}

export interface ApplicationSecretTable {
  hash: Bytes;
  id: string;
  applicationId: string;
  createdAt: Instant;
  expiresAt: Instant | null;
  lastUsedAt: Instant | null;
}

export interface ApplicationRefusalTable {
  applicationId: string;
  endpoint: string;
  reason: string;
  firstAt: Instant;
  lastAt: Instant;
  lastRequestId: string;
  count: number;
}

export interface OauthGrantTable {
  id: string;
  applicationId: string;
  accountId: string;
  scopes: number;
  /** JSON array of plant ids; null = every plant that the account owns, now and later. */
  plantIds: Json | null;
  createdAt: Instant;
  changedAt: Instant;
  /** When its tokens were last renewed, exact to a day. */
  refreshedAt: Instant | null;
  revokedAt: Instant | null;
  revokedBy: string | null;
}

/** From an authorization code to the last token pair that came of it: see oauth/families.ts. */
export interface TokenFamilyTable {
  codeHash: Bytes;
  grantId: string;
  applicationId: string;
  accountId: string;
  scopes: number;
  redirectUri: string;
  /** S256 of the verifier; empty without PKCE. */
  challenge: string;
  createdAt: Instant;
  codeExpiresAt: Instant;
  codeAttempts: number;
  codeUsedAt: Instant | null;
  /** Hash of the part that all refresh tokens of the family share. */
  familyHash: Bytes | null;
  refreshHash: Bytes | null;
  /** The refresh token before the living one. */
  spentRefreshHash: Bytes | null;
  refreshExpiresAt: Instant | null;
  accessHash: Bytes | null;
  accessScopes: number | null;
  accessExpiresAt: Instant | null;
  /** Pairs issued so far. */
  generation: number;
  /** When the living pair was issued, and so the one before it spent. */
  issuedAt: Instant | null;
  previousIssuedAt: Instant | null;
  /** Until when tokenAnswer may hold answers of this family. */
  answersUntil: Instant;
  endedAt: Instant | null;
  endedBy: string | null;
  /** When housekeeping may take the row away. */
  removeAt: Instant;
}

export interface TokenAnswerTable {
  applicationId: string;
  keyHash: Bytes;
  bodyHash: Bytes;
  codeHash: Bytes;
  grantId: string;
  sealed: Bytes;
  expiresAt: Instant;
}

export interface SessionTable {
  hash: Bytes;
  accountId: string;
  createdAt: Instant;
  expiresAt: Instant;
  /** The authorization request that this log-in was made for: its consent page is shown whatever was granted before. */
  freshFor: Bytes | null;
}

export interface ConsentTicketTable {
  hash: Bytes;
  sessionHash: Bytes;
  request: Bytes;
  expiresAt: Instant;
}

export interface LogInAttemptTable {
  key: Bytes;
  count: number;
  endsAt: Instant;
}

export interface KnownBrowserTable {
  hash: Bytes;
  accountId: string;
  lastAt: Instant;
}

export interface Tables {
  account: AccountTable;
  keyPair: KeyPairTable;
  auditEvent: AuditEventTable;
  plant: PlantTable;
  plantZone: PlantZoneTable;
  plantAccess: PlantAccessTable;
  device: DeviceTable;
  binding: BindingTable;
  collectorRefusal: CollectorRefusalTable;
  sample: SampleTable;
  fieldList: FieldListTable;
  deviceDay: DeviceDayTable;
  deviceMonth: DeviceMonthTable;
  replay: ReplayTable;
  application: ApplicationTable;
  applicationSecret: ApplicationSecretTable;
  applicationRefusal: ApplicationRefusalTable;
  oauthGrant: OauthGrantTable;
  tokenFamily: TokenFamilyTable;
  tokenAnswer: TokenAnswerTable;
  session: SessionTable;
  consentTicket: ConsentTicketTable;
  logInAttempt: LogInAttemptTable;
  knownBrowser: KnownBrowserTable;
  installation: InstallationTable;
  job: JobTable;
  visibleCount: VisibleCountTable;
  alarm: AlarmTable;
  alarmPage: AlarmPageTable;
}

export type Trx = Transaction<Tables>;
/** A database or a transaction: what stores take as their first argument. */
export type Db = Kysely<Tables>;
