import type { ShareLevel, WireData } from '@helioport/contract';

/** A company that may see or control a plant, and who is in it. */
export interface CompanyShare {
  readonly id: string;
  readonly name: string;
  readonly level: ShareLevel;
  readonly people: readonly string[];
}

/** The companies among those who may see a plant. */
export function companiesOf(shares: WireData<'share/list'>): CompanyShare[] {
  const byCompany = Map.groupBy(
    shares.filter(({ companyId }) => companyId !== undefined),
    ({ companyId }) => companyId!,
  );
  return [...byCompany].map(([id, people]) => {
    const { companyName = '', companyLevel = 'read' } = people[0]!;
    return {
      id,
      name: companyName,
      level: companyLevel,
      people: people.map(({ email }) => email),
    };
  });
}
