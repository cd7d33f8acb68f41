-- Types in braces are the portable vocabulary: see migrate.ts.
create table account (
  id {text} primary key,
  email {text} not null unique,
  name {text} not null,
  role {text} not null,
  "passwordHash" {text} not null,
  "legacyHash" {text},
  "timeZone" {text} not null,
  "createdAt" {int} not null,
  "disabledAt" {int},
  -- The language of an account's pages and messages; null = that of the browser, and English for messages.
  language {text},
  -- When an account was closed, and when its personal data will be removed; closed without such a time = it was removed.
  "closedAt" {int},
  "removeAt" {int},
  -- What the account asked for until then and still waits to be done is not done any more, in epoch milliseconds; null = all is.
  "requestsEndedAt" {int}
);
create index "accountRemoval" on account ("removeAt") where "removeAt" is not null;

create table "keyPair" (
  id {text} primary key,
  "accountId" {text} not null references account (id),
  label {text} not null,
  secret {bytes} not null,
  "canControl" {int} not null,
  "plantIds" {text},
  cidrs {text},
  pending {int} not null,
  "createdAt" {int} not null,
  "expiresAt" {int},
  "disabledAt" {int},
  "lastUsedAt" {int},
  "lastUsedAddress" {text},
  "lastUsedPath" {text}
);
create index "keyPairAccount" on "keyPair" ("accountId");

create table "auditEvent" (
  id {text} primary key,
  at {int} not null,
  kind {text} not null,
  "accountId" {text},
  actor {text} not null,
  address {text},
  data {text} not null
);
create index "auditEventAccount" on "auditEvent" ("accountId", id);
-- Operators search the trail of all accounts: by what happened, and by who did it.
create index "auditEventKind" on "auditEvent" (kind, id);
create index "auditEventActor" on "auditEvent" (actor, id);

create table plant (
  id {text} primary key,
  "ownerId" {text} not null references account (id),
  name {text} not null,
  type {int} not null,
  "capacityKwp" {real} not null,
  currency {text} not null,
  "pricePerKwh" {real},
  address {text},
  latitude {real},
  longitude {real},
  "tiltDegrees" {real},
  "azimuthDegrees" {real},
  "nmiCode" {text},
  "installerId" {text} references account (id),
  "timeZone" {text} not null,
  facts {text} not null,
  "createdAt" {int} not null,
  "updatedAt" {int} not null,
  "archivedAt" {int},
  state {short} not null default 4,
  "stateSince" {int} not null default 0,
  "deviceCount" {int} not null default 0,
  "onlineDevices" {int} not null default 0,
  "alarmDevices" {int} not null default 0,
  "abnormalDevices" {int} not null default 0,
  -- Prices with validity and by the time of day; shape `Tariffs`. Null: nothing but the flat price per kWh.
  tariffs {text},
  -- When the owner of a plant stopped the writes of all others; null = they may write.
  "controlStoppedAt" {int},
  -- The newest write of somebody else that the owner of a plant has seen; null = none.
  "writesSeen" {text},
  -- What the owner lets strategies do; null = anything.
  "strategyLimits" {text}
);
create index "plantOwner" on plant ("ownerId", id);
-- A plant by its meter.
create index "plantMeter" on plant ("nmiCode") where "nmiCode" is not null;

create table "plantZone" (
  "plantId" {text} not null references plant (id),
  "fromAt" {int} not null,
  "timeZone" {text} not null,
  primary key ("plantId", "fromAt")
);

create table "plantAccess" (
  "accountId" {text} not null references account (id),
  "plantId" {text} not null references plant (id),
  level {text} not null,
  "createdAt" {int} not null,
  -- What an account may by itself, and what by its company; `level` is the higher of both.
  "ownLevel" {text},
  "companyLevel" {text},
  primary key ("accountId", "plantId")
) {clustered};
create index "plantAccessPlant" on "plantAccess" ("plantId");

create table device (
  series {serial} primary key,
  id {text} not null unique,
  sn {text} not null unique,
  kind {text} not null,
  name {text},
  model {text},
  "ratedPowerW" {real},
  "collectorId" {text},
  "plantId" {text} references plant (id),
  "tokenHash" {bytes} unique,
  facts {text} not null,
  "createdAt" {int} not null,
  "removedAt" {int},
  -- 1 online, 2 offline, 3 alarm; plants also 4: building, no device yet.
  state {short} not null default 2,
  "stateSince" {int} not null default 0,
  "offlineAbnormal" {short} not null default 0,
  "expectedSeconds" {int} not null default 300,
  -- When the watch looks at the device next; null: not before it reports.
  "checkAt" {int},
  -- Collectors: their last post, to the minute.
  "reportedAt" {int},
  -- The newest sample that the alarm rules have seen.
  "evaluatedAt" {int} not null default 0,
  -- Open alarms that put a reporting device into the state alarm.
  "openAlarms" {int} not null default 0,
  -- Collectors: the account that alone may bind it; null = whoever names it.
  "accountId" {text},
  -- What a device said of itself last, as JSON: what is in the record and not in here its owner entered.
  reported {text},
  -- What the alarm rules have learned of a device: nominal voltages, connected strings.
  learned {text},
  -- How many seconds a collector’s clock is ahead of the server’s, according to its reports; null = unknown.
  "clockOffsetSeconds" {int},
  -- When a collector last delivered readings that it had kept during an outage; null = never.
  "backlogAt" {int}
);
create index "devicePlant" on device ("plantId", kind, id);
create index "deviceKind" on device (kind, id) where "plantId" is not null;
create index "deviceCollector" on device ("collectorId");
create index "deviceCheck" on device ("checkAt") where "checkAt" is not null;
-- What has just changed, for pages that show it live.
create index "deviceReported" on device ("reportedAt") where kind = 'collector';
create index "deviceStateSince" on device ("stateSince");

