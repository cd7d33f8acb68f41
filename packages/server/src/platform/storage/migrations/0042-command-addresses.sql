-- From where an account's writes were requested is removed with the account.
create index "commandAddress" on command ("accountId") where address is not null;
