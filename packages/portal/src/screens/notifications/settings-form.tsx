import { Button, NativeSelect, Switch } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment, useState, type FormEvent, type ReactNode } from 'react';
import { Card, Fields, Form, Soft } from '../../components/layout.tsx';
import { DateTimeField } from '../../parts/forms/date-time-field.tsx';
import { languages, type Language } from '../../i18n/languages.ts';
import { useFormats } from '../../i18n/formats.ts';
import { KeepUnsaved } from '../../parts/forms/keep-unsaved.tsx';
import { Notice } from '../../parts/notice.tsx';
import { PlantSelect } from '../../parts/plants/plant-select.tsx';
import { toast } from '../../parts/toast.tsx';
import { useAccount, useSession } from '../../session/session-context.ts';
import { useChange, useOperation } from '../../wire/queries.ts';
import { serverNow } from '../../wire/server-clock.ts';
import { ChosenPlants } from './chosen-plants.tsx';
import { useFirstLanguage } from './first-language.ts';
import {
  formOf,
  MAILS,
  settingsRequestOf,
  wantsMail,
  type Form as Shown,
  type ShownSettings,
} from './form.ts';
import styles from './screen.module.css';
import { texts } from './texts/index.ts';

/** The highest level of alarms. */
const EMERGENCY = '3';

interface SettingsFormProps {
  readonly settings: ShownSettings;
  /** What acts at once, below what is saved. */
  readonly children: ReactNode;
}

/** What is sent by e-mail and to browsers, and when not. What was changed can be saved wherever on the page one is. */
export function SettingsForm({ settings, children }: SettingsFormProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { speak } = useSession();
  const { language: own } = useAccount();
  const { first } = useFirstLanguage();
  const saving = useChange('notifications/set');
  const { data: browsers } = useOperation('push/list', {});
  const { data: webhooks } = useOperation('webhook/list', {});
  const [saved, setSaved] = useState(() => formOf(settings, own));
  const [changed, setChanged] = useState<Partial<Shown>>({});
  const form = { ...saved, language: own ?? ('browser' as const), ...changed };
  const set = (change: Partial<Shown>): void => setChanged((now) => ({ ...now, ...change }));
  const { mailAvailable = false, email = '', timeZone = 'UTC' } = settings;

  const isUnreachable =
    !(mailAvailable && wantsMail(saved)) &&
    browsers?.length === 0 &&
    webhooks?.every(({ goneAt }) => goneAt !== undefined);
  const isChanged =
    JSON.stringify(form) !== JSON.stringify({ ...saved, language: own ?? 'browser' });

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const language =
      first !== undefined && changed.language === undefined && wantsMail(form) && !wantsMail(saved)
        ? first
        : form.language;
    const next = { ...form, language };
    saving.mutate(settingsRequestOf(next, { ...saved, language: own ?? 'browser' }), {
      onSuccess: () => {
        speak(language === 'browser' ? undefined : language);
        setSaved(next);
        setChanged({});
        toast.show(t.saved);
      },
      onError: () => toast.fault(t.notSaved),
    });
  };

  return (
    <>
      {isUnreachable && (
        <Notice kind="warn" title={t.unreachable}>
          <p>{mailAvailable ? t.ways : t.waysWithoutMail}</p>
        </Notice>
      )}
      <Form id="notifications" onSubmit={submit}>
        <Card>
          <h2>{t.mail}</h2>
          <Soft>{mailAvailable ? t.mailTo(email) : t.noMail}</Soft>
          {MAILS.map((name) => (
            <Fragment key={name}>
              <Switch
                label={t[name]}
                description={name === 'alarmsByMail' ? undefined : t[`${name}Lead`]}
                checked={form[name]}
                disabled={!mailAvailable && !form[name]}
                onChange={({ currentTarget: { checked } }) => set({ [name]: checked })}
              />
              {name === 'weekly' && (
                <Link to="/week" className={styles.below}>
                  {t.weeklyPreview}
                </Link>
              )}
            </Fragment>
          ))}
        </Card>
        <Card>
          <h2>{t.what}</h2>
          <Fields>
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
              onChange={({ currentTarget: { value } }) =>
                set({ language: value as Language | 'browser' })
              }
              data={[
                { value: 'browser', label: t.noLanguage },
                ...Object.entries(languages).map(([value, label]) => ({ value, label })),
              ]}
            />
            <PlantSelect
              label={t.plants}
              placeholder={form.plantIds.length === 0 ? t.allPlants : t.anotherPlant}
              without={form.plantIds}
              onChoose={(id) => set({ plantIds: [...form.plantIds, id] })}
            />
          </Fields>
          <ChosenPlants
            ids={form.plantIds}
            onRemove={(id) => set({ plantIds: form.plantIds.filter((one) => one !== id) })}
          />
        </Card>
        <Card>
          <h2>{t.quiet}</h2>
          <Switch
            label={t.isQuiet}
            checked={form.isQuiet}
            onChange={({ currentTarget: { checked } }) => set({ isQuiet: checked })}
          />
          {form.isQuiet && (
            <>
              <Fields>
                <DateTimeField
                  type="time"
                  required
                  label={t.quietFrom}
                  value={form.quietFrom}
                  onChange={({ currentTarget: { value } }) => set({ quietFrom: value })}
                />
                <DateTimeField
                  type="time"
                  required
                  label={t.quietTo}
                  value={form.quietTo}
                  onChange={({ currentTarget: { value } }) => set({ quietTo: value })}
                />
              </Fields>
              <Soft>
                {t.clock(formats.zone(timeZone, serverNow()))}{' '}
                <Link to="/account">{t.changeClock}</Link>
              </Soft>
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
        </Card>
      </Form>
      {children}
      <KeepUnsaved when={isChanged && !saving.isPending} />
      {isChanged && (
        <div className={styles.save}>
          <span>{t.unsaved}</span>
          <Button type="submit" form="notifications" loading={saving.isPending}>
            {t.save}
          </Button>
        </div>
      )}
    </>
  );
}