create table binding (
  no {serial} primary key,
  "deviceId" {text} not null references device (id),
  "plantId" {text} not null references plant (id),
  "fromAt" {int} not null,
  "toAt" {int},
  -- Readings that came late or were corrected may have changed when a binding began to report and to produce; counted up when they did.
  revision {short} not null default 0
);
create index "bindingDevice" on binding ("deviceId", "fromAt");
create index "bindingPlant" on binding ("plantId");

create table "collectorRefusal" (
  "collectorId" {text} not null,
  sn {text} not null,
  reason {text} not null,
  "firstAt" {int} not null,
  "lastAt" {int} not null,
  count {int} not null,
  -- How a device that is not bound yet described itself last, as JSON; null = it has not.
  described {text},
  primary key ("collectorId", sn, reason)
);
-- Which collectors reported a device in vain: it is linked to them when it is bound.
create index "collectorRefusalSn" on "collectorRefusal" (sn);

-- Wide columns first: PostgreSQL pads the others, which would take 8 bytes more a sample.
create table sample (
  at {int} not null,
  series {short} not null,
  fields {tiny} not null,
  "values" {bytes} not null,
  primary key (series, at)
) {clustered};

create table "fieldList" (
  id {serial} primary key,
  names {text} not null unique
);

create table "deviceDay" (
  binding {short} not null,
  day {short} not null,
  "lastAt" {int} not null,
  state {bytes} not null,
  primary key (binding, day)
) {rewritten};

create table "deviceMonth" (
  binding {short} not null,
  month {short} not null,
  state {bytes} not null,
  primary key (binding, month)
) {clustered};

-- Facts about this installation as a whole, such as the check value of its master key.
create table installation (
  name {text} primary key,
  value {bytes} not null
);

-- A platform that asks owners for permission.
create table application (
  id {text} primary key,
  "clientId" {text} not null unique,
  name {text} not null unique,
  "ownerId" {text} references account (id),
  purpose {text} not null,
  "homePage" {text},
  "redirectUri" {text} not null,
  scopes {short} not null,
  status {text} not null,
  "challengeRequired" {short} not null,
  "resourceServer" {short} not null,
  "createdAt" {int} not null,
  "decidedAt" {int},
  "disabledAt" {int},
  -- What became of an application that somebody applied for.
  -- Why it was rejected.
  reason {text},
  -- When its developer last stated what it is; a decision is about exactly that.
  "submittedAt" {int} not null default 0,
  -- When it was first approved; until then, no owner can have anything to do with it.
  "approvedAt" {int},
  -- What a developer asked for is kept beside what the operator granted. Of former decisions, only the latter is known.
  "askedScopes" integer not null default 0,
  -- What a person might take the name for, so that no two applications look alike; null = it was registered before this was kept.
  "nameKey" {text}
);
create index "applicationOwner" on application ("ownerId");
create unique index "applicationNameKey" on application ("nameKey");

create table "applicationSecret" (
  hash {bytes} primary key,
  id {text} not null unique,
  "applicationId" {text} not null references application (id),
  "createdAt" {int} not null,
  "expiresAt" {int},
  "lastUsedAt" {int},
  -- The last characters of a client secret, by which people tell theirs apart; null = it was made before they were kept.
  ending {text}
);
create index "applicationSecretApplication" on "applicationSecret" ("applicationId");

-- What an application was refused, counted by reason: bounded by the number of reasons.
create table "applicationRefusal" (
  "applicationId" {text} not null,
  endpoint {text} not null,
  reason {text} not null,
  "firstAt" {int} not null,
  "lastAt" {int} not null,
  "lastRequestId" {text} not null,
  count {int} not null,
  primary key ("applicationId", endpoint, reason)
);

-- An owner's standing permission for an application: at most one that is not revoked.
create table "oauthGrant" (
  id {text} primary key,
  "applicationId" {text} not null references application (id),
  "accountId" {text} not null references account (id),
  scopes {short} not null,
  "plantIds" {text},
  "createdAt" {int} not null,
  "changedAt" {int} not null,
  "refreshedAt" {int},
  "revokedAt" {int},
  "revokedBy" {text},
  -- Since when an application has access to plants, where that is later than the authorization itself: shape AccessSince.
  "accessSince" {text}
);
create unique index "oauthGrantLiving" on "oauthGrant" ("accountId", "applicationId") where "revokedAt" is null;
-- Developers are shown how many owners have allowed their application something.
create index "oauthGrantApplication" on "oauthGrant" ("applicationId");

-- One row from the authorization code to the last token pair that came of it.
create table "tokenFamily" (
  "codeHash" {bytes} primary key,
  "grantId" {text} not null,
  "applicationId" {text} not null,
  "accountId" {text} not null,
  scopes {short} not null,
  "redirectUri" {text} not null,
  challenge {text} not null,
  "createdAt" {int} not null,
  "codeExpiresAt" {int} not null,
  "codeAttempts" {short} not null,
  "codeUsedAt" {int},
  "familyHash" {bytes} unique,
  "refreshHash" {bytes},
  "spentRefreshHash" {bytes},
  "refreshExpiresAt" {int},
  "accessHash" {bytes} unique,
  "accessScopes" {short},
  "accessExpiresAt" {int},
  "grantRefreshedAt" {int},
  "issuedAt" {int},
  "previousIssuedAt" {int},
  "answersUntil" {int} not null,
  "endedAt" {int},
  "endedBy" {text},
  "removeAt" {int} not null
) {clustered};
create index "tokenFamilyRemoval" on "tokenFamily" ("removeAt");
-- What lives of an authorization: its token families.
create index "tokenFamilyGrant" on "tokenFamily" ("grantId");

