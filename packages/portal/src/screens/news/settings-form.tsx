import { Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactNode } from 'react';
import { languages, type Language } from '../../i18n/languages.ts';
import { useFormats } from '../../i18n/formats.ts';
import { PlantSelect } from '../../parts/plant-select.tsx';
import { toast } from '../../parts/toast.tsx';
import { useAccount, useSession } from '../../session/session-context.ts';
import { useChange, useOperation } from '../../wire/queries.ts';
import { serverNow } from '../../wire/server-clock.ts';
import { ChosenPlants } from './chosen-plants.tsx';
import styles from './screen.module.css';
import { texts } from './texts/index.ts';

type Settings = WireData<'news/settings'>;

/** The hours in which most people sleep, as a beginning. */
const NIGHT = { from: '22:00', to: '07:00' };

/** The highest level of alarms. */
const EMERGENCY = '3';

/** What is sent by e-mail. */
const MAILS = ['alarmsByMail', 'weekly', 'changes'] as const;

/** What is told by e-mail and to browsers, and when not. */
export function SettingsForm({ settings }: { readonly settings: Settings }): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { speak } = useSession();
  const { language: own } = useAccount();
  const saving = useChange('news/set');
  const { data: browsers = [] } = useOperation('push/list', {});
  const { data: webhooks = [] } = useOperation('webhook/list', {});
  const [form, setForm] = useState(() => ({
    alarmsByMail: settings.alarmsByMail ?? false,
    weekly: settings.weekly ?? false,
    changes: settings.changes ?? false,
    minLevel: String(settings.minLevel ?? 2),
    plantIds: settings.plantIds ?? [],
    isQuiet: settings.quietFrom !== undefined,
    quietFrom: settings.quietFrom ?? NIGHT.from,
    quietTo: settings.quietTo ?? NIGHT.to,
    urgentPasses: settings.urgentPasses ?? true,
    webhooksQuiet: settings.webhooksQuiet ?? false,
    language: own ?? ('browser' as const),
  }));
  const set = (change: Partial<typeof form>): void => setForm((now) => ({ ...now, ...change }));
  const { mailAvailable = false, email = '', timeZone = 'UTC' } = settings;

  const byMail = mailAvailable && (form.alarmsByMail || form.weekly || form.changes);
  const isReachable = byMail || browsers.length > 0 || webhooks.some(({ goneAt }) => goneAt === undefined);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { isQuiet, quietFrom, quietTo, alarmsByMail, weekly, changes, urgentPasses, webhooksQuiet, language, ...rest } = form;
    const flags = {
      alarmsByMail: Number(alarmsByMail),
      weekly: Number(weekly),
      changes: Number(changes),
      urgentPasses: Number(urgentPasses),
      webhooksQuiet: Number(webhooksQuiet),
    };
    const request = { ...rest, ...flags, ...(language !== (own ?? 'browser') && { language }) };
    saving.mutate(isQuiet ? { ...request, quietFrom, quietTo } : request, {
      onSuccess: () => {
        speak(language === 'browser' ? undefined : language);
        toast.show(isReachable ? t.saved : t.unreachable);
      },
      onError: (error) => toast.fault(`${t.notSaved} ${error.message}`),
    });
  };

  return (
    <form className={styles.form} onSubmit={submit}>
      <section className={styles.card}>
        <h2>{t.mail}</h2>
        <p className={styles.soft}>{mailAvailable ? t.mailTo(email) : t.noMail}</p>
        {MAILS.map((name) => (
          <Switch
            key={name}
            label={t[name]}
            description={name === 'alarmsByMail' ? undefined : t[`${name}Lead`]}
            checked={form[name]}
            disabled={!mailAvailable && !form[name]}
            onChange={({ currentTarget: { checked } }) => set({ [name]: checked })}
          />
        ))}
      </section>
      <section className={styles.card}>
        <h2>{t.what}</h2>
        <div className={styles.fields}>
          <NativeSelect
            label={t.level}
            value={form.minLevel}
            onChange={({ currentTarget: { value } }) => set({ minLevel: value })}
            data={[
              { value: '1', label: t.levels[1] },
              { value: '2', label: t.levels[2] },
              { value: '3', label: t.levels[3] },
            ]}
          />
          <NativeSelect
            label={t.language}
            value={form.language}
            onChange={({ currentTarget: { value } }) => set({ language: value as Language | 'browser' })}
            data={[{ value: 'browser', label: t.noLanguage }, ...Object.entries(languages).map(([value, label]) => ({ value, label }))]}
          />
          <PlantSelect
            label={t.plants}
            placeholder={form.plantIds.length === 0 ? t.allPlants : t.anotherPlant}
            without={form.plantIds}
            onChoose={(id) => set({ plantIds: [...form.plantIds, id] })}
          />
        </div>
        <ChosenPlants ids={form.plantIds} onRemove={(id) => set({ plantIds: form.plantIds.filter((one) => one !== id) })} />
      </section>
      <section className={styles.card}>
        <h2>{t.quiet}</h2>
        <Switch label={t.isQuiet} checked={form.isQuiet} onChange={({ currentTarget: { checked } }) => set({ isQuiet: checked })} />
        {form.isQuiet && (
          <>
            <div className={styles.fields}>
              <TextInput
                type="time"
                required
                label={t.quietFrom}
                value={form.quietFrom}
                onChange={({ currentTarget: { value } }) => set({ quietFrom: value })}
              />
              <TextInput type="time" required label={t.quietTo} value={form.quietTo} onChange={({ currentTarget: { value } }) => set({ quietTo: value })} />
            </div>
            <p className={styles.soft}>
              {t.clock(formats.zone(timeZone, serverNow()))} <Link to="/account">{t.changeClock}</Link>
            </p>
            <Switch
              label={t.urgentPasses}
              description={form.urgentPasses && form.minLevel === EMERGENCY ? t.idle : undefined}
              checked={form.urgentPasses}
              onChange={({ currentTarget: { checked } }) => set({ urgentPasses: checked })}
            />
            <Switch
              label={t.webhooksQuiet}
              description={t.webhooksQuietLead}
              checked={form.webhooksQuiet}
              onChange={({ currentTarget: { checked } }) => set({ webhooksQuiet: checked })}
            />
          </>
        )}
      </section>
      <Button type="submit" loading={saving.isPending}>
        {t.save}
      </Button>
    </form>
  );
}
