-- The rows of one account or session, of which only the newest are kept.
create index "sessionAccount" on session ("accountId", entrance);
create index "knownBrowserAccount" on "knownBrowser" ("accountId");
create index "consentTicketSession" on "consentTicket" ("sessionHash");