-- Answers kept for a minute for those who send an Idempotency-Key, encrypted under the code or token they presented.
create table "tokenAnswer" (
  "applicationId" {text} not null,
  "keyHash" {bytes} not null,
  "bodyHash" {bytes} not null,
  "codeHash" {bytes} not null,
  "grantId" {text} not null,
  sealed {bytes} not null,
  "expiresAt" {int} not null,
  primary key ("applicationId", "keyHash")
) {clustered};
create index "tokenAnswerFamily" on "tokenAnswer" ("codeHash");
create index "tokenAnswerGrant" on "tokenAnswer" ("grantId");
create index "tokenAnswerExpiry" on "tokenAnswer" ("expiresAt");

create table session (
  hash {bytes} primary key,
  "accountId" {text} not null references account (id),
  "createdAt" {int} not null,
  "expiresAt" {int} not null,
  "freshFor" {bytes},
  -- Names the session to its account; its hash is shown to nobody.
  id {text} not null default '',
  -- oauth or portal.
  entrance {text} not null default 'oauth',
  -- When it was last used, to a few minutes.
  "lastAt" {int} not null default 0,
  -- From where and with which browser somebody logged in.
  address {text},
  "userAgent" {text}
);
create index "sessionExpiry" on session ("expiresAt");
create unique index "sessionId" on session (id);
-- The rows of one account or session, of which only the newest are kept.
create index "sessionAccount" on session ("accountId", entrance);

-- A consent page that was shown and may be sent once.
create table "consentTicket" (
  hash {bytes} primary key,
  "sessionHash" {bytes} not null,
  request {bytes} not null,
  "expiresAt" {int} not null,
  -- A consent form that is sent again soon gets the answer that it got before: what was decided, and the code, encrypted.
  decision {bytes},
  "sealedCode" {bytes}
);
create index "consentTicketExpiry" on "consentTicket" ("expiresAt");
create index "consentTicketSession" on "consentTicket" ("sessionHash");

-- Log-ins that failed or are under way, by what they count against.
create table "logInAttempt" (
  key {bytes} primary key,
  "endsAt" {int} not null
);
create index "logInAttemptEnd" on "logInAttempt" ("endsAt");

-- Browsers that an account has logged in with before: a stranger's failures do not count against them.
create table "knownBrowser" (
  hash {bytes} not null,
  "accountId" {text} not null references account (id),
  "lastAt" {int} not null,
  primary key (hash, "accountId")
);
create index "knownBrowserAge" on "knownBrowser" ("lastAt");
create index "knownBrowserAccount" on "knownBrowser" ("accountId");

-- How many things of a kind and state an account may see: the sum of the rows. Changes are appended, never updated,
-- so that writers do not wait for one another; a job folds them.
create table "visibleCount" (
  no {serial} primary key,
  "accountId" {text} not null,
  -- In plants of the account's own.
  owned {short} not null,
  kind {text} not null,
  state {short} not null,
  amount {int} not null,
  folded {short} not null
);
create index "visibleCountAccount" on "visibleCount" ("accountId", kind);
create index "visibleCountUnfolded" on "visibleCount" ("accountId") where folded = 0;

create table alarm (
  id {text} primary key,
  "deviceId" {text} not null references device (id),
  "plantId" {text} not null references plant (id),
  sn {text} not null,
  kind {text} not null,
  code {text} not null,
  -- 1 tip, 2 general, 3 emergency
  level {short} not null,
  message {text} not null,
  "beginAt" {int} not null,
  -- The plant's local day of the beginning, yyyymmdd.
  "beginDay" {int} not null,
  "endAt" {int},
  -- 0 pending, 1 processed, 2 restored
  state {short} not null,
  "processedAt" {int},
  -- Who took an alarm on, as in the audit trail: account:ID or operator; null = nobody, or it was taken before this was kept.
  "processedBy" {text},
  -- What whoever took an alarm on says of it, and since when; null = nothing.
  note {text},
  "notedAt" {int},
  -- The local day of the plant on which an alarm ended, yyyymmdd; for those that ended before this was kept, the day in UTC.
  "endDay" {int}
);
-- Raised once, whoever raises it.
create unique index "alarmOpen" on alarm ("deviceId", code) where "endAt" is null;
create unique index "alarmBegin" on alarm ("deviceId", code, "beginAt");
create index "alarmPlant" on alarm ("plantId", state, id);
create index "alarmState" on alarm (state, id);
create index "alarmDay" on alarm ("beginDay", id);
create index "alarmSn" on alarm (sn, id);
-- Alarms that applications do not see: few, beside all of a plant's.
create index "alarmAmmeter" on alarm ("plantId", state) where kind = 'ammeter';
create index "alarmNote" on alarm ("processedBy") where note is not null;

-- Roll-ups that are to be made anew, from an instant on: after a change of what they follow from beside the samples.
create table recalculation (
  binding {short} primary key,
  "fromAt" {int} not null,
  -- How often a recalculation was asked for since it was last done: while one is being carried out, another may be asked for.
  requests {int} not null default 0
);

-- Work to be done at a time, by whichever instance claims it first.
create table task (
  kind {text} not null,
  key {text} not null,
  "dueAt" {int} not null,
  -- When "dueAt" was set: what a clock that ran ahead has put off is found by it.
  "setAt" {int} not null,
  -- Counts how often it was armed, so that arming during a run is not lost when the run ends.
  revision {int} not null default 0,
  "claimedUntil" {int} not null default 0,
  "claimedBy" {text},
  failures {int} not null default 0,
  primary key (kind, key)
);
create index "taskDue" on task (kind, "dueAt");
create index "taskSet" on task ("setAt");

-- What a write was sent with, such as a signature. Each counts once.
create table "onceMark" (
  holder {text} not null,
  digest {bytes} not null,
  "expiresAt" {int} not null,
  -- How a write of the portal was answered, encrypted: its page asks if the answer was lost.
  answer {bytes},
  primary key (holder, digest)
) {clustered};
create index "onceMarkExpiry" on "onceMark" ("expiresAt");

