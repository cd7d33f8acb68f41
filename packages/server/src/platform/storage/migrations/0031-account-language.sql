-- The language of an account's pages and messages; null = that of the browser, and English for messages.
alter table account add column language {text};
update account set language = (
  select language from "newsSetting" where "newsSetting"."accountId" = account.id
    and ("alarmsByMail" = 1 or "weeklyByMail" = 1 or language <> 'en')
);
alter table "newsSetting" drop column language;
