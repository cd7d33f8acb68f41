import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card, Soft } from '../../components/layout.tsx';
import { texts as shared } from '../../parts/texts/index.ts';
import { texts } from './texts/index.ts';

/** The ways to all others that reach the account: applications and people, and key pairs. */
export function AccessCard(): ReactNode {
  const t = texts.useTexts();
  const { access } = shared.useTexts();
  return (
    <Card>
      <h2>{access.label}</h2>
      <p>
        <Link to="/authorizations">{access.authorizations}</Link>
        <Soft component="span"> {t.authorizationsLead}</Soft>
      </p>
      <p>
        <Link to="/keys">{access.keys}</Link>
        <Soft component="span"> {t.keysLead}</Soft>
      </p>
    </Card>
  );
}