-- What one account offers another, who accepts or declines: an address or an account is named, whether or not there is one.
create table invitation (
  id {text} primary key,
  "plantId" {text} not null references plant (id),
  "fromAccountId" {text} not null references account (id),
  email {text},
  "accountId" {text},
  kind {text} not null,
  level {text},
  state {text} not null,
  "createdAt" {int} not null,
  "expiresAt" {int} not null,
  "answeredAt" {int},
  -- The company that an invitation was accepted for, which the sender is told.
  "companyId" {text},
  -- The name that the plant had when the invitation was sent or answered. Of one whose plant has changed hands before this, it is not known any more.
  "plantName" {text}
);
create index "invitationSender" on invitation ("fromAccountId", id);
create index "invitationEmail" on invitation (email, id) where email is not null;
create index "invitationAccount" on invitation ("accountId", id) where "accountId" is not null;
create index "invitationPlant" on invitation ("plantId");
create index "invitationExpiry" on invitation ("expiresAt");

-- What collectors report with. A token is ended by deleting its row, which waits for the reports that are being stored with it.
create table "collectorToken" (
  -- Public: the user name over MQTT.
  id {text} primary key,
  "collectorId" {text} not null references device (id),
  -- SHA-256 of the token.
  hash {bytes} not null unique,
  "createdAt" {int} not null,
  -- Excluded; null = until it is revoked.
  "expiresAt" {int},
  -- What an external broker checks the token with, in the form that it reads; null for tokens that are older than this column.
  "brokerHash" {text}
);
create index "collectorTokenCollector" on "collectorToken" ("collectorId");

-- When a binding reported and produced first, found once; of an older revision it no longer holds.
create table "bindingStart" (
  "bindingNo" {short} primary key,
  revision {short} not null,
  "reportedAt" {int} not null,
  -- Null: nothing was produced when it was looked for.
  "producedAt" {int}
);

create table "pageEnd" (
  list {text} not null,
  "pageNo" {int} not null,
  "lastId" {text} not null,
  total {int},
  "atLeast" {short} not null,
  at {int} not null,
  primary key (list, "pageNo")
) {clustered};
create index "pageEndAge" on "pageEnd" (at);

-- What somebody asked of a device, and what became of it.
create table command (
  id {text} primary key,
  "deviceId" {text} not null references device (id),
  -- Where the device was when it was asked.
  "plantId" {text} not null references plant (id),
  -- read or write
  action {text} not null,
  parameter {text} not null,
  -- To be written, and the memory that this wears: parameters may share one.
  value {text},
  cell {text},
  state {text} not null,
  -- Why it ended otherwise than hoped.
  reason {text},
  step {text} not null,
  -- Instructions handed over so far, the last one answered, and those that the current step and the write began with.
  turn {int} not null default 0,
  answered {int} not null default 0,
  "stepTurn" {int} not null default 1,
  "writeTurn" {int},
  -- How often it was read back in vain.
  "readBacks" {short} not null default 0,
  -- What the collector said when the write failed.
  fault {text},
  -- When the next instruction may be handed over.
  "nextAt" {int} not null,
  "expiresAt" {int} not null,
  "queuedAt" {int} not null,
  "sentAt" {int},
  "confirmedAt" {int},
  "endedAt" {int},
  "oldValue" {text},
  "readValue" {text},
  raw {text},
  -- Whom it was handed to.
  "collectorId" {text},
  -- Who asked: whose right is looked at again before it is sent.
  actor {text} not null,
  door {text} not null,
  address {text},
  "accountId" {text},
  "keyId" {text},
  "grantId" {text},
  "tokenFamily" {text},
  -- The command whose effect this one takes back.
  undoes {text},
  -- The strategy on whose behalf a command is sent, or that a command overrides; and which of these.
  "strategyId" {text},
  "strategyPart" {text}
);
create index "commandOpen" on command ("deviceId", id) where "endedAt" is null;
create index "commandNext" on command ("nextAt") where "endedAt" is null;
create index "commandHistory" on command ("deviceId", action, id);
create index "commandWrites" on command ("deviceId", cell, "sentAt") where cell is not null;
create index "commandRead" on command ("endedAt") where action = 'read';
create index "commandOfPlant" on command ("plantId", id) where action = 'write';
create index "commandOfStrategy" on command ("strategyId", "deviceId") where "strategyId" is not null;
create index "commandWritten" on command ("endedAt") where action = 'write';
-- From where an account's writes were requested is removed with the account.
create index "commandAddress" on command ("accountId") where address is not null;

-- The connection that each collector keeps open: a later one takes over, on whichever instance.
create table "collectorConnection" (
  "collectorId" {text} primary key references device (id),
  id {text} not null,
  "tokenId" {text} not null,
  "openedAt" {int} not null
) {clustered};

-- What an application has devices do for a while.
create table strategy (
  id {text} primary key,
  "applicationId" {text} not null references application (id),
  -- The owner, and the authorization that it rests on.
  "accountId" {text} not null references account (id),
  "grantId" {text} not null references "oauthGrant" (id),
  -- The application's own name for it, and the request that created it.
  reference {text} not null,
  request {text} not null,
  name {text} not null,
  program {text},
  priority {int},
  -- A day plan or a set point.
  content {text} not null,
  "startAt" {int} not null,
  "endAt" {int} not null,
  "heartbeatSeconds" {int},
  "heartbeatAt" {int},
  "createdAt" {int} not null,
  "dispatchedAt" {int},
  -- When a set point was last divided over the devices.
  "dividedAt" {int},
  -- When it ended before its time on all devices, how and why.
  "endedAt" {int},
  "endedAs" {text},
  reason {text}
);
create unique index "strategyReference" on strategy ("applicationId", "accountId", reference);
create index "strategyUnderWay" on strategy (id) where "dispatchedAt" is not null and "endedAt" is null;

