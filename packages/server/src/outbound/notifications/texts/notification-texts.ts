import type { DeviceMatter } from '@helioport/contract/alarm-words/device/en';
import type { AlarmWords } from '@helioport/contract/alarm-words/en';

/** What messages say, in one language. Names and numbers come formatted. */
export interface NotificationTexts {
  /** 1 tip, 2 general, 3 emergency. */
  readonly levels: Readonly<Record<1 | 2 | 3, string>>;
  readonly says: { readonly began: string; readonly ended: string; readonly both: string };
  /** Of the service, by code. */
  readonly alarms: Readonly<Record<string, AlarmWords>>;
  /** What to do about alarms that devices report. */
  readonly deviceAdvice: Readonly<Record<DeviceMatter, string>>;
  /** Of an alarm with a device's own code. */
  deviceAlarm(code: string): string;
  at(place: string): string;
  device(sn: string): string;
  since(time: string): string;
  /** What an alarm has cost. */
  lost(what: string): string;
  fromTo(from: string, to: string): string;
  /** Heading of a message about several alarms. */
  several(alarms: string, plants: string): string;
  more(number: string): string;
  readonly open: string;
  readonly why: string;
  readonly stop: string;
  readonly test: { readonly title: string; readonly body: string };
  /** The page that the link in an e-mail leads to. */
  readonly stopPage: Readonly<
    Record<'title' | 'question' | 'button' | 'done' | 'unreadable', string>
  >;
  /** Plants that somebody may see no more. */
  readonly ended: {
    one(plant: string): string;
    several(plants: string): string;
    readonly lead: string;
    readonly open: string;
    readonly why: string;
  };
  /** Settings of devices that others changed. */
  readonly changes: {
    heading(number: string): string;
    readonly lead: string;
    readonly operator: string;
    readonly service: string;
    readonly unknown: string;
    readonly open: string;
    readonly why: string;
  };
  readonly weekly: {
    subject(week: string): string;
    /** `change`: in percent against the average of the weeks before. */
    summary(kwh: string, change: string | undefined): string;
    readonly produced: string;
    readonly weekBefore: string;
    readonly average: string;
    readonly bestDay: string;
    readonly worth: string;
    readonly co2: string;
    readonly alarms: string;
    readonly quiet: string;
    toDo(number: string): string;
    readonly open: string;
    readonly why: string;
    readonly nothing: string;
    onlyFirst(plants: string): string;
    /** What was lost in all, through what most, and where. */
    lost(kwh: string, cause: string, causeKwh: string, plant: string): string;
  };
}
