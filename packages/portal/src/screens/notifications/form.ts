import type { WireData, WireRequest } from '@helioport/contract';
import type { Language } from '../../i18n/languages.ts';

export type Settings = WireData<'notifications/settings'>;

/** The hours in which most people sleep, as a beginning. */
const NIGHT = { from: '22:00', to: '07:00' };

/** What is sent by e-mail. */
export const MAILS = ['alarmsByMail', 'weekly', 'changes'] as const;

/** The settings as the form has them. */
export interface Form {
  readonly alarmsByMail: boolean;
  readonly weekly: boolean;
  readonly changes: boolean;
  readonly minLevel: string;
  readonly plantIds: readonly string[];
  readonly isQuiet: boolean;
  readonly quietFrom: string;
  readonly quietTo: string;
  readonly urgentPasses: boolean;
  readonly webhooksQuiet: boolean;
  readonly language: Language | 'browser';
}

export const formOf = (settings: Settings, own: Language | null | undefined): Form => ({
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
  language: own ?? 'browser',
});

/** Whether any e-mail is wanted. */
export const wantsMail = (form: Form): boolean => MAILS.some((name) => form[name]);

/** A form as the server takes it, which leaves the language as it is unless it was changed. */
export function requestOf(form: Form, saved: Form): WireRequest<'notifications/set'> {
  const {
    isQuiet,
    quietFrom,
    quietTo,
    alarmsByMail,
    weekly,
    changes,
    urgentPasses,
    webhooksQuiet,
    language,
    ...rest
  } = form;
  return {
    ...rest,
    alarmsByMail: Number(alarmsByMail),
    weekly: Number(weekly),
    changes: Number(changes),
    urgentPasses: Number(urgentPasses),
    webhooksQuiet: Number(webhooksQuiet),
    ...(language !== saved.language && { language }),
    ...(isQuiet && { quietFrom, quietTo }),
  };
}
