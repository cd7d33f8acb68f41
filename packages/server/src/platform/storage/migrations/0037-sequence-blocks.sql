-- The last numbers of samples: 16 devices whose series follow one another have a row together, since every report takes some. events/sequence-blocks.ts
-- knows the shape.
create table "sequenceBlock" (
  block {short} primary key,
  state {bytes} not null
);
{postgres} alter table "sequenceBlock" set (fillfactor = 45);

{sqlite} insert into "sequenceBlock" (block, state)
with recursive place (no) as (select 0 union all select no + 1 from place where no < 15),
known (series, slot) as (
  select device.series,
    printf('%016x%016x%016x%016x', stream.sequence, stream."lastAt", cast(stream."plantId" as integer), cast(stream."accountId" as integer))
  from "eventStream" as stream inner join device on device.id = stream.subject where stream.kind = 1)
select block, unhex(group_concat(coalesce(slot, printf('%064d', 0)), '' order by no))
from (select distinct series / 16 as block from known) as blocks cross join place left join known on known.series = block * 16 + no
group by block;
{postgres} insert into "sequenceBlock" (block, state)
with recursive place (no) as (select 0 union all select no + 1 from place where no < 15),
known (series, slot) as (
  select device.series, int8send(stream.sequence) || int8send(stream."lastAt") || int8send(stream."plantId"::bigint) || int8send(stream."accountId"::bigint)
  from "eventStream" as stream inner join device on device.id = stream.subject where stream.kind = 1)
select block, string_agg(coalesce(slot, decode(repeat('00', 32), 'hex')), ''::bytea order by no)
from (select distinct series / 16 as block from known) as blocks cross join place left join known on known.series = block * 16 + no
group by block;
delete from "eventStream" where kind = 1;