-- A device of a strategy.
create table "strategyDevice" (
  "strategyId" {text} not null references strategy (id),
  "deviceId" {text} not null references device (id),
  -- Where it was when the strategy was created.
  "plantId" {text} not null references plant (id),
  state {text} not null,
  reason {text},
  -- Its share of a set point.
  "powerKw" {real},
  "appliedAt" {int},
  "endedAt" {int},
  -- null = it has not got its former settings back.
  "restoredAt" {int},
  -- When to try again what could not be restored, and how often that was so.
  "retryAt" {int},
  failures {short} not null default 0,
  -- When a write by hand ended what a strategy asked of a device.
  "pausedAt" {int},
  -- The voltage by which the powers of a strategy become currents on a device.
  "batteryVoltageV" {real},
  primary key ("strategyId", "deviceId")
) {clustered};
create index "strategyOfDevice" on "strategyDevice" ("deviceId", "strategyId") where "restoredAt" is null;
create index "strategyOfPlant" on "strategyDevice" ("plantId", "strategyId");
create index "strategyDeviceEver" on "strategyDevice" ("deviceId", "strategyId");

-- A setting of a device that a strategy changes.
create table "strategySetting" (
  "strategyId" {text} not null,
  "deviceId" {text} not null,
  parameter {text} not null,
  -- What the device had before, and since when that is known.
  former {text},
  "formerAt" {int},
  -- What it has now; null = not known.
  held {text},
  -- Position among the settings that were written together: they are restored the other way round.
  place {short} not null default 0,
  -- 1 = it was changed, and must be restored.
  changed {tiny} not null default 0,
  -- The last command that read or wrote it.
  "commandId" {text},
  primary key ("strategyId", "deviceId", parameter)
) {clustered};

-- What happened, in the order in which it became visible: an entry has the events of one kind in one plant that one transaction made.
create table event (
  no {position} primary key,
  -- PostgreSQL: no transaction before this one is still open once the oldest open one is not below it. 0 on SQLite, where `no` is the order.
  key {int} not null default 0,
  -- A bit of the contract's kinds.
  kind {short} not null,
  -- The owner of the plant at that time, or whose authorization it is.
  "accountId" {text} not null,
  -- Only for events of authorizations: whom they concern.
  "applicationId" {text},
  "plantId" {text},
  "recordedAt" {int} not null,
  -- JSON: the events, each with its device, sequence number and data.
  events {text} not null,
  -- Only for entries of samples: instants and values as binary numbers, a third of the size of their JSON. `events` says of which devices and quantities they are.
  samples {bytes},
  -- Of each device among them: the last number of its sequence, and when the event before was recorded; shape SampleNumbers.
  numbers {text}
);
create unique index "eventOrder" on event (key, no) where key > 0;
create index "eventPlant" on event ("plantId", no);

-- The last number of each sequence: one per device (or plant, or authorization) and kind.
create table "eventStream" (
  subject {text} not null,
  kind {short} not null,
  sequence {int} not null,
  -- When its last event was recorded, and where it belonged.
  "lastAt" {int} not null,
  "plantId" {text},
  "accountId" {text} not null,
  -- The same of the event before; 0 = that one belonged elsewhere.
  "previousAt" {int} not null,
  primary key (subject, kind)
) {rewritten};

-- One row. What is added to the numbers of PostgreSQL's transactions, which begin anew in a cluster into which a dump is read.
create table "eventLog" (
  id {int} primary key,
  base {int} not null
);

-- Where events go: an application may have several destinations.
create table destination (
  id {text} primary key,
  "applicationId" {text} not null references application (id),
  -- Without user and password.
  url {text} not null,
  -- Bits of the contract's kinds of events.
  kinds {int} not null,
  -- JSON arrays; null = all that the application may see.
  "plantIds" {text},
  "deviceSns" {text},
  -- JSON: what is no secret and no query filters by, such as the topic.
  options {text} not null,
  -- Encrypted JSON: secrets, user and password.
  secrets {bytes} not null,
  -- active, paused, disabled
  state {text} not null,
  -- Why it was disabled.
  reason {text},
  "createdAt" {int} not null,
  -- Events that were recorded before are not sent to it.
  "sinceAt" {int} not null,
  -- Counts the changes of its settings.
  revision {int} not null default 0
);
create index "destinationApplication" on destination ("applicationId");

-- How far each destination is. Changes often.
create table "destinationProgress" (
  "destinationId" {text} primary key references destination (id),
  -- The last entry of the log that was dealt with.
  key {int} not null,
  no {int} not null,
  delivered {int} not null default 0,
  failures {int} not null default 0,
  "deliveredAt" {int},
  "failedAt" {int},
  -- What the peer or the network said last.
  failure {text},
  excerpt {text},
  -- Since when nothing has been delivered, although it was tried; null = the last attempt was a success.
  "failingSince" {int},
  -- How often it was probed in vain since the circuit opened, and when it is probed next.
  probes {int} not null default 0,
  "nextAt" {int} not null default 0,
  -- The last outcomes at a destination, the newest last: + delivered, - failed. Whoever goes on counts them too.
  outcomes {text} not null default ''
) {rewritten};

-- A device whose events wait at a destination, because one could not be delivered.
create table "waitingDevice" (
  "destinationId" {text} not null references destination (id),
  -- A device, a plant or a grant.
  subject {text} not null,
  -- The entry before the first one that waits; in that one, events with a lower number have been dealt with.
  key {int} not null,
  no {int} not null,
  sequence {int} not null,
  attempts {int} not null,
  "nextAt" {int} not null,
  reason {text} not null,
  excerpt {text},
  primary key ("destinationId", subject)
) {clustered};

