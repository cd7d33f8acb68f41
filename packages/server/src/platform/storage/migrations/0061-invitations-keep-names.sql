-- The name that the plant had when the invitation was sent or answered. Of one whose plant has changed hands before this, it is not known any more.
alter table invitation add column "plantName" {text};
update invitation set "plantName" = coalesce((select plant.name from plant where plant.id = invitation."plantId" and plant."ownerId" = invitation."fromAccountId"), '—');
