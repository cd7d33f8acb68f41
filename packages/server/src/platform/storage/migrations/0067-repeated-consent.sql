-- A consent form that is sent again soon gets the answer that it got before: what was decided, and the code, encrypted.
alter table "consentTicket" add column decision {bytes};
alter table "consentTicket" add column "sealedCode" {bytes};
