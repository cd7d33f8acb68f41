-- Samples are numbered in "sequenceBlock". An instance of an earlier version, still running, would number them here, from 1 again: it has to fail.
delete from "eventStream" where kind = 1;
{postgres} alter table "eventStream" add constraint "samplesHaveBlocks" check (kind <> 1);
