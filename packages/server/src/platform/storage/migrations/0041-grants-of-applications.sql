-- Developers are shown how many owners have allowed their application something.
create index "oauthGrantApplication" on "oauthGrant" ("applicationId");
