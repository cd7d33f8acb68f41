import { Radio } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../../../components/layout.tsx';
import { FAMILIES, type ConnectFamily } from './families.ts';
import { texts } from './texts/index.ts';

interface FamilyChoiceProps {
  readonly value: ConnectFamily | undefined;
  readonly onChange: (family: ConnectFamily) => void;
}

/** Asks what somebody has. */
export function FamilyChoice({ value, onChange }: FamilyChoiceProps): ReactNode {
  const t = texts.useTexts();
  return (
    <Radio.Group
      label={t.have}
      value={value ?? null}
      onChange={(chosen) => onChange(FAMILIES.find((family) => family === chosen)!)}
    >
      <Section component="div">
        {FAMILIES.map((family) => (
          <Radio key={family} value={family} label={t.families[family]} />
        ))}
      </Section>
    </Radio.Group>
  );
}
