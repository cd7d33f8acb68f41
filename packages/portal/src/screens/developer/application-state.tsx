import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge.tsx';
import { texts } from './texts/index.ts';

/** An application as its developer sees it. */
export type ShownApplication = WireData<'developer/show'>;

type Shown = Pick<ShownApplication, 'state'>;

export const applicationStateOf = ({ state }: Shown) => state ?? 'submitted';

const KINDS = {
  submitted: 'plain',
  approved: 'good',
  rejected: 'fault',
  disabled: 'fault',
} as const;

export function ApplicationState({ application }: { readonly application: Shown }): ReactNode {
  const t = texts.useTexts();
  const state = applicationStateOf(application);
  return <Badge kind={KINDS[state]}>{t.states[state]}</Badge>;
}