-- An event that was given up.
create table "deadLetter" (
  "destinationId" {text} not null references destination (id),
  "eventId" {text} not null,
  kind {int} not null,
  subject {text} not null,
  sn {text},
  sequence {int} not null,
  reason {text} not null,
  excerpt {text},
  at {int} not null,
  primary key ("destinationId", "eventId")
) {clustered};

-- What a destination asked for once more.
create table replay (
  id {text} primary key,
  "destinationId" {text} not null references destination (id),
  -- Entries of the log: after this one, up to and with the other.
  key {int} not null,
  no {int} not null,
  "lastKey" {int} not null,
  "lastNo" {int} not null,
  -- Which of their events: recorded in this time, of this device, or this one alone.
  "fromAt" {int} not null,
  "untilAt" {int} not null,
  sn {text},
  "eventId" {text},
  -- running, done, failed
  state {text} not null,
  reason {text},
  delivered {int} not null default 0,
  attempts {int} not null default 0,
  "nextAt" {int} not null default 0,
  "createdAt" {int} not null,
  "endedAt" {int}
);
create index "replayOfDestination" on replay ("destinationId", state);

-- Entries of the log that were pruned before a destination had got them.
create table "lostStretch" (
  "destinationId" {text} not null references destination (id),
  "afterNo" {int} not null,
  "untilNo" {int} not null,
  at {int} not null,
  primary key ("destinationId", "afterNo")
) {clustered};

-- What a strategy asked for, from an instant on.
create table "strategyVersion" (
  "strategyId" {text} not null references strategy (id),
  "fromAt" {int} not null,
  content {text} not null,
  primary key ("strategyId", "fromAt")
) {clustered};

-- The share of a device in a set point, from an instant on.
create table "strategyShare" (
  "strategyId" {text} not null,
  "deviceId" {text} not null,
  "fromAt" {int} not null,
  "powerKw" {real} not null,
  primary key ("strategyId", "deviceId", "fromAt")
) {clustered};

-- What the owner of a plant let strategies do, from an instant on.
create table "strategyLimits" (
  "plantId" {text} not null references plant (id),
  "fromAt" {int} not null,
  limits {text} not null,
  primary key ("plantId", "fromAt")
) {clustered};

-- E-mails that were not sent yet. A row is deleted when its e-mail was sent or given up.
create table mail (
  id {text} primary key,
  -- null = somebody without an account
  "accountId" {text} references account (id) on delete cascade,
  address {text} not null,
  -- Encrypted, because letters may contain one-time links.
  letter {bytes} not null,
  "createdAt" {int} not null,
  -- Not sent after this time.
  "expiresAt" {int} not null,
  -- Why the last attempt failed.
  fault {text}
);
create index "mailAccount" on mail ("accountId");

-- The authenticator app of an account.
create table totp (
  "accountId" {text} primary key references account (id) on delete cascade,
  -- Encrypted.
  secret {bytes} not null,
  "createdAt" {int} not null,
  -- null until a code has shown that the app has the secret; it is not asked for before.
  "confirmedAt" {int},
  -- The time step of the last code that was used; no code of this or an earlier step is accepted again.
  "lastStep" {int} not null default 0
);

-- Codes for somebody who has lost the other factors. A row is deleted when its code is used.
create table "recoveryCode" (
  hash {bytes} primary key,
  "accountId" {text} not null references account (id) on delete cascade
);
create index "recoveryCodeAccount" on "recoveryCode" ("accountId");

create table passkey (
  id {text} primary key,
  "accountId" {text} not null references account (id) on delete cascade,
  "credentialId" {bytes} not null,
  "publicKey" {bytes} not null,
  -- How often the authenticator has signed, if it counts; 0 = it does not.
  counter {int} not null,
  -- JSON array: how browsers reach the authenticator.
  transports {text} not null,
  name {text} not null,
  "createdAt" {int} not null,
  "lastUsedAt" {int}
);
create unique index "passkeyCredential" on passkey ("credentialId");
create index "passkeyAccount" on passkey ("accountId");

-- Beginnings and ends of alarms that have not been passed on yet to those who want to be told.
create table "alarmNotice" (
  "alarmId" {text} primary key,
  -- Whether its beginning is among what is to be told.
  began {short} not null,
  at {int} not null
) {clustered};
create index "alarmNoticeAge" on "alarmNotice" (at);

-- What an account wants to be told of its plants, and when not.
create table "newsSetting" (
  "accountId" {text} primary key,
  "alarmsByMail" {short} not null,
  "weeklyByMail" {short} not null,
  "minLevel" {short} not null,
  -- JSON array; null = all plants that the account may see.
  "plantIds" {text},
  -- Minutes of the day on the account's wall clock; null = no quiet hours.
  "quietFrom" {int},
  "quietTo" {int},
  "urgentPasses" {short} not null,
  -- When the next weekly summary is due; null = none is wanted.
  "weeklyAt" {int},
  -- When people were last told of alarms.
  "toldAt" {int},
  -- When the next e-mail about settings that others changed is due; null = none is wanted.
  "changesAt" {int},
  -- Writes that ended up to then are not told any more.
  "changesAfter" {int},
  -- 1 = webhooks have the account's quiet hours too.
  "webhooksQuiet" {short} not null default 0
);
create index "newsSettingWeekly" on "newsSetting" ("weeklyAt") where "weeklyAt" is not null;
create index "newsSettingChanges" on "newsSetting" ("changesAt") where "changesAt" is not null;

create table "pushSubscription" (
  id {text} primary key,
  "accountId" {text} not null,
  -- One browser has one endpoint, whoever is signed in there.
  "endpointHash" {bytes} not null unique,
  sealed {bytes} not null,
  label {text} not null,
  "createdAt" {int} not null,
  "sentAt" {int}
);
create index "pushSubscriptionAccount" on "pushSubscription" ("accountId");

