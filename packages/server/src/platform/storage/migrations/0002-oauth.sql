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
  "disabledAt" {int}
);

create table "applicationSecret" (
  hash {bytes} primary key,
  id {text} not null unique,
  "applicationId" {text} not null references application (id),
  "createdAt" {int} not null,
  "expiresAt" {int},
  "lastUsedAt" {int}
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
  "revokedBy" {text}
);
create unique index "oauthGrantLiving" on "oauthGrant" ("accountId", "applicationId") where "revokedAt" is null;

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
  "freshFor" {bytes}
);
create index "sessionExpiry" on session ("expiresAt");

-- A consent page that was shown and may be sent once.
create table "consentTicket" (
  hash {bytes} primary key,
  "sessionHash" {bytes} not null,
  request {bytes} not null,
  "expiresAt" {int} not null
);
create index "consentTicketExpiry" on "consentTicket" ("expiresAt");

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
