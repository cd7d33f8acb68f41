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
  language {text} not null,
  -- When the next weekly summary is due; null = none is wanted.
  "weeklyAt" {int},
  -- When people were last told of alarms.
  "toldAt" {int}
);
create index "newsSettingWeekly" on "newsSetting" ("weeklyAt") where "weeklyAt" is not null;

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
  "goneAt" {int}
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