create table "newsWebhook" (
  id {text} primary key,
  "accountId" {text} not null,
  url {text} not null,
  secrets {bytes} not null,
  "createdAt" {int} not null,
  "deliveredAt" {int},
  "failedAt" {int},
  failure {text},
  -- When its peer said that it wants nothing more.
  "goneAt" {int},
  -- Code of the error of a connection, such as ECONNREFUSED, so that people are told in their language why a program of theirs was not reached.
  "connectionError" {text}
);
create index "newsWebhookAccount" on "newsWebhook" ("accountId");

-- Alarms of which an account is to be told or was told; kept until it was told of the end.
create table "newsItem" (
  "accountId" {text} not null,
  via {text} not null,
  "alarmId" {text} not null,
  level {short} not null,
  since {int} not null,
  waits {short} not null,
  told {short} not null,
  primary key ("accountId", via, "alarmId")
) {clustered};
create index "newsItemWaits" on "newsItem" ("accountId", via) where waits = 1;
create index "newsItemAlarm" on "newsItem" ("alarmId");

-- A message on its way to one browser or program. It names alarms, not what is said of them: access is looked at when it is sent.
create table "newsMessage" (
  id {text} primary key,
  "accountId" {text} not null,
  channel {text} not null,
  target {text} not null,
  content {text} not null,
  "createdAt" {int} not null,
  "dueAt" {int} not null,
  attempts {int} not null
);
create index "newsMessageAccount" on "newsMessage" ("accountId", "dueAt");

-- The figures by which lists of plants are sorted and added up. Worked out every few minutes; name, state and capacity change with their plant.
create table "plantStanding" (
  "plantId" {text} primary key references plant (id),
  -- Of the name, and of name and address; '' = not worked out yet.
  "nameKey" {sortable} not null,
  "searchKey" {text} not null,
  state {short} not null,
  "capacityKwp" {real} not null,
  -- Unknown while the plant is offline.
  "powerW" {real},
  "dayKwh" {real},
  "monthKwh" {real},
  "yearKwh" {real},
  "totalKwh" {real},
  "dayWorth" {real},
  "monthWorth" {real},
  "yearWorth" {real},
  "totalWorth" {real},
  -- When the plant's own day, month and year end for which these were worked out.
  "dayEndsAt" {int} not null,
  "monthEndsAt" {int} not null,
  "yearEndsAt" {int} not null,
  "workedOutAt" {int} not null,
  "dueAt" {int} not null,
  -- Which plants yielded least yesterday, for their size. Worked out with the other figures, within minutes for all plants; it holds until "dayEndsAt".
  "yesterdayFullHours" {real},
  -- In each state, plants with alarms that nobody has taken on come before those whose alarms somebody deals with. Worked out with the other figures, and
  -- soon after an alarm has begun, has ended, or was taken on.
  unattended {short} not null default 0
) {clustered};
create index "plantStandingDue" on "plantStanding" ("dueAt");
create index "plantStandingName" on "plantStanding" ("nameKey", "plantId");
create index "plantStandingState" on "plantStanding" (state, unattended, "nameKey", "plantId");
create index "plantStandingCapacity" on "plantStanding" ("capacityKwp", "plantId");
create index "plantStandingPower" on "plantStanding" ("powerW", "plantId");
create index "plantStandingDay" on "plantStanding" ("dayKwh", "plantId");
create index "plantStandingMonth" on "plantStanding" ("monthKwh", "plantId");
create index "plantStandingTotal" on "plantStanding" ("totalKwh", "plantId");
create index "plantStandingYesterday" on "plantStanding" ("yesterdayFullHours", "plantId");

-- The export of what an account has. It is written entry by entry, so that one that is interrupted goes on with the entry that it was at.
create table "accountExport" (
  id {text} primary key,
  "accountId" {text} not null references account (id),
  format {text} not null,
  -- underway, ready, or over: its parts are being deleted.
  state {text} not null,
  "createdAt" {int} not null,
  "readyAt" {int},
  "expiresAt" {int},
  -- Where to go on, and the share of the work that is done.
  place {text} not null,
  progress {real} not null,
  entries {int} not null,
  bytes {int} not null
);
create index "accountExportAccount" on "accountExport" ("accountId");
create index "accountExportState" on "accountExport" (state, "expiresAt");

-- A finished file of an export, as the archive holds it.
create table "exportEntry" (
  "exportId" {text} not null references "accountExport" (id),
  no {int} not null,
  name {text} not null,
  -- 0 stored, 8 deflated.
  method {short} not null,
  crc {int} not null,
  size {int} not null,
  "packedSize" {int} not null,
  primary key ("exportId", no)
) {clustered};

create table "exportChunk" (
  "exportId" {text} not null references "accountExport" (id),
  "entryNo" {int} not null,
  no {int} not null,
  content {bytes} not null,
  primary key ("exportId", "entryNo", no)
);

-- What a link in an e-mail proves: that whoever follows it reads the e-mails of an address. One for each purpose; a newer one replaces it.
create table "mailToken" (
  purpose {text} not null,
  email {text} not null,
  hash {bytes} not null unique,
  "expiresAt" {int} not null,
  primary key (purpose, email)
);
create index "mailTokenExpiry" on "mailToken" ("expiresAt");

-- Requests for such links. A worker answers them, so that whoever asks cannot see whether the address has an account. A row is deleted when it is answered.
create table "mailTokenRequest" (
  id {text} primary key,
  purpose {text} not null,
  email {text} not null,
  -- Of the page from which it came.
  language {text} not null,
  -- The network address from which it came.
  address {text} not null,
  "createdAt" {int} not null
);

