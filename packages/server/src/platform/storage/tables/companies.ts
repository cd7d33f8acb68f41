import type { ShareLevel } from '@helioport/contract';
import type { Generated } from 'kysely';
import type { Flag, Instant } from '../columns.ts';

/** Several people who work on one fleet. */
export interface CompanyTable {
  id: string;
  name: string;
  /** A data URI; null = none. */
  logo: Generated<string | null>;
  createdAt: Instant;
}

/** Who belongs to a company; an account belongs to one at most. */
export interface CompanyMemberTable {
  accountId: string;
  companyId: string;
  role: 'manager' | 'member';
  createdAt: Instant;
}

/** Who belonged to a company. */
export interface CompanyFormerTable {
  companyId: string;
  accountId: string;
  leftAt: Instant;
}

/** An offer to join a company, deleted once it is answered or withdrawn. */
export interface CompanyInvitationTable {
  id: string;
  companyId: string;
  fromAccountId: string;
  /** Normalized, like all stored e-mail addresses; whether or not it has an account. */
  email: string;
  role: CompanyMemberTable['role'];
  createdAt: Instant;
  expiresAt: Instant;
}

/** A plant that a company may see or control. Each of its members has a row of plantAccess for it. */
export interface CompanyPlantTable {
  companyId: string;
  plantId: string;
  level: ShareLevel;
  /** Whether a member is the plant's installer for the company. */
  isInstaller: Flag;
  createdAt: Instant;
}
