-- The series are copied while nobody writes to them: nothing lists changes any more, and a copy that was begun in the former way is begun anew.
drop table "seriesChange";
update "seriesHome" set "copyingTo" = null, copier = null;
delete from "seriesComparison";
alter table "seriesHome" drop column "shutUntil";

-- The lock is asked for before the row is read: a volatile function reads what is committed at each of its statements. series/gate.ts
{postgres} drop function "enterSeries"();
{postgres} create function "enterSeries"(out entered boolean, out engine text, out copying boolean) language plpgsql as $$ begin entered := pg_try_advisory_xact_lock_shared(72052, 0); select home.engine, home."copyingTo" is not null into engine, copying from "seriesHome" as home; end $$;

-- Pages in the middle of a list are found by their offset.
drop table "visibleSpan";