-- What a destination was told of the present when it asked for it: the last picture of each.
create table picture (
  "destinationId" {text} primary key references destination (id),
  -- Counts the pictures of the application.
  number {int} not null,
  -- sending, repeating, done, failed
  state {text} not null,
  -- All plants up to this one, of this owner, are in it.
  "accountId" {text} not null default '',
  "plantId" {text} not null default '',
  -- JSON arrays of plants and devices: behind that place but sent already, and refused.
  sent {text} not null default '[]',
  refused {text} not null default '[]',
  plants {int} not null default 0,
  devices {int} not null default 0,
  -- Of what was refused.
  attempts {int} not null default 0,
  "nextAt" {int} not null default 0,
  reason {text},
  "createdAt" {int} not null,
  "endedAt" {int}
) {rewritten};

-- What an application asked for and was sent on one day of an owner's calendar. Instances add to it about once a minute.
create table "applicationUse" (
  "accountId" {text} not null references account (id) on delete cascade,
  "applicationId" {text} not null references application (id),
  -- Days since 1970-01-01.
  day {int} not null,
  reads {int} not null,
  writes {int} not null,
  forwarded {int} not null,
  -- When it last asked for something; null = it was only sent events.
  "lastAt" {int},
  primary key ("accountId", "applicationId", day)
) {clustered};
create index "applicationUseDay" on "applicationUse" (day);

-- The last numbers of samples: 16 devices whose series follow one another have a row together, since every report takes some. events/sequence-blocks.ts
-- knows the shape.
create table "sequenceBlock" (
  block {short} primary key,
  state {bytes} not null
);

-- Owners let operators of the service look at everything that they see, for a while.
create table "supportPermission" (
  id {text} primary key,
  "accountId" {text} not null references account (id),
  "createdAt" {int} not null,
  "expiresAt" {int} not null,
  -- When and by whom it was ended before its time.
  "endedAt" {int},
  "endedBy" {text}
);
create index "supportPermissionAccount" on "supportPermission" ("accountId", id);
create index "supportPermissionExpiry" on "supportPermission" ("expiresAt");

-- What operators looked at under a permission: each question once, with how often it was asked.
create table "supportLook" (
  "permissionId" {text} not null references "supportPermission" (id) on delete cascade,
  "operatorId" {text} not null references account (id),
  operation {text} not null,
  subject {text} not null,
  "firstAt" {int} not null,
  "lastAt" {int} not null,
  count {int} not null,
  primary key ("permissionId", "operatorId", operation, subject)
) {clustered};

-- What is left to do of an account that was closed, or whose data is being removed. It ends share by share and plant by plant, so that one that is interrupted
-- goes on where it was.
create table "accountClosing" (
  "accountId" {text} primary key references account (id),
  -- What is newer stays.
  at {int} not null,
  -- Who closed it, and from where: the audit trail says so of each end.
  actor {text} not null,
  address {text},
  place {text} not null
);

-- Several people who work on one fleet. An account belongs to at most one company.
create table company (
  id {text} primary key,
  name {text} not null,
  "createdAt" {int} not null
);

create table "companyMember" (
  "accountId" {text} primary key references account (id),
  "companyId" {text} not null references company (id),
  -- manager or member
  role {text} not null,
  "createdAt" {int} not null
);
create index "companyMemberCompany" on "companyMember" ("companyId", "createdAt");

create table "companyInvitation" (
  id {text} primary key,
  "companyId" {text} not null references company (id),
  "fromAccountId" {text} not null references account (id),
  email {text} not null,
  role {text} not null,
  "createdAt" {int} not null,
  "expiresAt" {int} not null,
  unique ("companyId", email)
);
create index "companyInvitationEmail" on "companyInvitation" (email);
create index "companyInvitationFrom" on "companyInvitation" ("fromAccountId");
create index "companyInvitationExpiry" on "companyInvitation" ("expiresAt");

create table "companyPlant" (
  "companyId" {text} not null references company (id),
  "plantId" {text} not null references plant (id),
  -- read or control
  level {text} not null,
  -- 1 = a member is the plant's installer for the company, until another installer is named.
  "isInstaller" {short} not null,
  "createdAt" {int} not null,
  primary key ("companyId", "plantId")
) {clustered};
create index "companyPlantPlant" on "companyPlant" ("plantId");

-- Who is writing the series of a device, where they are in an engine without transactions: an attempt writes while it holds the claim, with timestamps
-- from the revision on. "stored" is the last attempt that was stored as a whole.
create table "seriesClaim" (
  series {short} primary key,
  attempt {text},
  "until" {int} not null,
  revision {int} not null,
  stored {text}
) {rewritten};

-- Where the series are, and where they are being copied to. No row as long as nobody has decided: then the settings say it. series/home.ts
create table "seriesHome" (
  id {tiny} primary key check (id = 1),
  engine {text} not null,
  "copyingTo" {text},
  -- The process that copies.
  copier {text}
);

-- Devices that were the same on both sides when they were compared.
create table "seriesComparison" (
  series {short} primary key,
  samples {int} not null,
  days {int} not null,
  months {int} not null,
  checksum {text} not null
) {clustered};

-- Who left a company, and when: those who stay go on knowing whose deeds they see.
create table "companyFormer" (
  "companyId" {text} not null references company (id),
  "accountId" {text} not null references account (id),
  "leftAt" {int} not null,
  primary key ("companyId", "accountId")
) {clustered};
create index "companyFormerAccount" on "companyFormer" ("accountId");

insert into "eventLog" (id, base) values (1, 0);
-- Compressing numbers costs more than it saves.
{postgres} alter table event alter column samples set storage external;
{postgres} alter table "sequenceBlock" set (fillfactor = 45);
{postgres} alter table "eventStream" add constraint "samplesHaveBlocks" check (kind <> 1);
{postgres} create function "enterSeries"(out entered boolean, out engine text, out copying boolean) language plpgsql as $$ begin entered := pg_try_advisory_xact_lock_shared(72052, 0); select home.engine, home."copyingTo" is not null into engine, copying from "seriesHome" as home; end $$;
