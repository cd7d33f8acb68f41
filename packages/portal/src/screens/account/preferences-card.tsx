import { NativeSelect, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { Card } from '../../components/layout.tsx';
import { languages, type Language } from '../../i18n/languages.ts';
import { COLOUR_SCHEMES } from '../../parts/colour-schemes.ts';
import { texts as ofParts } from '../../parts/texts/index.ts';
import { useLanguageChoice } from '../../session/use-language-choice.ts';
import { texts } from './texts/index.ts';

/** The language of the account, and how the portal looks on this device. */
export function PreferencesCard(): ReactNode {
  const t = texts.useTexts();
  const { preferences } = ofParts.useTexts();
  const { language, choose } = useLanguageChoice();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Card id="preferences">
      <h2>{t.preferences}</h2>
      <NativeSelect
        label={preferences.language}
        value={language}
        data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget: { value } }) => choose(value as Language)}
      />
      <NativeSelect
        label={preferences.look}
        value={colorScheme}
        data={COLOUR_SCHEMES.map((value) => ({ value, label: preferences.looks[value] }))}
        onChange={({ currentTarget: { value } }) => setColorScheme(value as MantineColorScheme)}
      />
    </Card>
  );
}
