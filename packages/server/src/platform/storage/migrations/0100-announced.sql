-- The words of notifications.
alter table "newsItem" rename column told to announced;
alter table "newsSetting" rename column "toldAt" to "notifiedAt";
