import { LOGO_BYTES, LOGO_PIXELS } from '@helioport/contract';
import type { Act } from '../../../identity/accounts/audit.ts';
import { invalidValue } from '../../../platform/kernel/failure.ts';
import { readImage } from '../../../platform/kernel/images/image.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { recordCompany, type Membership } from './companies.ts';

/** A logo as it is kept, from base64: a data URI. Throws invalidValue. */
export function logoOf(image: string): string {
  const file = Buffer.from(image, 'base64');
  const read =
    file.length <= LOGO_BYTES && file.toString('base64') === image
      ? readImage(file, LOGO_PIXELS)
      : undefined;
  if (!read)
    throw invalidValue(
      'image',
      `a PNG without interlacing or a JPEG in base64, of at most ${LOGO_BYTES / 1024} KiB and ${LOGO_PIXELS} × ${LOGO_PIXELS} pixels`,
    );
  return `data:${read.mediaType};base64,${read.content.toString('base64')}`;
}

/** Gives a company a logo, as `logoOf` returns it, or takes it back. */
export async function setLogo(
  trx: Db,
  act: Act,
  { companyId, accountId }: Membership,
  logo: string | null,
): Promise<void> {
  await trx.updateTable('company').set({ logo }).where('id', '=', companyId).execute();
  const kind = logo === null ? 'company.logoRemoved' : 'company.logoSet';
  await recordCompany(trx, act, kind, [accountId], { companyId });
}

/** Whose name and logo stand on what is written about a plant. */
export interface Letterhead {
  readonly name: string;
  /** A data URI; null = none. */
  readonly logo: string | null;
}

/**
 * The company that is the installer of a plant; otherwise that of a reader, if the plant is among its plants. Undefined: neither.
 * @param accountId of somebody who may see the plant; null = the operator
 */
export async function letterheadOf(
  db: Db,
  plantId: string,
  accountId: string | null,
): Promise<Letterhead | undefined> {
  const [first] = await db
    .selectFrom('companyPlant')
    .innerJoin('company', 'company.id', 'companyPlant.companyId')
    .leftJoin('companyMember as member', (join) =>
      join
        .onRef('member.companyId', '=', 'company.id')
        .on('member.accountId', '=', accountId ?? ''),
    )
    .select(['company.name', 'company.logo'])
    .where('companyPlant.plantId', '=', plantId)
    .where((eb) =>
      eb.or([eb('companyPlant.isInstaller', '=', 1), eb('member.accountId', 'is not', null)]),
    )
    .orderBy('companyPlant.isInstaller', 'desc')
    .orderBy('companyPlant.createdAt')
    .orderBy('company.id')
    .limit(1)
    .execute();
  return first;
}
