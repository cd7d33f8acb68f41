-- The last characters of a client secret, by which people tell theirs apart; null = it was made before they were kept.
alter table "applicationSecret" add column ending {text};
